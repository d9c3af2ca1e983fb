internal import LiveViewMirror
internal import MirrorSupport

/// An open page: its LiveViews, their documents and their events. ``LiveViewClient/open(_:)``
/// returns one.
public actor LivePage {
  /// The events of the page, in order. The last one is ``PageEvent/ended(_:)``.
  ///
  /// The stream has one reader. It keeps all events until they are read, so a program that opens a
  /// page must read its events.
  public nonisolated let events: AsyncStream<PageEvent>

  private let output: AsyncStream<PageEvent>.Continuation
  private let loader: PageLoader
  private(set) var session: PageSession?
  private var connection: WebSocketConnection?
  /// Counts page loads. A task remembers the number at its start, and has no effect if another page
  /// load has begun, or the page has ended, since.
  private var generation = 0
  private var timers: [PageTimer: Task<Void, Never>] = [:]
  private var waiting: [Int: CheckedContinuation<Result<JSONSlice, ClientError>, Never>] = [:]
  /// The answers that have arrived before the program awaited them.
  private var early: [Int: Result<JSONSlice, ClientError>] = [:]
  /// The number of page loads, and of failed attempts at one, since a view was last joined.
  private var failures = 0
  /// The number of connections that have failed before the first view was joined.
  private var failedConnections = 0
  private var hasJoined = false
  private var hasEnded = false

  init(_ loader: PageLoader) {
    self.loader = loader
    (events, output) = AsyncStream<PageEvent>.makeStream()
  }

  // MARK: - Acting

  /// Sends an event to a view, as a click on an element with `phx-click` does, and waits for the
  /// answer.
  ///
  /// - Parameters:
  ///   - event: the name, such as `inc`.
  ///   - value: the values of `phx-value-…` attributes, or an encoded form.
  ///   - type: `click`, `form`, `keydown` and so on.
  ///   - component: the id of the component that handles the event; `nil` for the view itself.
  ///   - view: the topic of the view, or the id of its element.
  /// - Returns: the response as JSON. Its diff was applied to the document.
  @discardableResult
  public func push(
    _ event: String, value: JSONValue = [:], type: String = "click", component: Int? = nil, to view: String
  ) async throws(ClientError) -> String {
    var members: [JSONValue.Member] = [
      .init("type", .string(type)), .init("event", .string(event)), .init("value", value),
    ]
    if let component { members.append(.init("cid", .integer(component))) }
    return try await send("event", .object(members), to: view)
  }

  /// Sends a frame to a view and waits for the answer.
  ///
  /// - Parameters:
  ///   - event: the event of the frame, such as `event`.
  ///   - payload: the payload of the frame.
  /// - Returns: the response as JSON.
  @discardableResult
  public func send(_ event: String, _ payload: JSONValue, to view: String) async throws(ClientError) -> String {
    guard var session, !hasEnded else { throw .closed }
    let (token, actions) = try session.push(event, payload.text, toView: view)
    self.session = session
    perform(actions)
    return try await answer(to: token)
  }

  /// Shows another address of the same view, as a patch link does. If the main view is not joined,
  /// the page of the address is loaded instead.
  public func patch(to url: String) async throws(ClientError) {
    guard var session, !hasEnded else { throw .closed }
    if session.hasEnded { return load(PageRequest(session.expand(url), because: .program)) }
    let token = session.patch(to: url)
    let actions = session.finish()
    self.session = session
    perform(actions)
    _ = try await answer(to: token)
  }

  /// Shows another view, as a navigation link does. Without a main view or an open connection, the
  /// page of the address is loaded instead.
  public func navigate(to url: String) throws(ClientError) {
    try change(for: url) { $0.navigate(to: url) }
  }

  /// Loads a page in the place of this one.
  public func load(_ url: String) throws(ClientError) {
    try change(for: url) { $0.load(PageRequest($0.expand(url), because: .program)) }
  }

  /// Closes the connection and opens it again at once. All views are joined again, so the server
  /// sends their pages as a whole.
  public func reconnect() {
    connection?.close()
    connection = nil
    update { $0.socket.isOpen ? $0.didClose(.requested) : [] }
  }

  /// Leaves all views and ends the page.
  public func close() {
    guard !hasEnded else { return }
    if var session {
      let actions = session.close()
      self.session = session
      perform(actions)
    }
    end(nil)
  }

  private func answer(to token: Int) async throws(ClientError) -> String {
    let result: Result<JSONSlice, ClientError> =
      if let answer = early.removeValue(forKey: token) {
        answer
      } else {
        await withCheckedContinuation { waiting[token] = $0 }
      }
    return try result.get().text
  }

  private func change(for url: String, _ body: (inout PageSession) -> Void) throws(ClientError) {
    guard var session, !hasEnded else { throw .closed }
    // Another page is being loaded. The new request replaces that load.
    if session.hasEnded { return load(PageRequest(session.expand(url), because: .program)) }
    self.session = nil
    body(&session)
    let actions = session.finish()
    self.session = session
    perform(actions)
  }

  // MARK: - Page loads

  /// Starts a session for a page that was fetched. The session replaces that of the page before.
  func begin(_ page: FetchedPage) {
    guard !hasEnded else { return }
    generation += 1
    let allowed = hasJoined ? nil : Optional(loader.options.firstAttempts - 1 - failures)
    var session = PageSession(
      page, options: loader.options, failures: failures, attemptsLeft: allowed,
      navigations: self.session?.navigations ?? NavigationWindow())
    failures += 1
    output.yield(
      .loaded(
        PageLoadInfo(
          id: Self.newID(), url: session.location, title: page.title, views: page.roots.map(\.id))))
    let actions = session.start()
    self.session = session
    perform(actions)
  }

  /// A new id of a page load: the time, and a random number. The script that records a browser's
  /// frames makes such ids too.
  private static func newID() -> String {
    String(WallClock.system.now(), radix: 36) + String(UInt64.random(in: 78_364_164_096..<2_821_109_907_456), radix: 36)
  }

  private func load(_ request: PageRequest) {
    generation += 1
    let current = generation
    for timer in timers.values { timer.cancel() }
    timers = [:]
    if request.cause == .redirect, failures > PageLoader.maximumRedirects {
      return end(.tooManyRedirects(url: request.url))
    }
    let location = session?.location ?? request.url
    if request.cause == .redirect, WebAddress(request.url) == nil {
      return end(.unsupportedRedirect(url: location, to: request.url))
    }
    output.yield(
      .loading(
        url: request.url, reason: request.cause.description, after: request.delay,
        isRecovery: request.cause.isRecovery && request.delay > .zero))
    Task {
      if request.delay > .zero {
        try? await Task.sleep(for: request.delay)
        guard generation == current else { return }
      }
      // A page sets its cookies for its own host, also before a redirect to another host.
      if let cookie = request.cookie, let address = WebAddress(location) { loader.set(cookie, for: address) }
      for attempt in 0... {
        do throws(ClientError) {
          let page = try await loader.load(request.url)
          if generation == current { begin(page) }
          return
        } catch {
          guard generation == current else { return }
          guard error.mayPass, hasJoined || failures < loader.options.firstAttempts else { return end(error) }
          failures += 1
          let delay = Backoff.rejoin.delay(before: attempt, jitter: .random(in: 0...1))
          output.yield(.loading(url: request.url, reason: error.description, after: delay, isRecovery: true))
          try? await Task.sleep(for: delay)
        }
      }
    }
  }

  // MARK: - Actions

  private func perform(_ actions: [PageAction]) {
    for action in actions {
      switch action {
      case .connect: connect()
      case .disconnect:
        connection?.close()
        connection = nil
      case .send(let text): connection?.send(text)
      case .start(let timer, let delay): start(timer, after: delay)
      case .cancel(let timer): timers.removeValue(forKey: timer)?.cancel()
      case .load(let request): load(request)
      case .fail(let error): end(error)
      case .report(let event):
        if case .joined = event { (hasJoined, failures) = (true, 0) }
        output.yield(event)
      case .answer(let token, let result): deliver(result, to: token)
      }
    }
  }

  private func deliver(_ result: Result<JSONSlice, ClientError>, to token: Int) {
    if let continuation = waiting.removeValue(forKey: token) {
      continuation.resume(returning: result)
    } else {
      early[token] = result
    }
  }

  private func start(_ timer: PageTimer, after delay: Duration) {
    timers[timer]?.cancel()
    let current = generation
    timers[timer] = Task {
      try? await Task.sleep(for: delay)
      guard !Task.isCancelled, generation == current else { return }
      timers[timer] = nil
      update { $0.didFire(timer) }
    }
  }

  private func update(_ body: (inout PageSession) throws(ClientError) -> [PageAction]) {
    guard var session, !hasEnded else { return }
    // The session is moved out, so that its arrays are not copied.
    self.session = nil
    do throws(ClientError) {
      let actions = try body(&session)
      self.session = session
      perform(actions)
    } catch {
      self.session = session
      end(error)
    }
  }

  // MARK: - The socket

  private func connect() {
    guard let page = session?.page else { return }
    let current = generation
    Task {
      let address = loader.socketAddress(of: page)
      var headers = loader.headers(for: address)
      if !headers.contains(where: { $0.name.lowercased() == "origin" }) {
        headers.append(("Origin", page.address.origin))
      }
      do throws(ClientError) {
        let connection = try await WebSocketConnection.open(
          address, headers: headers, maximumMessage: loader.options.maximumMessage, by: loader.transport)
        guard generation == current, !hasEnded else { return connection.close() }
        self.connection = connection
        update { $0.didOpen() }
        await read(connection, in: current)
      } catch {
        guard generation == current, !endsFirstAttempts(error) else { return }
        update { $0.didClose(DisconnectReason(error)) }
      }
    }
  }

  /// Before the first join, counts a failed connection, and ends the page if the failure will not
  /// pass by itself or no attempt is left.
  ///
  /// - Returns: whether the page has ended.
  private func endsFirstAttempts(_ error: ClientError) -> Bool {
    if hasJoined { return false }
    failedConnections += 1
    if error.mayPass, failedConnections < loader.options.firstAttempts { return false }
    end(error)
    return true
  }

  private func read(_ connection: WebSocketConnection, in current: Int) async {
    for await event in connection.events {
      guard generation == current, self.connection === connection else { continue }
      switch event {
      case .message(let bytes):
        update { session throws(ClientError) in try session.receive(bytes) }
        connection.didProcess(bytes.count)
      case .closed(let reason):
        self.connection = nil
        if !reason.isFinal, endsFirstAttempts(.lostSocket(url: session?.location ?? "", reason)) { return }
        update { $0.didClose(reason) }
      }
    }
  }

  // MARK: - The end

  private func end(_ error: ClientError?) {
    guard !hasEnded else { return }
    hasEnded = true
    generation += 1
    for timer in timers.values { timer.cancel() }
    timers = [:]
    connection?.close()
    connection = nil
    for continuation in waiting.values { continuation.resume(returning: .failure(error ?? .closed)) }
    waiting = [:]
    output.yield(.ended(error))
    output.finish()
  }
}

extension ClientError {
  /// Whether the failure may be temporary, as when the server is restarting. Only then is the load
  /// or the connection tried again.
  fileprivate var mayPass: Bool {
    switch self {
    case .unreachable, .failedExchange, .lostSocket: true
    case .status(_, let status), .refusedSocket(_, let status): status >= 500
    default: false
    }
  }
}
