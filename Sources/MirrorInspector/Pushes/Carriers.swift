internal import LiveViewMirror
internal import MicroHTTP
internal import MirrorSupport

/// The carriers of pages, and the requests that wait for the answers to their events.
///
/// A carrier is a feed that can also send to the LiveViews of its page, such as the tap in a
/// browser. It reads `GET /pages/{page}/pushes`, sends each event through its own socket, and feeds
/// the client's frame and its answer back. The answer is the first update of the view whose cause
/// is the event.
///
/// ``PushRoutes`` uses it, and ``EventHub`` reports the updates. A sent push stays in memory until
/// ``outcome(of:)`` is called for it. Streams are written and requests are called without the lock.
final class Carriers: Sendable {
  /// How a push ended.
  enum Outcome: Sendable {
    case changed(ChangeRecord)
    /// The server has answered without a diff.
    case unchanged(UpdateCause)
    /// The carrier navigates to another LiveView. A navigation has no answer.
    case sent
    case noCarrier
    /// The LiveView has crashed before the answer.
    case crashed
    /// The carrier has disconnected before the answer.
    case disconnected
    /// There was no answer in time.
    case unanswered
    case stopping
  }

  private struct Carrier {
    let id: Int
    /// The time of day at which it connected, in milliseconds.
    let since: Int64
    let stream: HTTPStream
  }

  private struct Waiting {
    let push: Push
    /// `nil` for a carrier of another mirror.
    let carrier: Int?
    var outcome: Outcome?
  }

  private struct State {
    /// The carrier of each page.
    var carriers: [String: Carrier] = [:]
    /// The pushes whose outcome was not yet taken by ``Carriers/outcome(of:)``, by their numbers.
    var waiting: [Int: Waiting] = [:]
    /// The requests that wait for the outcomes of their pushes.
    var requests: [(pushes: [Int], body: @Sendable () -> Void)] = []
    /// The number of pushes that wait for a join.
    var joining = 0
    var lastNumber = 0
    var isClosed = false

    mutating func nextNumber() -> Int {
      lastNumber += 1
      return lastNumber
    }

    func isSettled(_ pushes: [Int]) -> Bool { isClosed || pushes.allSatisfy { waiting[$0]?.outcome != nil } }

    mutating func takeSettled() -> [@Sendable () -> Void] {
      if requests.isEmpty { return [] }
      let all = requests
      requests = all.filter { !isSettled($0.pushes) }
      return all.filter { isSettled($0.pushes) }.map(\.body)
    }

    /// The number of the oldest unanswered push to a view that an update with this cause answers.
    func number(answeredBy cause: UpdateCause, of view: String) -> Int? {
      waiting.filter { $0.value.outcome == nil && $0.value.push.view == view && $0.value.push.isAnswered(by: cause) }
        .keys.min()
    }
  }

  private let state = Guarded(State())
  private let elsewhere = Guarded<(@Sendable (Push, String) -> Bool)?>(nil)
  private let connected = Guarded<(@Sendable (String, Int64) -> Void)?>(nil)
  /// The maximum number of carriers.
  static let limit = 1_000

  /// The maximum number of pushes that wait for the joins of their views, with their bodies.
  static let mostWaiting = 64

  /// - Returns: whether another push may wait for the join of its view. Then ``endWaiting()`` must
  ///   follow.
  func beginWaiting() -> Bool {
    state.withLock { state in
      guard state.joining < Self.mostWaiting else { return false }
      state.joining += 1
      return true
    }
  }

  func endWaiting() { state.withLock { $0.joining -= 1 } }

  /// Whether a page has a carrier that is connected.
  func isConnected(_ page: String) -> Bool { state.withLock { $0.carriers[page] != nil } }

  /// Whether the mirror is stopping.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  // MARK: - Carriers

