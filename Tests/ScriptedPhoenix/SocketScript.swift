/// What a server sends on one socket. Called on the socket's event loop.
package protocol SocketScript: AnyObject, Sendable {
  func opened(_ output: SocketOutput)
  /// A text message of the client.
  func received(_ text: String)
  func closed()
}

extension SocketScript {
  package func closed() {}
}

/// The server's side of a socket. Can be used on any thread.
package struct SocketOutput: Sendable {
  package let send: @Sendable (String) -> Void
  /// Closes the connection without a message.
  package let drop: @Sendable () -> Void
  /// Sends a close frame with a code, and closes the connection.
  package let close: @Sendable (Int) -> Void
}
