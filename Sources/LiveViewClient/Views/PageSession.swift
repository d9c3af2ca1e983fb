internal import LiveViewMirror
internal import MirrorSupport
internal import RenderedTree

/// **Start here**: one load of a page, as a state machine that behaves as LiveView's client (1.0 to
/// 1.2).
///
///     fetched page ──▶ roots ──▶ join ──▶ document ──▶ nested views, components ──▶ join, leave, cids_destroyed
///     frame ──▶ ChannelSocket ──▶ notice ──▶ view ──▶ actions
///
/// The session has no network and no clock. Its owner, a ``LivePage``, reports connections,
/// messages and timers, and carries out the ``PageAction``s in their order. A `LiveViewCoordinator`
/// keeps the document of each view, as a browser would show it. The session finds nested LiveViews
/// and removed components in that document.
struct PageSession {
  let page: FetchedPage
  let options: ClientOptions
  let clock: WallClock
  var socket: ChannelSocket
  private(set) var views: [MountedView] = []
  private var lastKey = 0
  /// The address of the page.
  var location: String
  /// The address of a navigation that has begun; `nil` without one.
  var pendingLink: String?
  /// The static tokens of the fetched page's elements, until the elements are removed.
  var statics: [String: String]
  /// The views that contain the elements of sticky views. The dictionary's keys are the keys of the
  /// sticky views, and its values the keys of the views whose documents contain their elements.
  var containers: [Int: Int] = [:]
  /// The version of LiveView on the server; `nil` before the first join.
  var serverVersion: String?
  var title: String?
  /// The pushes of the program and of the session that are not answered.
  var pushes: [Int: SessionPush] = [:]
  private var lastToken = 0
  /// Whether the session has ended, because another page is loaded, the program has closed the
  /// page, or a failure cannot be recovered from.
  var hasEnded = false
  /// The page that is loaded when the timer ``PageTimer/reload`` fires.
  var reload: PageRequest?
  /// The navigation that the server has requested and that is carried out when the timer
  /// ``PageTimer/navigation`` fires.
  var delayedNavigation: (to: String, flash: MountedView.Flash)?
  /// The page loads and navigations that the server has caused, including those before this page
  /// load.
  var navigations: NavigationWindow
  /// The number of page loads in a row that have failed.
  let failures: Int
  /// The number of page loads that may still fail; `nil` for any number.
  let attemptsLeft: Int?
  /// Whether any view was joined.
  var hasJoined = false
  /// The frames that wait for the socket to open.
  private var unsent: [String] = []
  /// Counts navigations, so that the answer to an earlier one does not change the address.
  var link = 0
  let decoder = WireDecoder()
  let jitter: @Sendable () -> Double
  let time: @Sendable () -> MonotonicTime
  private var actions: [PageAction] = []