  /// The stream of the events that the carrier of a page is to send. The new carrier replaces an
  /// earlier one of the page, whose stream ends.
  ///
  /// - Returns: `nil` if there are too many carriers, or the mirror stops.
  func open(_ page: String, at time: Int64 = WallClock.system.now()) -> HTTPStream? {
    let id = state.withLock { $0.nextNumber() }
    let heartbeat = HTTPStream.Heartbeat(every: .seconds(15), bytes: Event.heartbeat)
    let stream = HTTPStream(heartbeat: heartbeat, onClose: { [weak self] _ in self?.remove(id, of: page) })
    let (isOpen, earlier) = state.withLock { state -> (Bool, Carrier?) in
      guard !state.isClosed, state.carriers.count < Self.limit || state.carriers[page] != nil else {
        return (false, nil)
      }
      let earlier = state.carriers.updateValue(Carrier(id: id, since: time, stream: stream), forKey: page)
      return (true, earlier)
    }
    guard isOpen else { return nil }
    earlier?.stream.end()
    connected.current?(page, time)
    // The response begins at once, so a carrier knows that it is connected.
    stream.write(Event.greeting(at: nil))
    return stream
  }

  private func remove(_ id: Int, of page: String) {
    let removed = settling { state -> Carrier? in
      for (number, push) in state.waiting where push.carrier == id && push.outcome == nil {
        state.waiting[number]?.outcome = .disconnected
      }
      return state.carriers[page]?.id == id ? state.carriers.removeValue(forKey: page) : nil
    }
    // The stream is released without the lock.
    withExtendedLifetime(removed) {}
  }

  /// Ends the stream of a page that has closed.
  func end(_ page: String) { state.withLock { $0.carriers[page] }?.stream.end() }

  /// Ends the stream of a page whose carrier has connected to another mirror. The message of the
  /// other mirror can arrive late, so a carrier that has connected since `time` stays.
  ///
  /// - Parameter time: the time when the carrier connected to the other mirror.
  func end(_ page: String, ifOpenedBefore time: Int64) {
    let carrier = state.withLock { $0.carriers[page] }
    if let carrier, carrier.since < time { carrier.stream.end() }
  }

  /// Ends all streams, and calls all waiting requests. The outcome of their pushes is then
  /// `stopping`.
  func close() {
    let carriers = settling { state in
      state.isClosed = true
      return state.carriers
    }
    for carrier in carriers.values { carrier.stream.end() }
  }

  // MARK: - Pushes

  /// The result of the attempt to send a push. ``outcome(of:)`` needs it.
  struct Sending: Sendable {
    /// `nil` if the push was not sent, or will have no answer: `outcome` says which.
    fileprivate let number: Int?
    fileprivate let outcome: Outcome

    fileprivate init(number: Int?, outcome: Outcome) { (self.number, self.outcome) = (number, outcome) }

    /// A push that was sent. A navigation has no answer.
    fileprivate init(_ push: Push, number: Int) {
      (self.number, outcome) = push.destination == nil ? (number, .unanswered) : (nil, .sent)
    }

    /// Whether the carrier was connected.
    var wasSent: Bool {
      if case .sent = outcome { return true }
      return number != nil
    }
  }

  /// Sends an event through the carrier of a page.
  func send(_ push: Push, to page: String) -> Sending {
    let (number, stream) = state.withLock { state -> (Int, HTTPStream?) in
      guard let carrier = state.carriers[page], !state.isClosed else { return (0, nil) }
      let number = state.nextNumber()
      if push.destination == nil { state.waiting[number] = Waiting(push: push.sent, carrier: carrier.id) }
      return (number, carrier.stream)
    }
    guard let stream else {
      if state.withLock({ $0.isClosed }) { return Sending(number: nil, outcome: .stopping) }
      return sendElsewhere(push, to: page)
    }
    // Written without the lock: a carrier that reads nothing is disconnected here, which calls
    // ``remove(_:of:)``.
    stream.write(Event.encoded("push", id: nil, data: push.json(id: number).bytes))
    return Sending(push, number: number)
  }

