/// A socket with its channels, as a state machine that behaves as `Socket`, `Channel` and `Push` of
/// phoenix.js 1.8.
///
/// The socket has no network and no clock. Its owner, a ``PageSession``, reports connections,
/// messages and timers, takes the ``effects``, and carries them out in their order. Refs are
/// numbered as phoenix.js numbers them, so the frames of this client can be compared with those of
/// a browser.
struct ChannelSocket: Sendable {
  static let heartbeatInterval = Duration.seconds(30)
  static let joinTimeout = Duration.seconds(10)

  private let numbering: Numbering
  private let jitter: @Sendable () -> Double
  private var lastNumber = 0
  private var lastChannel = 0
  private(set) var isOpen = false
  private(set) var channels: [PhoenixChannel] = []
  private var pendingHeartbeat: String?
  private var failedConnects = 0
  private var hasJoined = false
  private var isClosing = false
  private(set) var effects: [Effect] = []

  /// - Parameter jitter: a random number from 0 to 1, for ``Backoff``.
  init(numbering: Numbering, jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }) {
    self.numbering = numbering
    self.jitter = jitter
    skipNumbers(1)
  }

  /// Returns the effects since the last call, and empties ``effects``.
  mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  private mutating func skipNumbers(_ count: Int) { if numbering == .browser { lastNumber += count } }

  private mutating func nextRef() -> String {
    lastNumber += 1
    return String(lastNumber)
  }

  // MARK: - The connection

  /// Connects for the first time.
  mutating func connect() {
    skipNumbers(3)
    effects.append(.connect)
  }

  /// Closes the connection for good.
  mutating func disconnect() {
    isClosing = true
    isOpen = false
    clearHeartbeats()
    effects += [.cancel(.reconnect), .disconnect]
  }

  mutating func didOpen() {
    isOpen = true
    clearHeartbeats()
    effects.append(.start(.heartbeat, Self.heartbeatInterval))
    for channel in channels {
      resetRejoin(channel.id)
      if channel.state == .errored { rejoin(channel.id) }
    }
  }

  mutating func didClose(_ reason: DisconnectReason) {
    isOpen = false
    clearHeartbeats()
    failChannels()
    var retry: Duration?
    if !isClosing, !reason.isFinal {
      // The delays of phoenix.js begin with 10 ms, because a server that restarts is soon reachable
      // again. If no join has succeeded yet, the cause may not be a restart, so the delays begin
      // with 1 s. After a lasting reason the longest delay is used at once.
      let backoff = hasJoined ? Backoff.reconnect : .rejoin
      let delay = backoff.delay(before: reason.isLasting ? .max : failedConnects, jitter: jitter())
      effects.append(.start(.reconnect, delay))
      retry = delay
    }
    effects.append(.notice(.disconnected(reason, retry: retry)))
  }

  private mutating func failChannels() {
    for channel in channels where [.joined, .joining].contains(channel.state) { fail(channel.id) }
  }

  mutating func didFire(_ timer: Timer) {
    switch timer {
    case .heartbeat: sendHeartbeat()
    case .heartbeatTimeout:
      guard pendingHeartbeat != nil else { return }
      pendingHeartbeat = nil
      effects.append(.disconnect)
      didClose(.noHeartbeat)
    case .reconnect:
      failedConnects += 1
      effects.append(.connect)
    case .rejoin(let id):
      self[id]?.failedJoins += 1
      if isOpen { rejoin(id) }
    case .reply(let id, let ref): timeOut(ref, of: id)
    }
  }

  // MARK: - Heartbeats

  private mutating func sendHeartbeat() {
    guard isOpen else { return }
    let ref = nextRef()
    pendingHeartbeat = ref
    effects += [
      .send(ChannelMessage.text(joinRef: nil, ref: ref, topic: "phoenix", event: "heartbeat", payload: "{}")),
      .start(.heartbeatTimeout, Self.heartbeatInterval),
    ]
  }

  private mutating func clearHeartbeats() {
    pendingHeartbeat = nil
    effects += [.cancel(.heartbeat), .cancel(.heartbeatTimeout)]
  }

  // MARK: - Channels

  subscript(id: Int) -> PhoenixChannel? {
    get { channels.first { $0.id == id } }
    set {
      guard let index = channels.firstIndex(where: { $0.id == id }), let newValue else { return }
      channels[index] = newValue
    }
  }

  /// Whether a push of a channel is sent at once. Otherwise it waits for the channel's join.
  func canPush(_ id: Int) -> Bool { isOpen && self[id]?.state == .joined }

  /// Adds a channel that is not joined, and returns its id.
  mutating func add(topic: String) -> Int {
    lastChannel += 1
    channels.append(PhoenixChannel(id: lastChannel, topic: topic))
    skipNumbers(2)
    return lastChannel
  }

  mutating func join(_ id: Int) { rejoin(id) }

  private mutating func rejoin(_ id: Int) {
    guard let channel = self[id], channel.state != .leaving else { return }
    if let other = channels.first(where: { $0.topic == channel.topic && [.joined, .joining].contains($0.state) }) {
      leave(other.id)
    }
    forgetJoin(id)
    let ref = nextRef()
    self[id]?.state = .joining
    self[id]?.joinRef = ref
    self[id]?.awaited[ref] = .join
    effects += [.start(.reply(channel: id, ref: ref), Self.joinTimeout), .sendJoin(channel: id, ref: ref)]
  }

  /// Ends the wait for the answer to an earlier join.
  private mutating func forgetJoin(_ id: Int) {
    guard let ref = self[id]?.joinRef else { return }
    self[id]?.joinRef = nil
    if self[id]?.awaited.removeValue(forKey: ref) != nil { effects.append(.cancel(.reply(channel: id, ref: ref))) }
  }

  mutating func push(_ push: PhoenixChannel.Push, to id: Int) {
    guard let channel = self[id] else { return }
    guard canPush(id) else {
      self[id]?.buffered.append(push)
      return
    }
    let ref = nextRef()
    self[id]?.awaited[ref] = .push(token: push.token)
    effects += [
      .start(.reply(channel: id, ref: ref), push.timeout),
      .send(
        ChannelMessage.text(
          joinRef: channel.joinRef, ref: ref, topic: channel.topic, event: push.event, payload: push.payload)),
    ]
  }

  mutating func leave(_ id: Int) {
    guard let channel = self[id] else { return }
    let isJoined = canPush(id)
    resetRejoin(id)
    self[id]?.state = .leaving
    let ref = nextRef()
    effects.append(
      .send(
        ChannelMessage.text(
          joinRef: channel.joinRef, ref: ref, topic: channel.topic, event: "phx_leave", payload: "{}")))
    guard isJoined else { return close(id, isLeft: true) }
    self[id]?.awaited[ref] = .leave
    effects.append(.start(.reply(channel: id, ref: ref), Self.joinTimeout))
  }

  private mutating func close(_ id: Int, isLeft: Bool) {
    guard let channel = self[id] else { return }
    resetRejoin(id)
    abandonReplies(id)
    channels.removeAll { $0.id == channel.id }
    effects.append(.notice(.closed(channel: id, isLeft: isLeft)))
  }

  /// Sets a channel up to join again, because its process has crashed or the connection was lost.
  private mutating func fail(_ id: Int) {
    abandonReplies(id)
    if self[id]?.state == .joining { self[id]?.joinRef = nil }
    self[id]?.state = .errored
    scheduleRejoin(id)
    effects.append(.notice(.errored(channel: id)))
  }

  private mutating func scheduleRejoin(_ id: Int) {
    guard isOpen, let channel = self[id] else { return }
    effects.append(
      .start(.rejoin(channel: id), Backoff.rejoin.delay(before: channel.failedJoins, jitter: jitter())))
  }

  private mutating func resetRejoin(_ id: Int) {
    self[id]?.failedJoins = 0
    effects.append(.cancel(.rejoin(channel: id)))
  }

  /// Ends the wait for all replies and drops the buffered pushes. A notice reports each push.
  private mutating func abandonReplies(_ id: Int) {
    guard let channel = self[id] else { return }
    self[id]?.awaited = [:]
    let buffered = channel.buffered
    self[id]?.buffered = []
    for push in buffered { effects.append(.notice(.abandoned(channel: id, token: push.token))) }
    for (ref, awaited) in channel.awaited.sorted(by: { (Int($0.key) ?? 0) < (Int($1.key) ?? 0) }) {
      effects.append(.cancel(.reply(channel: id, ref: ref)))
      if case .push(let token) = awaited { effects.append(.notice(.abandoned(channel: id, token: token))) }
    }
  }

  private mutating func timeOut(_ ref: String, of id: Int) {
    switch self[id]?.awaited.removeValue(forKey: ref) {
    case .join:
      if let channel = self[id] {
        effects.append(
          .send(
            ChannelMessage.text(
              joinRef: channel.joinRef, ref: nextRef(), topic: channel.topic, event: "phx_leave", payload: "{}")))
      }
      self[id]?.state = .errored
      self[id]?.joinRef = nil
      scheduleRejoin(id)
      effects.append(.notice(.joinTimedOut(channel: id)))
    case .leave: close(id, isLeft: true)
    case .push(let token): effects.append(.notice(.timedOut(channel: id, token: token)))
    case nil: break
    }
  }

  // MARK: - Messages

  mutating func receive(_ message: ChannelMessage) {
    if let ref = message.ref, ref == pendingHeartbeat {
      clearHeartbeats()
      effects.append(.start(.heartbeat, Self.heartbeatInterval))
    }
    for channel in channels where channel.accepts(message) {
      switch message.event {
      case "phx_reply": receive(reply: message, in: channel.id)
      case "phx_error": fail(channel.id)
      case "phx_close": close(channel.id, isLeft: channel.state == .leaving)
      default: effects.append(.notice(.message(channel: channel.id, message)))
      }
    }
  }

  private mutating func receive(reply message: ChannelMessage, in id: Int) {
    guard let ref = message.ref, let awaited = self[id]?.awaited.removeValue(forKey: ref) else { return }
    effects.append(.cancel(.reply(channel: id, ref: ref)))
    let status = message.payload["status"]?.string ?? ""
    let response = message.payload["response"] ?? JSONSlice(Array("{}".utf8))
    switch awaited {
    case .join where status == "ok":
      // phoenix.js resets the delays when a connection opens. A server that accepts connections and
      // drops them would then get new ones without a pause, so here only a successful join resets
      // the delays.
      (failedConnects, hasJoined) = (0, true)
      self[id]?.state = .joined
      resetRejoin(id)
      let buffered = self[id]?.buffered ?? []
      self[id]?.buffered = []
      for push in buffered { self.push(push, to: id) }
      effects.append(.notice(.joined(channel: id, response: response)))
    case .join:
      self[id]?.state = .errored
      scheduleRejoin(id)
      effects.append(.notice(.refused(channel: id, response: response)))
    case .leave: if status == "ok" { close(id, isLeft: true) }
    case .push(let token):
      effects.append(.notice(.replied(channel: id, token: token, status: status, response: response)))
    }
  }
}
