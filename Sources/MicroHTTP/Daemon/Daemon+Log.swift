internal import Synchronization

// The lines of libmicrohttpd's log.

extension Daemon {
  /// Logs a line of libmicrohttpd, unless it only says that a client has disconnected, or that a stream was closed.
  ///
  /// libmicrohttpd (0.9.75) logs every response that it ends early. A stream is ended early on purpose when its client has
  /// disconnected or does not read: the end of the body would be a lie, and reporting an error is the only other way to close the
  /// connection. Event streams end that way all the time, so the line is not a warning.
  func note(_ line: String) {
    if line.contains("application error generating response"), takeCutOff() { return }
    if line.hasPrefix("Failed to send the"), Self.disconnections.contains(where: line.contains) { return }
    options.log(line)
  }

  /// The errors of a socket whose client has disconnected: `ECONNRESET` and `EPIPE`.
  private static let disconnections = [
    "The connection was forcibly closed by remote peer", "The socket is no longer available for sending",
  ]

  /// - Returns: whether ``StreamSender`` has reported an error that libmicrohttpd has not logged yet.
  private func takeCutOff() -> Bool {
    if monitor.cutOffs.subtract(1, ordering: .relaxed).oldValue > 0 { return true }
    monitor.cutOffs.add(1, ordering: .relaxed)
    return false
  }
}