  /// - Parameters:
  ///   - failures: the number of page loads before this one that have failed.
  ///   - attemptsLeft: the number of page loads that may still fail; `nil` for any number.
  ///   - navigations: the page loads and navigations that the server has caused before.
  init(
    _ page: FetchedPage, options: ClientOptions, failures: Int = 0, attemptsLeft: Int? = nil,
    navigations: NavigationWindow = NavigationWindow(), clock: WallClock = .system,
    jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) },
    time: @escaping @Sendable () -> MonotonicTime = { .now }
  ) {
    (self.page, self.options, self.clock, self.time, self.navigations) = (page, options, clock, time, navigations)
    (self.failures, self.attemptsLeft, self.jitter) = (failures, attemptsLeft, jitter)
    location = page.address.withoutFragment.description
    statics = page.statics
    title = page.title
    socket = ChannelSocket(numbering: options.isNative ? .plain : .browser, jitter: jitter)
  }

  // MARK: - Inputs

  /// Joins the views of the page, and connects.
  mutating func start() -> [PageAction] {
    for root in page.roots { joinRoot(root) }
    socket.connect()
    return finish()
  }

  mutating func didOpen() -> [PageAction] {
    report(.connected)
    // `unsent` has the frames from before the first connection.
    socket.didOpen()
    for text in unsent { transmit(text) }
    unsent = []
    return finish()
  }

  mutating func didClose(_ reason: DisconnectReason) -> [PageAction] {
    socket.didClose(reason)
    let actions = finish()
    // The unsent frames are joins and leaves of channels that end with the connection. The next
    // connection begins with new joins.
    unsent = []
    return actions
  }

  mutating func didFire(_ timer: PageTimer) -> [PageAction] {
    switch timer {
    case .socket(let timer): socket.didFire(timer)
    case .reload: if let reload { load(reload) }
    case .navigation:
      if let (to, flash) = delayedNavigation { navigate(to: to, flash: flash, because: .redirect) }
    }
    return finish()
  }

  /// - Throws: ``ClientError/unknownProtocol(url:excerpt:)`` if the message is not a frame.
  mutating func receive(_ bytes: [UInt8]) throws(ClientError) -> [PageAction] {
    guard let message = ChannelMessage(bytes) else {
      throw .unknownProtocol(url: location, excerpt: String(decoding: bytes.prefix(120), as: UTF8.self))
    }
    if message.topic.hasPrefix("lv:") { report(.frame(TrafficFrame(at: clock.now(), isSent: false, bytes: bytes))) }
    received = bytes
    socket.receive(message)
    defer { received = [] }
    return finish()
  }

  /// The frame that is being processed. Empty outside of ``receive(_:)``.
  private(set) var received: [UInt8] = []

  /// Leaves all views and closes the connection.
  mutating func close() -> [PageAction] {
    unload()
    return finish()
  }

  // MARK: - Outputs

  mutating func act(_ action: PageAction) { actions.append(action) }

  mutating func report(_ event: PageEvent) { actions.append(.report(event)) }

  /// Carries out the effects of the socket until there are no more.
  ///
  /// - Returns: the actions of the session since the last call.
  mutating func finish() -> [PageAction] {
    while case let effects = socket.takeEffects(), !effects.isEmpty {
      for effect in effects { carryOut(effect) }
    }
    defer { actions = [] }
    return actions
  }

  mutating func carryOut(_ effect: ChannelSocket.Effect) {
    switch effect {
    case .connect: if !hasEnded { act(.connect) }
    case .disconnect: act(.disconnect)
    case .sendJoin(let channel, let ref): sendJoin(of: channel, ref: ref)
    case .send(let text): send(text)
    case .start(let timer, let delay): if !hasEnded { act(.start(.socket(timer), delay)) }
    case .cancel(let timer): act(.cancel(.socket(timer)))
    case .notice(let notice): note(notice)
    }
  }

  /// Sends a frame, or keeps it until the socket is open.
  mutating func send(_ text: String) { if socket.isOpen { transmit(text) } else { unsent.append(text) } }

  private mutating func transmit(_ text: String) {
    act(.send(text))
    if !text.isHeartbeat { report(.frame(TrafficFrame(at: clock.now(), isSent: true, bytes: Array(text.utf8)))) }
  }

  private mutating func note(_ notice: ChannelSocket.Notice) {
    switch notice {
    case .joined(let channel, let response): if let view = view(ofChannel: channel) { didJoin(view, response) }
    case .refused(let channel, let response): if let view = view(ofChannel: channel) { wasRefused(view, response) }
    case .joinTimedOut(let channel): if let view = view(ofChannel: channel) { didTimeOut(view) }
    case .errored(let channel): if let view = view(ofChannel: channel) { didFail(view) }
    case .closed(let channel, let isLeft): if let view = view(ofChannel: channel) { wasClosed(view, isLeft: isLeft) }
    case .message(let channel, let message): if let view = view(ofChannel: channel) { didReceive(message, view) }
    case .replied(let channel, let token, let status, let response):
      didReply(view(ofChannel: channel), token, status, response)
    case .timedOut(let channel, let token): pushTimedOut(view(ofChannel: channel), token)
    case .abandoned(_, let token): abandon(token)
    case .disconnected(let reason, let retry): didDisconnect(reason, retry: retry)
    }
  }

  // MARK: - Views

  subscript(key: Int) -> MountedView? {
    get { views.first { $0.key == key } }
    set {
      guard let index = views.firstIndex(where: { $0.key == key }), let newValue else { return }
      views[index] = newValue
    }
  }

  private func view(ofChannel channel: Int) -> Int? { views.first { $0.channel == channel }?.key }

  /// The page's main view, whose element has `data-phx-main`. Its address is that of the page.
  var main: MountedView? { views.first { $0.element.isMain } }

  /// The view of a topic or of an element's id.
  func view(named name: String) -> MountedView? { views.last { $0.topic == name || $0.id == name } }

  func children(of key: Int) -> [MountedView] { views.filter { $0.parent == key } }

  /// Adds a view with its channel.
  ///
  /// - Parameter index: the index of the new view among the views; `nil` for the end.
  mutating func add(
    _ element: ViewElement, parent: Int? = nil, joins: Int = 0, staticToken: String?, at index: Int? = nil
  ) -> Int {
    lastKey += 1
    let channel = socket.add(topic: "lv:\(element.id)")
    let view = MountedView(
      key: lastKey, element: element, parent: parent, channel: channel, joins: joins, staticToken: staticToken)
    views.insert(view, at: min(index ?? views.count, views.count))
    return lastKey
  }

  mutating func remove(_ key: Int) { views.removeAll { $0.key == key } }

  mutating func nextToken() -> Int {
    lastToken += 1
    return lastToken
  }
}

extension String {
  /// Whether the frame is a heartbeat. Its `join_ref` is `null`, as in a frame of a channel that
  /// was never joined, so the topic and the event are checked as well.
  fileprivate var isHeartbeat: Bool { hasPrefix("[null,") && contains(",\"phoenix\",\"heartbeat\",") }
}
