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
  /// Whether the program ends: a mirror of its own may end at the same time, which is no reason for a message.
  private var isStopping = false
  private var lastJoins: ContinuousClock.Instant?
  private var isDisconnected = false
  /// The line about the main view that was printed last. A view that is joined again needs no other line.
  private var lastLine = ""

  /// When the program stops following the page by itself.
  struct Plan: Sendable {
    /// As soon as every view is joined.
    var isOnce = false
    /// After the server could not be reached for a time; `nil` for never.
    var patience: Duration?
  }

  init(_ url: String, to mirror: MirrorConnection, options: ClientOptions, plan: Plan) {
    (self.url, self.mirror, self.options, self.plan) = (url, mirror, options, plan)
  }

  /// Follows the page until it ends.
  ///
  /// - Returns: the exit code.
  func run() async -> ExitCode {
    let page: LivePage
    do throws(ClientError) { page = try await LiveViewClient(options: options).open(url) } catch {
      Console.note(error.description)
      return error.exitCode
    }
    self.page = page
    for await event in page.events { await note(event, in: page) }
    await endPage()
    return code ?? .success
  }

  /// Leaves the page.
  func stop() async {
    isStopping = true
    await page?.close()
  }

  private func stop(_ code: ExitCode) async {
    self.code = self.code ?? code
    await page?.close()
  }

  // MARK: - Events

  private func note(_ event: PageEvent, in page: LivePage) async {
    switch event {
    case .loaded(let info): await begin(info, page)
    case .frame(let frame): await feed?.append(frame)
    case .joined(let view, let isMain, let version):
      didConnect()
      Console.note("joined \(view)\(version.map { " (LiveView \($0))" } ?? "")")
      if isMain, let feed { await announce(view, feed, page) }
      if plan.isOnce, await page.isSettled { await stop(.success) }
    case .updated, .title, .connected: break
    case .moved(let url): await feed?.move(to: url)
    case .failed(let view, let reason, let isFinal):
      Console.note("\(view): \(reason)\(isFinal ? "; giving it up" : "; trying again")")
      if isFinal, plan.isOnce { await stop(.refused) }
    case .left(let view): Console.note("left \(view)")
    case .rejected(let view, let error): Console.note("\(view): a frame does not fit its page: \(error)")
    case .disconnected(let reason, let retry):
      // Printed once, and not for each attempt.
      if !isDisconnected, retry != nil {
        Console.note("the connection to \(url) is closed: \(reason); connecting until it answers")
      }
      isDisconnected = true
      startWatchdog()
    case .loading(let url, let reason, let delay):
      Console.note("loading \(url): \(reason)" + (delay == .zero ? "" : " (in \(delay.rounded))"))
    case .ended(let error):
      guard let error else { return }
      Console.note(error.description)
      code = code ?? error.exitCode
    }
  }

  /// A connection counts once a view is joined: a server may accept connections and drop them.
  private func didConnect() {
    if isDisconnected { Console.note("connected to \(url) again") }
    isDisconnected = false
    watchdog?.cancel()
    watchdog = nil
  }

  /// Prints the address of a view once the mirror has its page, so that a program that reads the line can request it.
  private func announce(_ view: String, _ feed: PageFeed, _ page: LivePage) async {
    let text = "\(await page.url ?? url) is mirrored at \(mirror.address.origin)/views/\(view)~\(feed.page)"
    if text == lastLine { return }
    lastLine = text
    announcement = Task {
      await feed.drain(atMost: .seconds(10))
      Console.line(text)
    }
  }

  /// Ends the program if the server cannot be reached for longer than the user is willing to wait.
  private func startWatchdog() {
    guard let patience = plan.patience, watchdog == nil else { return }
    watchdog = Task {
      try? await Task.sleep(for: patience)
      guard !Task.isCancelled else { return }
      Console.note("\(url) cannot be reached for \(patience.rounded), the time of --give-up")
      await stop(.unavailable)
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
        Console.note("the mirror at \(mirror.address.origin) refuses this page: \(objection)")
        return await stop(.refused)
      }
    } catch {
      // At the start a wrong address is likely. Later the mirror may be restarted, and frames are kept for it.
      if listener == nil {
        Console.note("cannot reach the mirror: \(error)")
        return await stop(.unavailable)
      }
    }
    listener = Task { await listen(for: feed, page) }
  }

  private func endPage() async {
    listener?.cancel()
    guard let feed else { return }
    self.feed = nil
    await feed.drain(atMost: .seconds(5))
    await announcement?.value
    await feed.end()
  }

  private func note(_ notice: PageFeed.Notice) async {
    if isStopping { return }
    switch notice {
    case .unreachable(let error): Console.note("the mirror cannot be fed: \(error); frames are kept and sent later")
    case .reachable: Console.note("the mirror can be fed again")
    case .refused(let reason): Console.note("the mirror has refused frames: \(reason)")
    case .missing: await joinAgain()
    }
  }

  /// Joins all views again, so that the mirror gets their pages. The mirror reports missing frames until those have arrived.
  private func joinAgain() async {
    let now = ContinuousClock.now
    if let lastJoins, lastJoins.duration(to: now) < .seconds(3) { return }
    lastJoins = now
    Console.note("the mirror has missed frames; joining again")
    await page?.reconnect()
  }

  // MARK: - Carrying

  /// Sends what the mirror asks for, until the page ends.
  private func listen(for feed: PageFeed, _ page: LivePage) async {
    while !Task.isCancelled {
      do {
        let (status, stream, connection) = try await mirror.listen("/pages/\(feed.page)/pushes")
        defer { connection.close() }
        if status == 404 {
          // The page has ended, and must not be announced again.
          guard !Task.isCancelled, !isStopping else { return }
          // A mirror that was restarted knows neither the page nor its views.
          if let objection = try await feed.announce() {
            Console.note("the mirror refuses this page: \(objection)")
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
