import CLibrary
internal import MirrorSupport

/// A socket that listens on one address.
///
/// libmicrohttpd could open the socket, but would only log a failure. This type throws an error
/// with the reason. ``HTTPServer`` opens the socket, and its ``Daemon`` closes it. The socket is
/// non-blocking, so ``takeOne(_:)`` never waits.
struct ListeningSocket {
  let descriptor: Int32
  let port: UInt16
  let isIPv6: Bool

  /// - Parameter port: 0 takes a free port, which is then ``port``.
  init(address: String, port: UInt16) throws(HTTPServerError) {
    if var ip = Self.ipv4(address, port) {
      isIPv6 = false
      (descriptor, self.port) = try Self.listen(AF_INET, &ip, address, port) { UInt16(bigEndian: $0.sin_port) }
    } else if var ip = Self.ipv6(address, port) {
      isIPv6 = true
      (descriptor, self.port) = try Self.listen(AF_INET6, &ip, address, port) { UInt16(bigEndian: $0.sin6_port) }
    } else {
      throw .invalidAddress(address)
    }
  }

  func close() { _ = CLibrary.close(descriptor) }

  /// Accepts one connection from the backlog, and passes its descriptor and the client's address to
  /// the body.
  ///
  /// - Returns: false when the backlog is empty or `accept` fails; `errno` has the reason.
  func takeOne(_ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Void) -> Bool {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &address) { bytes in
      guard let generic = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
      var connection: Int32
      repeat {
        connection = accept(descriptor, generic, &length)
        // A client may have closed a connection in the backlog: try the next one.
      } while connection < 0 && (errno == EINTR || errno == ECONNABORTED)
      if connection >= 0 { body(connection, generic, length) }
      return connection >= 0
    }
  }

  private static func ipv4(_ address: String, _ port: UInt16) -> sockaddr_in? {
    var ip = sockaddr_in()
    ip.sin_family = sa_family_t(AF_INET)
    ip.sin_port = port.bigEndian
    return inet_pton(AF_INET, address, &ip.sin_addr) == 1 ? ip : nil
  }

  private static func ipv6(_ address: String, _ port: UInt16) -> sockaddr_in6? {
    var ip = sockaddr_in6()
    ip.sin6_family = sa_family_t(AF_INET6)
    ip.sin6_port = port.bigEndian
    return inet_pton(AF_INET6, address, &ip.sin6_addr) == 1 ? ip : nil
  }

  private static func listen<Address>(
    _ family: Int32, _ ip: inout Address, _ address: String, _ port: UInt16, boundPort: (Address) -> UInt16
  ) throws(HTTPServerError) -> (Int32, UInt16) {
    let descriptor = socket(family, streamType, 0)
    guard descriptor >= 0 else { throw failure(address, port) }

    // SO_REUSEADDR allows a port that still has connections in TIME_WAIT. SO_REUSEPORT is not set,
    // because it would share a port on which another program listens.
    var yes: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
    if family == AF_INET6 { setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, size) }

    var length = socklen_t(MemoryLayout<Address>.size)
    let isBound = withUnsafeMutableBytes(of: &ip) { bytes in
      guard let generic = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
      return bind(descriptor, generic, length) == 0
        && CLibrary.listen(descriptor, SOMAXCONN) == 0
        && getsockname(descriptor, generic, &length) == 0
        && fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0
        && fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
    }
    guard isBound else {
      let error = failure(address, port)
      _ = CLibrary.close(descriptor)
      throw error
    }
    return (descriptor, boundPort(ip))
  }

  /// The one place that translates `errno`.
  private static func failure(_ address: String, _ port: UInt16) -> HTTPServerError {
    let error = SystemError.last
    let code = error.code
    if code == EADDRINUSE { return .addressInUse(address: address, port: port, user: PortUser.description(of: port)) }
    if code == EAFNOSUPPORT || code == EADDRNOTAVAIL, address.contains(":") {
      return .cannotListen(address: address, port: port, reason: "this machine has no such IPv6 address")
    }
    return .cannotListen(address: address, port: port, reason: error.description)
  }
}

// MARK: - Differences of the systems

#if canImport(Darwin)
  private let streamType = SOCK_STREAM
#else
  private let streamType = Int32(SOCK_STREAM.rawValue)
#endif

/// The program that listens on a port, for an error that says why the port is not free.
enum PortUser {
  /// Such as `beam.smp (process 4711)`. `nil` if Linux does not report it: the process belongs to
  /// another user, or to another container.
  static func description(of port: UInt16) -> String? {
    let sockets = Set(
      ["tcp", "tcp6"].flatMap { listening(on: port, in: SystemFile.text(of: "/proc/net/\($0)") ?? "") })
    guard !sockets.isEmpty, let processes = SystemFile.names(in: "/proc") else { return nil }
    for process in processes where process.first?.isNumber == true {
      let descriptors = "/proc/\(process)/fd"
      for descriptor in SystemFile.names(in: descriptors) ?? [] {
        guard let socket = SystemFile.target(of: "\(descriptors)/\(descriptor)"), sockets.contains(socket) else {
          continue
        }
        let name = SystemFile.text(of: "/proc/\(process)/comm").map { String($0.prefix { $0 != "\n" }) }
        return "\(name ?? "another program") (process \(process))"
      }
    }
    return nil
  }

  /// The sockets that listen on a port, as descriptors refer to them: `socket:[123]`.
  ///
  /// - Parameter table: the text of `/proc/net/tcp` (Linux, proc_pid_net(5)). The first line has
  ///   titles. Each other line is a socket: the second column has the address and port in
  ///   hexadecimal, the fourth the state, and the tenth the number.
  static func listening(on port: UInt16, in table: String) -> [String] {
    table.split(separator: "\n").dropFirst().compactMap { line in
      let columns = line.split(separator: " ")
      guard columns.count > 9, columns[3] == "0A", let written = columns[1].split(separator: ":").last,
        UInt16(written, radix: 16) == port
      else { return nil }
      return "socket:[\(columns[9])]"
    }
  }
}
