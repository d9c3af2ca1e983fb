/// The body of an answer that is written bit by bit, for as long as somebody reads it: an event stream.
///
///     let stream = HTTPStream(heartbeat: .init(every: .seconds(15), bytes: Array(": \n\n".utf8)), onClose: { why in … })
///     stream.write(Array("data: 1\n\n".utf8))   // from any thread
///     stream.end()
///     return HTTPResponse(headers: ["Content-Type": "text/event-stream"], body: .stream(stream))
///
/// What is written waits in a queue until the client takes it. The queue is bounded: a client that does not read is cut
/// off, and whoever writes never waits for it.
///
/// A stream is the body of one answer. It is closed, once, whichever way that ends: everything was sent, the client went
/// away (which the server notices at once), the client took nothing, or the answer was never sent.
public final class HTTPStream: Sendable {
  /// Why a stream is over.
  public enum Closure: Sendable, Hashable {
    /// It was ended, and everything has been sent.
    case ended
    /// The client went away.
    case gone
    /// The client took nothing for too long, or more was waiting for it than may.
    case stuck
  }

  /// What is sent when nothing else is, so that both sides notice when the other one has gone.
  public struct Heartbeat: Sendable, Hashable {
    public var interval: Duration
    public var bytes: [UInt8]

    public init(every interval: Duration, bytes: [UInt8]) {
      self.interval = interval
      self.bytes = bytes
    }
  }

  /// What a reader gets.
  package enum Piece: Sendable, Hashable {
    case bytes([UInt8])
    /// Nothing yet.
    case wait
    /// Nothing any more.
    case end
  }

  struct State {
    var queue = ByteQueue()
    /// The rest of a piece of the prelude, which goes before the queue.
    var carry = ByteQueue()
    var hasPrelude: Bool
    var isEnded = false
    var closure: Closure?
    var line: StreamLine?
  }

  public let heartbeat: Heartbeat?
  /// How many bytes may wait.
  public let capacity: Int
  let prelude: (@Sendable () -> [UInt8]?)?
  let onClose: @Sendable (Closure) -> Void
  let state: Guarded<State>

  /// - Parameters:
  ///   - capacity: how many bytes may wait for the client; beyond, it is cut off.
  ///   - heartbeat: what is sent when nothing else has been for a while.
  ///   - prelude: asked for more, piece by piece, whenever the client can take some, until it gives `nil`; what was
  ///     written meanwhile follows. For what is too long to wait in the queue. Called on the daemon's threads, by one at a time.
  ///   - onClose: called once, when nothing can be sent any more, on any thread and outside of every lock.
  public init(
    capacity: Int = 1 << 20, heartbeat: Heartbeat? = nil, prelude: (@Sendable () -> [UInt8]?)? = nil,
    onClose: @escaping @Sendable (Closure) -> Void = { _ in }
  ) {
    self.capacity = capacity
    self.heartbeat = heartbeat
    self.prelude = prelude
    self.onClose = onClose
    state = Guarded(State(hasPrelude: prelude != nil))
  }

  /// A stream that nobody ever sent is over, too.
  deinit { close(.gone) }

  /// Adds bytes to what waits for the client. Never waits itself.
  ///
  /// - Returns: whether they were taken; not if the stream has ended, or more would wait than may, which ends it.
  @discardableResult
  public func write(_ bytes: [UInt8]) -> Bool {
    let (isTaken, closure) = state.withLock { state -> (Bool, Closure?) in
      guard state.closure == nil, !state.isEnded else { return (false, nil) }
      guard state.queue.count + bytes.count <= capacity else {
        state.cut(.stuck)
        return (false, .stuck)
      }
      state.queue.append(bytes)
      state.line?.resume()
      return (true, nil)
    }
    if let closure { onClose(closure) }
    return isTaken
  }

  /// Ends the stream when what waits has been sent. A second time changes nothing.
  public func end() {
    state.withLock { state in
      state.isEnded = true
      state.line?.resume()
    }
  }

  /// How many bytes wait for the client.
  public var waiting: Int { state.withLock { $0.queue.count + $0.carry.count } }

  /// The next piece, for who reads without a socket.
  package func take() -> Piece {
    if let left = state.withLock({ $0.carry.takeFirst() }) { return .bytes(left) }
    if let bytes = nextOfPrelude() { return .bytes(bytes) }
    return state.withLock { state in
      if let bytes = state.queue.takeFirst() { return .bytes(bytes) }
      return state.isEnded || state.closure != nil ? .end : .wait
    }
  }

  /// The reader is gone, or done.
  package func close(_ closure: Closure) {
    let isFirst = state.withLock { state in
      defer { state.cut(closure) }
      return state.closure == nil
    }
    if isFirst { onClose(closure) }
  }

  /// Asks the prelude, outside of the lock: it may take its time, and locks of its own.
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
  /// Ends everything now: what waits is thrown away, and the connection closed.
  mutating func cut(_ closure: HTTPStream.Closure) {
    guard self.closure == nil else { return }
    self.closure = closure
    queue.removeAll()
    carry.removeAll()
    if closure == .stuck { line?.shutDown() }
    line?.resume()
  }
}

extension HTTPStream: Hashable {
  public static func == (a: HTTPStream, b: HTTPStream) -> Bool { a === b }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
