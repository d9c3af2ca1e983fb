internal import ArgumentParser
internal import CommandSupport
internal import LiveViewClient
internal import MirrorSupport

/// One page that is followed and fed to a mirror. ``AttachCommand`` makes one for each URL, and
/// calls ``run()`` once. ``stop(with:)`` may be called at any time.
actor Attachment {
  private let url: String
  private let mirror: MirrorConnection
  private let options: ClientOptions
  private let plan: Plan
  private var page: LivePage?
  /// The feed of the current page load.
  private var feed: FrameSender?
  private var announcement: Task<Void, Never>?
  private var listener: Task<Void, Never>?
  /// The answer to the announcement of the page load that begins; `nil` if the program ends before
  /// the mirror answers.
  private var opening: Arrival<Result<MirrorConnection.Objection?, ClientError>?>?
  private var watchdog: Task<Void, Never>?
  private var code: ExitCode?
  /// The page, once it is loaded; ``ClientError/closed`` if the program ends before that.
  private let opened = Arrival<Result<LivePage, ClientError>>()
  /// Whether the program ends. The mirror of this program may end at the same time, so its failures
  /// are not reported.
  private var isStopping = false
  /// The topics of the views that were joined.
  private var joined: Set<String> = []
  /// The topics of the views that are joined in the present page, on the present connection.
  private var connected: Set<String> = []
  private var mirroredFrames = 0
  private var refusedFrames = 0
  private var lastJoins: ContinuousClock.Instant?
  /// The minimum time between two repetitions of the joins.
  private var joinPause = Duration.seconds(3)
  private var lastRefusal = ""
  /// Whether a note about a closed connection was printed.
  private var isDisconnected = false
  /// Whether this program itself closes the connection, to join the views again.
  private var isJoiningAgain = false
  private var hasReachedMirror = false
  /// The line about the main view that was printed last, so that it is not printed again when the
  /// view is joined again.
  private var lastLine = ""

  /// When the program stops following the page by itself, and what it prints.
  struct Plan: Sendable {
    /// Whether the program stops as soon as every view is joined and the mirror has the page of
    /// each view.
    var isOnce = false
    /// Whether the program has started the mirror, which then ends together with it.
    var ownsMirror = false
    /// The time without a joined view after which the program stops; `nil` for never.
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
      // ``stop(with:)`` may have been called while the page was loading.
      if isStopping { await page.close() }
      for await event in page.events { await note(event, in: page) }
    case .failure(.closed), nil: break
    case .failure(let error):
      Console.note(error.message(isSocketPathSet: options.socketPath != nil))
      return error.exitCode
    }
    watchdog?.cancel()
    let isMirrored = await endPage()
    if plan.isOnce, code == .success {
      // The refusal was printed.
      if refusedFrames > 0 { return .notPermitted }
      if !isMirrored {
        Console.note("the mirror at \(mirror.address.origin) has not taken all frames of \(address)")
        return .unavailable
      }
      if plan.printsSummary { Console.line(await summary) }
    }
    return code ?? .success
  }

  /// Loads the page. ``stop(with:)`` does not wait for a server that does not respond.
  private func open() async {
    do throws(ClientError) {
      let page = try await LiveViewClient(options: options).open(url)
      if !opened.set(.success(page)) { await page.close() }
    } catch { opened.set(.failure(error)) }
  }

  private var summary: String {
    get async {
      "\(WebAddress.withoutSecrets(await page?.url ?? url)): \(Self.countText(joined.count, "view")) joined, \(Self.countText(mirroredFrames, "frame")) mirrored"
    }
  }

  private static func countText(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  /// Leaves the page, because the program ends.
  ///
  /// - Parameter code: the exit code, if the page has no other.
  func stop(with code: ExitCode = .success) async {
    isStopping = true
    if code != .success { self.code = self.code ?? code }
    opened.set(.failure(.closed))
    opening?.set(nil)
    await page?.close()
  }

  /// Leaves this page, while other attachments of the program continue. Called for reasons of this
  /// page, such as a final refusal, or with `--once`, when all its views are joined.
  private func finish(_ code: ExitCode) async {
    isStopping = true
    self.code = self.code ?? code
    await page?.close()
  }

  /// Whether the program ends without having to mirror the rest of the page.
  private var isAborting: Bool { isStopping && code != .success }

  // MARK: - Events

  private func note(_ event: PageEvent, in page: LivePage) async {
    switch event {
    case .loaded(let info):
      connected = []
      // A page that arrives after a signal to stop is not mirrored.
      if !isStopping || feed != nil { await begin(info, page) }
    case .frame(let frame): await feed?.append(frame)
    case .joined(let view, let isMain, let version):
      didConnect()
      joined.insert(view)
      connected.insert(view)
      if isAborting { return }
      Console.note("joined \(view)\(version.map { " (LiveView \($0))" } ?? "")")
      if isMain, let feed { await announce(view, feed, page) }
      if plan.isOnce, await page.isSettled { await finish(.success) }
    case .connected:
      // The joins that follow announce the main view again.
      announcement?.cancel()
      await feed?.willJoin()
    case .updated, .title: break
    case .moved(let url): await feed?.move(to: url)
    case .failed(let view, let reason, let isFinal):
      Console.note("\(view): \(reason)\(isFinal ? "; it is not joined again" : "; joining again")")
      if isFinal, plan.isOnce { await finish(.notPermitted) }
    case .left(let view):
      connected.remove(view)
      // At the end, the client leaves all views, which needs no notes.
      if !isStopping { Console.note("left \(view)") }
    case .rejected(let view, let error): Console.note("\(view): a frame does not fit the document: \(error)")
    case .disconnected(let reason, let retry):
      // No diff arrives until the views are joined again.
      for view in connected.sorted() { await feed?.appendClose(of: view) }
      connected = []
      // Only one note is printed, and not one for each attempt.
      if !isDisconnected, retry != nil, !isJoiningAgain {
        Console.note("the connection to \(address) is closed: \(reason); connecting again until the server answers")
        isDisconnected = true
      }
      isJoiningAgain = false
      startWatchdog()
    case .loading(let url, let reason, let delay, let isRecovery):
      Console.note(
        "loading \(WebAddress.withoutSecrets(url)): \(reason)"
          + (delay == .zero ? "" : " (in \(Formatted.time(delay)))"))
      if isRecovery { startWatchdog() }
    case .ended(let error):
      isStopping = true
      guard let error else { return }
      Console.note(error.message(isSocketPathSet: options.socketPath != nil))
      code = code ?? error.exitCode
    }
  }

  /// Notes that a view is joined. Only then the connection counts as restored, because a server may
  /// accept a connection and drop it at once.
  private func didConnect() {
    if isDisconnected { Console.note("connected to \(address) again") }
    (isDisconnected, isJoiningAgain) = (false, false)
    watchdog?.cancel()
    watchdog = nil
  }

  /// Prints the address of a view once the mirror has its page, so that a program that reads the
  /// line can request it.
  private func announce(_ view: String, _ feed: FrameSender, _ page: LivePage) async {
    if plan.printsSummary { return }
    let text =
      "\(WebAddress.withoutSecrets(await page.url ?? url)) is mirrored at \(mirror.address.origin)/views/\(view)~\(feed.page)"
    announcement?.cancel()
    announcement = Task {
      guard await feed.drain(atMost: .seconds(3_600)), await !feed.hasGap, !Task.isCancelled, text != lastLine else {
        return
      }
      lastLine = text
      Console.line(text)
    }
  }

  /// Ends the page if no view is joined for the time of `--give-up`.
  private func startWatchdog() {
    guard let patience = plan.patience, watchdog == nil else { return }
    watchdog = Task {
      try? await Task.sleep(for: patience)
      guard !Task.isCancelled else { return }
      Console.note("no view of \(address) was joined for \(Formatted.time(patience)), the time of --give-up")
      await finish(.unavailable)
    }
  }

  // MARK: - Page loads

  private func begin(_ info: PageLoadInfo, _ page: LivePage) async {
    await endPage()
    if isAborting { return }
    let feed = FrameSender(
      info.id, url: info.url, title: info.title, isNative: options.isNative, to: mirror
    ) { [weak self] in await self?.note($0) }
    self.feed = feed
    switch await announce(feed) {
    case nil: return
    case .success(nil): break
    case .success(let objection?):
      Console.note(objection.text)
      return await finish(objection.isOfMirror ? .notPermitted : .unavailable)
    // Before the mirror has answered once, a failure is probably due to a wrong address. Later, the
    // mirror may be restarting, so frames are kept for it.
    case .failure where hasReachedMirror: break
    case .failure(let error):
      Console.note(mirror.failure(error) + remedy(error))
      return await finish(.unavailable)
    }
    hasReachedMirror = true
    listener = Task { await listen(for: feed, page) }
  }

  /// Opens a page load in the mirror. ``stop(with:)`` does not wait for a mirror that does not
  /// answer.
  ///
  /// - Returns: `nil` if the program ends.
  private func announce(_ feed: FrameSender) async -> Result<MirrorConnection.Objection?, ClientError>? {
    let opening = Arrival<Result<MirrorConnection.Objection?, ClientError>?>()
    self.opening = opening
    Task {
      do throws(ClientError) { opening.set(.success(try await feed.announce())) } catch {
        opening.set(.failure(error))
      }
    }
    return await opening.wait() ?? nil
  }

  private func remedy(_ error: ClientError) -> String {
    guard case .unreachable = error, !plan.ownsMirror else { return "" }
    return "; start it there with liveview-mirror serve, or omit --mirror"
  }

  /// Ends the current page load in the mirror, after its last frame.
  ///
  /// - Returns: whether the mirror has taken all frames.
  @discardableResult
  private func endPage() async -> Bool {
    // The listener may be announcing the page. An announcement after the page's end would open the
    // page again.
    listener?.cancel()
    var isListening = false
    if let listener {
      let end = await Arrival.of(atMost: .seconds(isAborting ? 2 : 5)) {
        await listener.value
        return true
      }
      isListening = end == nil
    }
    listener = nil
    guard let feed else { return false }
    self.feed = nil
    let isDrained = await feed.drain(atMost: .seconds(5), waitsForMirror: !isStopping || code == .success)
    if !isDrained { announcement?.cancel() }
    await announcement?.value
    mirroredFrames += await feed.confirmedFrameCount
    refusedFrames += await feed.refusedFrames
    if isDrained || !isStopping, !isListening {
      let limit = Duration.seconds(isAborting ? 2 : 30)
      _ = await Arrival.of(atMost: limit) {
        await feed.end()
        return true
      }
    }
    return isDrained
  }

  private func note(_ notice: FrameSender.Notice) async {
    // The program succeeds only if the mirror has taken all frames, so a refusal is printed at the
    // end too.
    if case .refused(let objection, let isTooLong) = notice {
      if isTooLong { joinPause = .seconds(600) }
      return printRefusal(objection)
    }
    if isStopping { return }
    switch notice {
    // The program ends soon, with a note about the end of its mirror.
    case .unreachable(.unreachable) where plan.ownsMirror, .unreachable(.failedExchange) where plan.ownsMirror: break
    case .unreachable(let error): Console.note("\(mirror.failure(error)); frames are kept and sent later")
    case .reachable: Console.note("the mirror at \(mirror.address.origin) takes frames again")
    case .missing: await joinAgain()
    case .refused: break
    }
  }

  /// Prints an objection of the mirror, unless it was the last one too.
  private func printRefusal(_ objection: MirrorConnection.Objection) {
    if objection.text != lastRefusal { Console.note(objection.text) }
    lastRefusal = objection.text
  }

  /// Joins all views again, so that the mirror gets their pages. The mirror reports missing frames
  /// until these pages have arrived, so two calls within ``joinPause`` join the views only once.
  private func joinAgain() async {
    let now = ContinuousClock.now
    if let lastJoins, lastJoins.duration(to: now) < joinPause { return }
    lastJoins = now
    Console.note("the mirror at \(mirror.address.origin) has missed frames; joining the views again")
    isJoiningAgain = true
    await page?.reconnect()
  }

  // MARK: - Carrying

  /// Sends the pushes of the mirror to the LiveViews, until the page ends.
  private func listen(for feed: FrameSender, _ page: LivePage) async {
    while !Task.isCancelled {
      do {
        let (status, stream, connection) = try await mirror.listen("/pages/\(feed.page)/pushes")
        defer { connection.close() }
        if status == 404 {
          // If the page has ended here, it must not be announced again.
          guard !Task.isCancelled, !isStopping else { return }
          // A mirror that was restarted knows neither the page nor its views.
          let objection = try await feed.announce()
          guard !Task.isCancelled, !isStopping else { return }
          if let objection {
            printRefusal(objection)
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
