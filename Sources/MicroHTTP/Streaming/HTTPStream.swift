internal import MirrorSupport

/// The body of a response that is written piece by piece while the client is connected: an event
/// stream.
///
///     let stream = HTTPStream(heartbeat: .init(every: .seconds(15), bytes: Array(": \n\n".utf8)), onClose: { why in … })
///     stream.write(Array("data: 1\n\n".utf8))   // from any thread
///     stream.end()
///     return HTTPResponse(headers: ["Content-Type": "text/event-stream"], body: .stream(stream))
///
/// Written bytes wait in a bounded queue. A client that does not read is disconnected; a writer
/// never blocks. The `EventHub` and the `Carriers` of `MirrorInspector` make streams.
///
/// A stream is the body of one response. It is closed once: when everything was sent, when the
/// client has disconnected (which is detected at once), when the client reads nothing, or when the
/// response is never sent.
public final class HTTPStream: Sendable {
  /// The reason why a stream was closed.
  public enum Closure: Sendable, Hashable {
    /// ``end()`` was called, and everything has been sent. The client may have disconnected since.
    case ended
    /// The client has disconnected before the end.
    case disconnected
    /// The client read nothing for too long, or the queue exceeded its capacity.
    case stalled
  }

  /// Bytes that are sent while the stream has nothing else to send, so that both sides detect a
  /// broken connection.
  public struct Heartbeat: Sendable, Hashable {
    /// The time without other bytes after which the heartbeat is sent.
    public var interval: Duration
    /// The bytes to send.
    public var bytes: [UInt8]

    /// A heartbeat with the given interval and bytes.
    public init(every interval: Duration, bytes: [UInt8]) {
      self.interval = interval
      self.bytes = bytes
    }
  }

  /// The result of ``take()``.
  package enum Piece: Sendable, Hashable {
    case bytes([UInt8])
    /// The queue is empty.
    case wait
    /// The stream has ended.
    case end
  }

  struct State {
    var queue = ByteQueue()
    /// The rest of a piece of the prelude, sent before the queue.
    var carry = ByteQueue()
    var hasPrelude: Bool
    /// Whether ``HTTPStream/end()`` was called.
    var isEnded = false
    /// Whether the reader got all bytes and the end of the stream.
    var isReadToEnd = false
    var closure: Closure?
    var line: StreamLine?
  }

  /// The heartbeat; `nil` if the stream has none.
  public let heartbeat: Heartbeat?
  /// The capacity of the queue, in bytes.
  public let capacity: Int
  /// The time between a piece and the next one. What is written meanwhile is sent together.
  public let pace: Duration
  private let budget: StreamBudget?
  let prelude: (@Sendable () -> [UInt8]?)?
  let onClose: @Sendable (Closure) -> Void
  let state: Guarded<State>

  /// - Parameters:
  ///   - capacity: how many bytes may wait. A client that exceeds it is disconnected.
  ///   - budget: how many bytes may wait in several streams together.
  ///   - heartbeat: sent after an interval without other bytes.
  ///   - pace: how long the stream waits after it has sent everything in its queue. Useful for a
  ///     client for which each piece has a cost, such as a browser. The prelude, the end, and a
  ///     queue that is an eighth full do not wait.
  ///   - prelude: makes the stream's beginning, for content that is too long for the queue. Called
  ///     for one piece at a time when the client can read more, until it returns `nil`. Written
  ///     bytes follow. Calls are on event loops and never concurrent.
  ///   - onClose: called once when the stream is closed, on any thread, with no lock held.
  public init(
    capacity: Int = 1 << 20, budget: StreamBudget? = nil, heartbeat: Heartbeat? = nil, pace: Duration = .zero,
    prelude: (@Sendable () -> [UInt8]?)? = nil, onClose: @escaping @Sendable (Closure) -> Void = { _ in }
  ) {
    self.capacity = capacity
    self.budget = budget
    self.heartbeat = heartbeat
    self.pace = pace
    self.prelude = prelude
    self.onClose = onClose
    state = Guarded(State(hasPrelude: prelude != nil))
    budget?.add(streams: 1)
  }

