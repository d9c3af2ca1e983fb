internal import CMicrohttpd

/// The system's counters of a socket: bytes received and acknowledged, including those that this process has not read.
struct SocketProgress: Hashable {
  var received: UInt64
  /// Bytes that the client's system has acknowledged.
  var acknowledged: UInt64
  /// Whether some sent bytes are not acknowledged.
  var isPending: Bool
  /// Whether the client has closed the connection or its writing side.
  var isClosed: Bool

  init(received: UInt64 = 0, acknowledged: UInt64 = 0, isPending: Bool = false, isClosed: Bool = false) {
    self.isClosed = isClosed
    self.received = received
    self.acknowledged = acknowledged
    self.isPending = isPending
  }

  /// `nil` where the system has no such counters.
  init?(of descriptor: Int32) {
    var progress = shim_socket_progress()
    guard shim_socket_progress(descriptor, &progress) != 0 else { return nil }
    self.init(
      received: progress.received, acknowledged: progress.acknowledged, isPending: progress.is_pending != 0,
      isClosed: progress.is_closed != 0)
  }
}
