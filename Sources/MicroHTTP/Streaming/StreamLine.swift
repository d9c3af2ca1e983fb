import CLibrary
internal import CMicrohttpd

/// The connection of a stream: part of the stream's state, under its lock. ``StreamSender`` makes
/// it.
///
/// The stream has a line from the moment before the response is queued until libmicrohttpd releases
/// the response, which it does before it closes the socket. So as long as the stream has the line,
/// the descriptor belongs to this connection.
///
/// A connection without bytes to send, or whose next piece is not due, is suspended. Reading the
/// queue and suspending are one step under the lock, so no call of ``resume()`` is lost in between.
struct StreamLine {
  let connection: Connection
  let descriptor: Int32
  /// The monitor's thread resumes the connection when it is ``due``.
  let monitor: ConnectionMonitor
  private(set) var isSuspended = false
  /// When libmicrohttpd last took bytes, or the connection was last resumed.
  private(set) var lastMove = ContinuousClock.now
  /// The earliest time of the next piece.
  private var nextPiece = ContinuousClock.now
  /// When the connection will be resumed; `nil` if it is not suspended, or has no bytes to send.
  private(set) var due: ContinuousClock.Instant?

  init(connection: Connection, descriptor: Int32, monitor: ConnectionMonitor) {
    self.connection = connection
    self.descriptor = descriptor
    self.monitor = monitor
  }

  mutating func suspend() {
    isSuspended = true
    MHD_suspend_connection(connection.handle)
  }

  /// Suspends the connection until the next piece may be sent.
  ///
  /// - Returns: false if it may be sent now.
  mutating func suspendForNextPiece() -> Bool {
    guard nextPiece > .now else { return false }
    suspend()
    resumeForNextPiece()
    return true
  }

  /// Resumes the connection as soon as the next piece may be sent.
  mutating func resumeForNextPiece() {
    guard nextPiece > .now else { return resume() }
    guard isSuspended, due == nil else { return }
    due = nextPiece
    monitor.events.interrupt()
  }

  /// Notes that everything in the queue was sent as one piece, and sets the time of the next piece.
  mutating func endPiece(pace: Duration) { nextPiece = .now.advanced(by: pace) }

  mutating func resume() {
    guard isSuspended else { return }
    (isSuspended, due) = (false, nil)
    noteMove()
    MHD_resume_connection(connection.handle)
  }

  mutating func noteMove() { lastMove = .now }

  /// Shuts the socket down at once, without closing the descriptor. If the connection is suspended,
  /// libmicrohttpd notices when the connection is resumed.
  func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
}