  /// Changes the state under the lock, and adds the growth of the queue to the budget. Every change
  /// of the queue uses this function, so that the budget counts all waiting bytes.
  func changing<Result>(_ change: (inout State) -> Result) -> Result {
    let (result, growth) = state.withLock { state in
      let before = state.queue.count
      let result = change(&state)
      return (result, state.queue.count - before)
    }
    budget?.add(growth)
    return result
  }

  /// A stream that was never sent is closed.
  deinit { close(.disconnected) }

  /// Appends bytes to the queue. Never blocks.
  ///
  /// - Returns: false when the stream has ended, or when the bytes exceed the capacity, which
  ///   closes the stream.
  @discardableResult
  public func write(_ bytes: [UInt8]) -> Bool {
    let (isTaken, closure) = changing { state -> (Bool, Closure?) in
      guard state.closure == nil, !state.isEnded else { return (false, nil) }
      let capacity =
        budget?.capacity(from: capacity, adding: bytes.count, to: state.queue.count) ?? capacity
      guard state.queue.count + bytes.count <= capacity else {
        return (false, state.cut(.stalled))
      }
      state.queue.append(bytes)
      if isPressing(state.queue.count) { state.line?.resume() } else { state.line?.resumeForNextPiece() }
      return (true, nil)
    }
    if let closure { didClose(closure) }
    return isTaken
  }

  /// Whether so many bytes wait that they are sent without waiting for ``pace``. Without this
  /// exception, the queue of a client that reads everything could exceed the capacity.
  func isPressing(_ count: Int) -> Bool { count >= capacity / 8 }

  /// Ends the stream after the bytes in its queue. A second call has no effect.
  public func end() {
    state.withLock { state in
      state.isEnded = true
      state.line?.resume()
    }
  }

  /// The number of bytes that wait: those of the queue, and the rest of a piece of the prelude.
  public var waiting: Int { state.withLock { $0.queue.count + $0.carry.count } }

  /// The next piece, for a reader without a socket.
  package func take() -> Piece {
    if let left = state.withLock({ $0.carry.takeFirst() }) { return .bytes(left) }
    if let bytes = nextOfPrelude() { return .bytes(bytes) }
    return changing { state in
      if let bytes = state.queue.takeFirst() { return .bytes(bytes) }
      if state.isEnded { state.isReadToEnd = true }
      return state.isEnded || state.closure != nil ? .end : .wait
    }
  }

  /// Closes the stream now, and discards its queue. If the reader has already got the end, the
  /// reason becomes ``Closure/ended``, because the client has missed nothing.
  package func close(_ closure: Closure) {
    if let closure = changing({ $0.cut(closure) }) { didClose(closure) }
  }

  private func didClose(_ closure: Closure) {
    budget?.add(streams: -1)
    onClose(closure)
  }

  /// Calls the prelude with no lock held: it may be slow, and may take locks.
  func nextOfPrelude() -> [UInt8]? {
    while state.withLock({ $0.hasPrelude && $0.closure == nil }) {
      if let bytes = prelude?() {
        if !bytes.isEmpty { return bytes }
      } else {
        state.withLock { $0.hasPrelude = false }
      }
    }
    return nil
  }
}

extension HTTPStream.State {
  /// Discards the queue and closes the connection.
  ///
  /// - Returns: the reason; `nil` if the stream was closed before.
  mutating func cut(_ reason: HTTPStream.Closure) -> HTTPStream.Closure? {
    guard closure == nil else { return nil }
    let reason = isReadToEnd ? HTTPStream.Closure.ended : reason
    closure = reason
    queue.removeAll()
    carry.removeAll()
    if reason == .stalled { line?.shutDown() }
    line?.resume()
    return reason
  }
}

extension HTTPStream: Hashable {
  /// Whether both are the same object.
  public static func == (a: HTTPStream, b: HTTPStream) -> Bool { a === b }
  /// Hashes the identity of the object.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
