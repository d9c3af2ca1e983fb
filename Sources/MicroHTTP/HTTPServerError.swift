/// Why a server cannot start.
public enum HTTPServerError: Error, Sendable, Hashable {
  /// The text is not an IPv4 or IPv6 address. Names such as `localhost` are not resolved: the server listens only on the
  /// address that was given to it.
  case invalidAddress(String)
  /// Another program uses the port, `user` if the system reports it: its name and process, such as `beam.smp (process 4711)`.
  case addressInUse(address: String, port: UInt16, user: String?)
  /// The system rejects the address or port for another reason.
  case cannotListen(address: String, port: UInt16, reason: String)
  /// libmicrohttpd could not start. Its log has details.
  case cannotStart(reason: String)
  /// The process may not open enough file descriptors for the maximum number of connections.
  case tooFewDescriptors(connections: Int, limit: Int)
  /// The server has been started and not stopped.
  case alreadyRunning
}

extension HTTPServerError: CustomStringConvertible {
  /// A message for the user, without a full stop.
  public var description: String {
    switch self {
    case .invalidAddress(let address):
      "\u{201C}\(address)\u{201D} is not an IP address; expected an address such as 127.0.0.1, 0.0.0.0 or ::1"
    case .addressInUse(let address, let port, let user):
      "port \(port) on \(address) is already used by \(user ?? "another program")"
    case .cannotListen(let address, let port, let reason):
      "cannot listen on port \(port) of \(address): \(reason)"
    case .cannotStart(let reason):
      "the HTTP daemon cannot start: \(reason)"
    case .tooFewDescriptors(let connections, let limit):
      "\(connections) connections need more than the \(limit) descriptors that this process may open; allow fewer"
    case .alreadyRunning:
      "the server is already running"
    }
  }
}
