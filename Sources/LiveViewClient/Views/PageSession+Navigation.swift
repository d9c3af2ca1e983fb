internal import LiveViewMirror

/// The address of the page: patches, live navigation, full loads, and loads after a failure.
/// Messages of the server and calls of ``LivePage`` lead here. Only ``load(_:)`` requests a full
/// load, and it ends the session first, so a session requests at most one.
extension PageSession {
  /// From this number of failed page loads in a row on, the next load waits for
  /// ``ClientOptions/longReloadDelay``.
  static let failuresBeforeLongDelay = 10

  /// The complete URL for a reference such as `/cart`, relative to the page's address.
  func expand(_ reference: String) -> String {
    (WebAddress(location)?.resolving(reference)).map(\.description) ?? reference
  }

  // MARK: - Patches

  /// The server's `live_patch {"to", "kind"}`: the same view shows another address.
  mutating func patch(_ payload: JSONSlice, of key: Int) {
    guard let to = payload["to"]?.string else { return }
    let address = expand(to)
    self[key]?.address = address
    move(to: to)
  }

  mutating func move(to reference: String) {
    link += 1
    pendingLink = nil
    location = expand(reference)
    report(.moved(url: location))
  }

  /// Asks the main view to show another address, as a patch link does.
  ///
  /// - Returns: the token of the push.
  mutating func patch(to reference: String) -> Int {
    let url = expand(reference)
    link += 1
    guard let main, socket.canPush(main.channel) else {
      let token = nextToken()
      load(PageRequest(url, because: .program))
      act(.answer(token: token, .success(JSONSlice(Array("{}".utf8)))))
      return token
    }
    pendingLink = url
    return push(
      "live_patch", JSONValue.object([.init("url", .string(url))]).text, to: main, for: .patch(url: url, link: link))
  }

  mutating func didPatch(to url: String, _ link: Int, _ response: JSONSlice) {
    if response["link_redirect"] != nil { return replaceMain(url, flash: .none) }
    guard response["redirect"] == nil, link == self.link else { return }
    if let key = main?.key { self[key]?.address = url }
    commitLink(url)
  }

  mutating func commitLink(_ url: String) {
    pendingLink = nil
    location = url
    report(.moved(url: url))
  }

  // MARK: - Live navigation

  /// The server's `live_redirect {"to", "kind", "flash"}`.
  ///
  /// - Parameter isAnswer: whether it answers a push of the program.
  mutating func navigate(_ payload: JSONSlice, isAnswer: Bool = false) {
    guard let to = payload["to"]?.string, !hasEnded else { return }
    let flash = payload["flash"].map { $0.string.map(MountedView.Flash.token) ?? .none } ?? .absent
    // While a navigation is delayed, a later one replaces it, so together they count as one.
    if !isAnswer, delayedNavigation != nil { return delayedNavigation = (to, flash) }
    guard !isAnswer, let pause = pauseOfLoop() else { return navigate(to: to, flash: flash, because: .redirect) }
    if endsLoop(at: expand(to)) { return }
    if pause.isFirst {
      report(
        .loading(url: expand(to), reason: PageRequest.Cause.loop.description, after: pause.delay, isRecovery: false))
    }
    delayedNavigation = (to, flash)
    act(.start(.navigation, pause.delay))
  }

  /// Joins another view in the page, as a navigation link does.
  mutating func navigate(
    to reference: String, flash: MountedView.Flash = .none, because cause: PageRequest.Cause = .program
  ) {
    let url = expand(reference)
    guard socket.isOpen, main != nil else {
      let token: String? = if case .token(let token) = flash { token } else { nil }
      return load(PageRequest(url, because: cause, flash: token))
    }
    replaceMain(url, flash: flash)
  }

  /// Leaves the main view and joins its topic again, with the session and the static token of its
  /// element. Sticky views stay.
  private mutating func replaceMain(_ url: String, flash: MountedView.Flash) {
    guard let old = main else { return }
    cancelDelayedNavigation()
    link += 1
    pendingLink = url
    let stickies = views.filter { containers[$0.key] == old.key }.map(\.key)
    let index = views.firstIndex { $0.key == old.key }
    destroy(old.key)
    let (key, referer) = (add(old.element, staticToken: old.staticToken, at: index), location)
    self[key]?.address = url
    self[key]?.isNavigation = true
    self[key]?.referer = referer
    self[key]?.flash = flash
    for sticky in stickies { containers[sticky] = key }
    if let channel = self[key]?.channel { socket.join(channel) }
  }

  // MARK: - Full loads

  /// The server's `redirect {"to", "flash"}`.
  ///
  /// - Parameter isAnswer: whether it answers a push of the program.
  mutating func redirect(_ payload: JSONSlice, isAnswer: Bool = false) {
    guard let to = payload["to"]?.string else { return }
    let request = PageRequest(expand(to), because: .redirect, flash: payload["flash"]?.string)
    if isAnswer { load(request) } else { follow(request) }
  }

  /// Loads a page because of a message of the server: at once, or after a delay if the server
  /// redirects in a loop.
  private mutating func follow(_ request: PageRequest) {
    guard !hasEnded else { return }
    guard let pause = pauseOfLoop() else { return load(request) }
    if endsLoop(at: request.url) { return }
    var request = request
    request.delay = pause.delay
    if pause.isFirst { request.cause = .loop }
    load(request)
  }

