internal import CMicrohttpd

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The connection of a stream: part of the stream's state, under its lock.
///
/// The stream has a line from the moment before the response is queued until libmicrohttpd releases the response, which it does
/// before it closes the socket. So as long as the stream has the line, the descriptor belongs to this connection.
///
/// A connection without bytes to send is suspended. Reading the queue and suspending are one step under the lock, so no call of
/// ``resume()`` is lost in between.
struct StreamLine {
  let connection: Connection
  let descriptor: Int32
  private(set) var isSuspended = false
  /// When libmicrohttpd last took bytes, or the connection was last resumed.
  private(set) var lastMove = ContinuousClock.now

  init(connection: Connection, descriptor: Int32) {
    self.connection = connection
    self.descriptor = descriptor
  }

  mutating func suspend() {
    isSuspended = true
    MHD_suspend_connection(connection.handle)
  }

  mutating func resume() {
    guard isSuspended else { return }
    isSuspended = false
    noteMove()
    MHD_resume_connection(connection.handle)
  }

  mutating func noteMove() { lastMove = .now }

  /// Shuts the socket down at once, without closing the descriptor. If the connection is suspended, libmicrohttpd notices when
  /// the connection is resumed.
  func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
}
