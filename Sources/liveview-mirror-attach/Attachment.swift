internal import ArgumentParser
internal import LiveViewClient

/// One page that is followed and fed to a mirror.
actor Attachment {
  private let url: String
  private let mirror: MirrorConnection
  private let options: ClientOptions
  private let plan: Plan
  private var page: LivePage?
  /// The feed of the current page load.
  private var feed: PageFeed?
  private var announcement: Task<Void, Never>?
  private var listener: Task<Void, Never>?
  private var watchdog: Task<Void, Never>?
  private var code: ExitCode?
  /// The page, once it is loaded; ``ClientError/closed`` if the program ends before that.
  private let opened = Arrival<Result<LivePage, ClientError>>()
  /// Whether the program ends. The mirror of this program may end at the same time, so its failures are not reported.
  private var isStopping = false
  /// The topics of the views that were joined.
  private var joined: Set<String> = []
  private var mirroredFrames = 0
  private var lastJoins: ContinuousClock.Instant?
  /// Whether a note about a closed connection was printed.
  private var isDisconnected = false
  /// Whether this program itself closes the connection, to join the views again.
  private var isJoiningAgain = false
  private var hasReachedMirror = false
  /// The line about the main view that was printed last. A view that is joined again needs no other line.
  private var lastLine = ""

  /// When the program stops following the page by itself.
  struct Plan: Sendable {
    /// As soon as every view is joined and the mirror has its page.
    var isOnce = false
    /// Whether the program has started the mirror, which then ends together with it.
    var ownsMirror = false
    /// After no view could be joined for a time; `nil` for never.
    var patience: Duration?

    /// Whether a summary is printed at the end, because nobody can open the address of a view.
    var printsSummary: Bool { isOnce && ownsMirror }
  }

  /// The address for messages, without the user's password and the parameters.
  private var address: String { WebAddress.withoutSecrets(url) }

  init(_ url: String, to mirror: MirrorConnection, options: ClientOptions, plan: Plan) {
    (self.url, self.mirror, self.options, self.plan) = (url, mirror, options, plan)
  }

  /// Follows the page until it ends.
  ///
  /// - Returns: the exit code.
  func run() async -> ExitCode {
    Task { await open() }
    switch await opened.wait() {
    case .success(let page):
      self.page = page
      // The program may have been stopped in between.
      if isStopping { await page.close() }
      for await event in page.events { await note(event, in: page) }
    case .failure(.closed), nil: break
    case .failure(let error):
      Console.note(error.description)
      return error.exitCode
    }
    watchdog?.cancel()
    let isMirrored = await endPage()
    if plan.isOnce, code == .success {
      if !isMirrored {
        Console.note("the mirror at \(mirror.address.origin) has not taken all frames of \(address)")
        return .unavailable
      }
      if plan.printsSummary { Console.line(await summary) }
    }
    return code ?? .success
  }

  /// Loads the page. ``stop(_:)`` does not wait for a server that does not respond.
  private func open() async {
    do throws(ClientError) {
      let page = try await LiveViewClient(options: options).open(url)
      if !opened.set(.success(page)) { await page.close() }
    } catch { opened.set(.failure(error)) }
  }

  private var summary: String {
    get async {
      "\(WebAddress.withoutSecrets(await page?.url ?? url)): \(Self.count(joined.count, "view")) joined, \(Self.count(mirroredFrames, "frame")) mirrored"
    }
  }

  private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  /// Leaves the page, because the program ends.
  ///
  /// - Parameter code: the exit code, if the page has no other.
  func stop(with code: ExitCode = .success) async {
    isStopping = true
    if code != .success { self.code = self.code ?? code }
    opened.set(.failure(.closed))
    await page?.close()
  }

  /// Ends the page by itself.
  private func finish(_ code: ExitCode) async {
    isStopping = true
    self.code = self.code ?? code
    await page?.close()
  }

  // MARK: - Events

  private func note(_ event: PageEvent, in page: LivePage) async {
    switch event {
    case .loaded(let info):
      // A page that arrives after a signal is not shown.
      if !isStopping || feed != nil { await begin(info, page) }
    case .frame(let frame): await feed?.append(frame)
    case .joined(let view, let isMain, let version):
      didConnect()
      joined.insert(view)
      Console.note("joined \(view)\(version.map { " (LiveView \($0))" } ?? "")")
      if isMain, let feed { await announce(view, feed, page) }
      if plan.isOnce, await page.isSettled { await finish(.success) }
    case .updated, .title, .connected: break
    case .moved(let url): await feed?.move(to: url)
    case .failed(let view, let reason, let isFinal):
      Console.note("\(view): \(reason)\(isFinal ? "; it is not joined again" : "; joining again")")
      if isFinal, plan.isOnce { await finish(.refused) }
    case .left(let view):
      // At the end, all views are left.
      if !isStopping { Console.note("left \(view)") }
    case .rejected(let view, let error): Console.note("\(view): a frame does not fit the document: \(error)")
    case .disconnected(let reason, let retry):
      // One note, and not one for each attempt.
      if !isDisconnected, retry != nil, !isJoiningAgain {
        Console.note("the connection to \(address) is closed: \(reason); connecting again until the server answers")
        isDisconnected = true
      }
      isJoiningAgain = false
      startWatchdog()
    case .loading(let url, let reason, let delay):
      Console.note(
        "loading \(WebAddress.withoutSecrets(url)): \(reason)" + (delay == .zero ? "" : " (in \(delay.rounded))"))
      // Without a delay, the server has requested the load. With one, a load or a join has failed.
      if delay != .zero { startWatchdog() }
    case .ended(let error):
      isStopping = true
      guard let error else { return }
      Console.note(error.description)
      code = code ?? error.exitCode
    }
  }

  /// Notes that a view is joined. Before that, a new connection is no success: a server may accept connections and drop them.
  private func didConnect() {
    if isDisconnected { Console.note("connected to \(address) again") }
    (isDisconnected, isJoiningAgain) = (false, false)
    watchdog?.cancel()
    watchdog = nil
  }

  /// Prints the address of a view once the mirror has its page, so that a program that reads the line can request it.
  private func announce(_ view: String, _ feed: PageFeed, _ page: LivePage) async {
    if plan.printsSummary { return }
    let text =
      "\(WebAddress.withoutSecrets(await page.url ?? url)) is mirrored at \(mirror.address.origin)/views/\(view)~\(feed.page)"
    if text == lastLine { return }
    lastLine = text
    announcement?.cancel()
    announcement = Task { if await feed.drain(atMost: .seconds(3_600)) { Console.line(text) } }
  }

  /// Ends the page if no view is joined for the time of `--give-up`.
  private func startWatchdog() {
    guard let patience = plan.patience, watchdog == nil else { return }
    watchdog = Task {
      try? await Task.sleep(for: patience)
      guard !Task.isCancelled else { return }
      Console.note("no view of \(address) was joined for \(patience.rounded), the time of --give-up")
      await finish(.unavailable)
    }
  }

  // MARK: - Page loads

  private func begin(_ info: PageLoadInfo, _ page: LivePage) async {
    await endPage()
    let feed = PageFeed(
      info.id, url: info.url, title: info.title, isNative: options.isNative, to: mirror
    ) { [weak self] in await self?.note($0) }
    self.feed = feed
    do throws(ClientError) {
      if let objection = try await feed.announce() {
        Console.note(objection)
        return await finish(.refused)
      }
    } catch {
      // At the start, a wrong address is likely. Later, the mirror may be restarted, and frames are kept for it.
      if !hasReachedMirror {
        Console.note("\(mirror.failure(error)); start it there with liveview-mirror serve, or omit --mirror")
        return await finish(.unavailable)
      }
    }
    hasReachedMirror = true
    listener = Task { await listen(for: feed, page) }
  }

  /// Ends the current page load in the mirror, after its last frame.
  ///
  /// - Returns: whether the mirror has taken all frames.
  @discardableResult
  private func endPage() async -> Bool {
    // The listener may be announcing the page. Behind the page's end, that would open it again.
    listener?.cancel()
    await listener?.value
    listener = nil
    guard let feed else { return false }
    self.feed = nil
    let isDrained = await feed.drain(atMost: .seconds(5), waitsForMirror: !isStopping || code == .success)
    if !isDrained { announcement?.cancel() }
    await announcement?.value
    mirroredFrames += await feed.confirmedFrames
    if isDrained || !isStopping { await feed.end() }
    return isDrained
  }

  private func note(_ notice: PageFeed.Notice) async {
    if isStopping { return }
    switch notice {
    // The program ends soon, with a note about the end of its mirror.
    case .unreachable(.unreachable) where plan.ownsMirror: break
    case .unreachable(let error): Console.note("\(mirror.failure(error)); frames are kept and sent later")
    case .reachable: Console.note("the mirror at \(mirror.address.origin) takes frames again")
    case .refused(let reason): Console.note(reason)
    case .missing: await joinAgain()
    }
  }

  /// Joins all views again, so that the mirror gets their pages. The mirror reports missing frames until those have arrived.
  private func joinAgain() async {
    let now = ContinuousClock.now
    if let lastJoins, lastJoins.duration(to: now) < .seconds(3) { return }
    lastJoins = now
    Console.note("the mirror at \(mirror.address.origin) has missed frames; joining the views again")
    isJoiningAgain = true
    await page?.reconnect()
  }

  // MARK: - Carrying

  /// Sends the pushes of the mirror to the LiveViews, until the page ends.
  private func listen(for feed: PageFeed, _ page: LivePage) async {
    while !Task.isCancelled {
      do {
        let (status, stream, connection) = try await mirror.listen("/pages/\(feed.page)/pushes")
        defer { connection.close() }
        if status == 404 {
          // The page has ended, and must not be announced again.
          guard !Task.isCancelled, !isStopping else { return }
          // A mirror that was restarted knows neither the page nor its views.
          let objection = try await feed.announce()
          guard !Task.isCancelled, !isStopping else { return }
          if let objection {
            Console.note(objection)
          } else {
            await joinAgain()
          }
        } else if status == 200 {
          try await withTaskCancellationHandler {
            var reader = EventStreamReader()
            for try await piece in stream {
              for event in reader.read(piece) where event.name == "push" {
                guard let push = CarrierPush(event.data) else { continue }
                // The next push does not wait for the answer to this one.
                Task { await carryOut(push, in: page) }
              }
            }
          } onCancel: {
            connection.close()
          }
        }
      } catch {}
      try? await Task.sleep(for: .seconds(1))
    }
  }

  private func carryOut(_ push: CarrierPush, in page: LivePage) async {
    do throws(ClientError) { try await push.carryOut(in: page) } catch { Console.note(error.description) }
  }
}

extension Duration {
  /// In seconds with at most one fractional digit, such as `7.5 s`.
  fileprivate var rounded: String {
    let tenths = Int((self / .milliseconds(100)).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
  }
}