  private mutating func pauseOfLoop() -> NavigationWindow.Pause? { navigations.note(at: time(), jitter: jitter()) }

  /// Ends the page if the server redirects in a loop and no view was ever joined, not even in an
  /// earlier page load.
  ///
  /// - Returns: whether the page has ended.
  private mutating func endsLoop(at url: String) -> Bool {
    guard !hasJoined, attemptsLeft != nil else { return false }
    unload()
    act(.fail(.tooManyRedirects(url: url)))
    return true
  }

  private mutating func cancelDelayedNavigation() {
    guard delayedNavigation != nil else { return }
    delayedNavigation = nil
    act(.cancel(.navigation))
  }

  /// Leaves all views, and loads a page.
  mutating func load(_ request: PageRequest) {
    guard !hasEnded else { return }
    unload()
    act(.load(request))
  }

  /// Leaves all views, fails the pushes without an answer, and ends the session.
  mutating func unload() {
    guard !hasEnded else { return }
    cancelDelayedNavigation()
    for root in views where root.parent == nil { destroy(root.key) }
    // The last frames are sent before the connection is closed.
    for effect in socket.takeEffects() { carryOut(effect) }
    for token in pushes.keys.sorted() { abandon(token) }
    hasEnded = true
    socket.disconnect()
  }

  /// Loads the page again after a failure, as LiveView's client does: at once with `isImmediate`,
  /// such as for a stale session, otherwise after a delay.
  mutating func recover(from request: PageRequest, isImmediate: Bool = false) {
    guard !hasEnded else { return }
    if !hasJoined, let attemptsLeft, attemptsLeft <= 0 {
      unload()
      return act(.fail(error(of: request)))
    }
    if isImmediate { return follow(request) }
    let range = options.reloadDelay
    let delay =
      failures + 1 >= Self.failuresBeforeLongDelay
      ? options.longReloadDelay : range.lowerBound + (range.upperBound - range.lowerBound) * jitter()
    report(.loading(url: request.url, reason: request.cause.description, after: delay, isRecovery: true))
    reload = request
    socket.disconnect()
    act(.start(.reload, delay))
  }

  private func error(of request: PageRequest) -> ClientError {
    switch request.cause {
    case .staleSession: .staleSession(url: request.url)
    case .refusedJoin(let reason):
      .refusedJoin(view: main?.topic ?? "lv:\(page.roots.first?.id ?? "")", url: request.url, reason: reason)
    case .program, .redirect, .loop, .failure: .failedExchange(url: request.url, reason: "the server does not answer")
    }
  }

  // MARK: - The end of views

  /// Leaves a view, after the views inside of it.
  mutating func destroy(_ key: Int) {
    for child in children(of: key) { destroy(child.key) }
    guard let view = self[key] else { return }
    remove(key)
    containers[key] = nil
    // If a nested view returns, its element is a new one with its own static token or none.
    if view.parent != nil { statics[view.id] = nil }
    report(.left(view: view.topic))
    socket.leave(view.channel)
  }

  /// The view's process has crashed, or the connection was lost. The channel joins again by itself.
  mutating func didFail(_ key: Int) {
    guard let view = self[key] else { return }
    self[key]?.isJoinPending = true
    if socket.isOpen { report(.failed(view: view.topic, reason: "the view has crashed", isFinal: false)) }
    if view.element.isMain, pendingLink != nil {
      return recover(from: PageRequest(pendingLink ?? location, because: .failure))
    }
    for child in children(of: key) { destroy(child.key) }
  }

  /// The server has closed the view's channel.
  mutating func wasClosed(_ key: Int, isLeft: Bool) {
    guard let view = self[key], !isLeft else { return }
    report(.left(view: view.topic))
    if view.element.isMain, pendingLink != nil {
      return recover(from: PageRequest(pendingLink ?? location, because: .failure))
    }
    for child in children(of: key) { destroy(child.key) }
  }

  mutating func didDisconnect(_ reason: DisconnectReason, retry: Duration?) {
    guard !hasEnded else { return }
    report(.disconnected(reason: reason, retry: retry))
    // The server has closed the socket on purpose, for example by a "disconnect" broadcast after a
    // logout.
    if reason.isFinal, reload == nil {
      recover(from: PageRequest(pendingLink ?? location, because: .failure))
    }
  }
}

extension PageRequest.Cause: CustomStringConvertible {
  /// Whether the load recovers from a failure.
  var isRecovery: Bool {
    switch self {
    case .program, .redirect, .loop: false
    case .staleSession, .refusedJoin, .failure: true
    }
  }

  var description: String {
    switch self {
    case .program: "the program has requested it"
    case .redirect: "the server redirects to it"
    case .loop:
      "the page redirects in a loop: more than \(NavigationWindow.maximum) page loads and navigations within 10 s"
    case .staleSession: "the session is stale"
    case .refusedJoin(let reason): "the join was refused: \(reason)"
    case .failure: "the server has closed the socket, or does not answer"
    }
  }
}