  /// Sends an event through a carrier that is connected to another mirror. The answer arrives from
  /// that mirror, through the journal, see ``SharedCarriers``.
  private func sendElsewhere(_ push: Push, to page: String) -> Sending {
    guard let elsewhere = elsewhere.current else { return Sending(number: nil, outcome: .noCarrier) }
    let number = state.withLock { state in
      let number = state.nextNumber()
      if push.destination == nil { state.waiting[number] = Waiting(push: push.sent, carrier: nil) }
      return number
    }
    guard elsewhere(push, page) else {
      state.withLock { _ = $0.waiting.removeValue(forKey: number) }
      return Sending(number: nil, outcome: .noCarrier)
    }
    return Sending(push, number: number)
  }

  /// Writes an event that another mirror sends to the carrier of a page.
  ///
  /// - Parameter event: makes the data of the event from its number.
  /// - Returns: whether the carrier is connected to this mirror.
  func forward(to page: String, _ event: (Int) -> JSON) -> Bool {
    let (number, stream) = state.withLock { state in (state.nextNumber(), state.carriers[page]?.stream) }
    guard let stream else { return false }
    stream.write(Event.encoded("push", id: nil, data: event(number).bytes))
    return true
  }

  /// - Parameter body: sends an event through another mirror. Returns whether one has the carrier
  ///   of the page.
  func whenElsewhere(_ body: @escaping @Sendable (Push, _ page: String) -> Bool) { elsewhere.withLock { $0 = body } }

  /// - Parameter body: called with the page of each carrier that has connected, and the time of day
  ///   in milliseconds.
  func whenConnected(_ body: @escaping @Sendable (_ page: String, _ time: Int64) -> Void) {
    connected.withLock { $0 = body }
  }

  /// Changes outcomes, and then calls each waiting request whose pushes all have an outcome.
  private func settling<Result>(_ change: (inout State) -> Result) -> Result {
    let (result, settled) = state.withLock { state in (change(&state), state.takeSettled()) }
    for body in settled { body() }
    return result
  }

  /// Calls `body` once, when all of these pushes have an outcome, or the mirror stops. The call is
  /// made now, or later on the thread that settles the last push.
  func whenSettled(_ sendings: [Sending], _ body: @escaping @Sendable () -> Void) {
    let pushes = sendings.compactMap(\.number)
    let isSettled = state.withLock { state in
      if state.isSettled(pushes) { return true }
      state.requests.append((pushes, body))
      return false
    }
    if isSettled { body() }
  }

  /// The outcome of a push. The push is removed, so a later answer is not awaited.
  func outcome(of sending: Sending) -> Outcome {
    guard let number = sending.number else { return sending.outcome }
    return state.withLock { state in
      state.requests.removeAll { $0.pushes.contains(number) }
      let outcome = state.waiting.removeValue(forKey: number)?.outcome
      return outcome ?? (state.isClosed ? .stopping : .unanswered)
    }
  }

  func didApply(_ record: ChangeRecord) {
    guard let cause = record.cause else { return }
    finish(cause, of: record.view, .changed(record))
  }

  func didAnswer(_ cause: UpdateCause, of view: String) { finish(cause, of: view, .unchanged(cause)) }

  /// Gives all pushes that wait for an answer of a view the outcome `crashed`, because its process
  /// can no longer answer.
  func didCrash(_ view: String) {
    if state.withLock({ $0.waiting.isEmpty }) { return }
    settling { state in
      for (number, waiting) in state.waiting where waiting.push.view == view && waiting.outcome == nil {
        state.waiting[number]?.outcome = .crashed
      }
    }
  }

  private func finish(_ cause: UpdateCause, of view: String, _ outcome: Outcome) {
    if state.withLock({ $0.waiting.isEmpty }) { return }
    settling { state in
      if let number = state.number(answeredBy: cause, of: view) { state.waiting[number]?.outcome = outcome }
    }
  }
}
