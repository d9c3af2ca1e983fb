internal import CMicrohttpd

/// What a socket has moved so far, as the system counts it: also what nobody has read or written on this side.
struct SocketProgress: Hashable {
  var received: UInt64
  /// Bytes of which the client's system has said that it has them.
  var acknowledged: UInt64
  /// Whether there are bytes that it has not taken.
  var isPending: Bool
  /// Whether the client has closed, wholly or for writing.
  var isClosed: Bool

  init(received: UInt64 = 0, acknowledged: UInt64 = 0, isPending: Bool = false, isClosed: Bool = false) {
    self.isClosed = isClosed
    self.received = received
    self.acknowledged = acknowledged
    self.isPending = isPending
  }

  /// `nil` where the system does not tell: then a connection is judged by what the daemon says alone.
  init?(of descriptor: Int32) {
    var progress = shim_socket_progress()
    guard shim_socket_progress(descriptor, &progress) != 0 else { return nil }
    self.init(
      received: progress.received, acknowledged: progress.acknowledged, isPending: progress.is_pending != 0,
      isClosed: progress.is_closed != 0)
  }
}
