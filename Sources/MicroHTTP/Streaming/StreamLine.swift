internal import CMicrohttpd

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The connection that a stream goes out on: part of the stream's state, under its lock.
///
/// It is there from before the answer is queued until the daemon lets go of the answer, which it does before it closes the
/// socket; so under the lock, the descriptor is this connection's and no other's.
///
/// A connection that has nothing to send is suspended: the daemon forgets it until it is resumed. Both happen under the
/// lock, so no wish to resume comes between the look at the queue and the suspension.
struct StreamLine {
  let connection: Connection
  let descriptor: Int32
  private(set) var isSuspended = false
  /// When the daemon last took bytes, or was told that there are some.
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

  /// Whoever waits to send hears of it at once; a suspended connection when it is resumed.
  func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
}
