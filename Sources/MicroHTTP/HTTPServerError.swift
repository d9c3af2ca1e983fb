/// Why a server does not run.
public enum HTTPServerError: Error, Sendable, Hashable {
  /// The text is no IPv4 or IPv6 address. Names such as `localhost` are not looked up: a server should listen where it
  /// was told to.
  case invalidAddress(String)
  /// Some other program has the port.
  case addressInUse(address: String, port: UInt16)
  /// The system refuses the address or the port for another reason.
  case cannotListen(address: String, port: UInt16, reason: String)
  /// libmicrohttpd does not start; its log says more.
  case cannotStart(reason: String)
  /// The process may not open as many descriptors as there may be connections.
  case tooFewDescriptors(connections: Int, limit: Int)
  case alreadyRunning
}

extension HTTPServerError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .invalidAddress(let address):
      "\u{201C}\(address)\u{201D} is no IP address; write one such as 127.0.0.1, 0.0.0.0 or ::1"
    case .addressInUse(let address, let port):
      "port \(port) on \(address) is taken by another program"
    case .cannotListen(let address, let port, let reason):
      "cannot listen on port \(port) of \(address): \(reason)"
    case .cannotStart(let reason):
      "the HTTP daemon does not start: \(reason)"
    case .tooFewDescriptors(let connections, let limit):
      "\(connections) connections need more than the \(limit) descriptors that this process may open; allow fewer"
    case .alreadyRunning:
      "the server is running already"
    }
  }
}
