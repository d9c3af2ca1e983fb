/// The reason why a socket was closed, or could not be opened.
/// ``PageEvent/disconnected(reason:retry:)`` has it.
public enum DisconnectReason: Sendable, Hashable, CustomStringConvertible {
  /// The connection has ended without a close frame.
  case lost
  /// The server has sent a close frame. A frame without a code has the code 1005.
  case closed(code: Int)
  /// The client has closed the connection, because a message was longer than
  /// ``ClientOptions/maximumMessage``.
  case messageTooLong(limit: Int)
  /// The client has closed the connection, because the server has violated the WebSocket protocol.
  case invalidFrame
  /// The client has closed the connection, because the server has not answered a heartbeat within
  /// 30 s.
  case noHeartbeat
  /// The server has answered the handshake with a status that does not open a WebSocket.
  case refused(status: Int)
  /// There is no connection, or no answer to the handshake.
  case unreachable(String)
  /// The program has called ``LivePage/reconnect()``.
  case requested

  /// The reason in words.
  public var description: String {
    switch self {
    case .lost: "the connection was lost"
    case .closed(let code): "the server has closed the connection with code \(code)"
    case .messageTooLong(let limit): "the server has sent a message of more than \(limit) bytes"
    case .invalidFrame: "the server has sent a frame that violates the WebSocket protocol"
    case .noHeartbeat: "the server has not answered a heartbeat within 30 s"
    case .refused(let status): "the server refuses the WebSocket with status \(status)"
    case .unreachable(let reason): reason
    case .requested: "the program connects again"
    }
  }

  /// Whether the socket must not connect again: the server has closed it on purpose.
  var isFinal: Bool { self == .closed(code: 1000) }

  /// Whether the next connection is likely to end for the same reason.
  var isLasting: Bool { if case .messageTooLong = self { true } else { false } }
}

extension DisconnectReason {
  /// The reason why a socket could not be opened.
  init(_ error: ClientError) {
    self =
      switch error {
      case .refusedSocket(_, let status): .refused(status: status)
      case .unreachable(_, let reason), .failedExchange(_, let reason): .unreachable(reason)
      default: .unreachable(error.description)
      }
  }
}
