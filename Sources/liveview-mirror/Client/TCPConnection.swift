internal import CLibrary
internal import MirrorSupport

/// One TCP connection to a mirror. ``MirrorClient`` makes one for each request. No call waits
/// longer than its time limit, except for the look-up of the host name.
final class TCPConnection {
  private let descriptor: Int32
  private let address: MirrorAddress
  private let timeout: Duration

  /// Connects to the first address of the host that accepts the connection.
  ///
  /// - Parameter timeout: the limit for each address, and for each part that is sent.
  init(to address: MirrorAddress, timeout: Duration) throws(MirrorClientError) {
    self.address = address
    self.timeout = timeout
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Self.stream
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(address.host, "\(address.port)", &hints, &list)
    guard code == 0, let first = list else {
      throw .unknownHost(address, reason: String(cString: gai_strerror(code)))
    }
    defer { freeaddrinfo(first) }
    var reason = "the host has no address"
    for candidate in sequence(first: first, next: { $0.pointee.ai_next }) {
      switch Self.connect(candidate.pointee, timeout) {
      case .success(let descriptor):
        self.descriptor = descriptor
        return
      case .failure(let error): reason = error.description
      }
    }
    throw .cannotConnect(address, reason: reason)
  }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8]) throws(MirrorClientError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { CLibrary.send(descriptor, $0.baseAddress, $0.count, Self.noSignal) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        guard Self.wait(for: descriptor, POLLOUT, timeout) else { throw .noResponse(address, after: timeout) }
      } else if errno != EINTR {
        throw .closed
      }
    }
  }

  /// - Returns: the next bytes; no bytes at the end of the connection; `nil` if nothing came in
  ///   time.
  func receive(within time: Duration) throws(MirrorClientError) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(descriptor, &bytes, bytes.count, 0)
      if count >= 0 { return Array(bytes[..<count]) }
      if errno == EAGAIN || errno == EWOULDBLOCK {
        guard Self.wait(for: descriptor, POLLIN, time) else { return nil }
      } else if errno != EINTR {
        throw .closed
      }
    }
  }

  // MARK: - The system

  private static func connect(_ target: addrinfo, _ timeout: Duration) -> Result<Int32, SystemError> {
    let descriptor = socket(target.ai_family, target.ai_socktype, target.ai_protocol)
    guard descriptor >= 0 else { return .failure(.last) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    #if canImport(Darwin)
      var isOn: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #endif
    let result = CLibrary.connect(descriptor, target.ai_addr, target.ai_addrlen)
    var code: Int32 = result == 0 ? 0 : errno
    if code == EINPROGRESS || code == EINTR {
      code = ETIMEDOUT
      if wait(for: descriptor, POLLOUT, timeout) {
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
      }
    }
    if code == 0 { return .success(descriptor) }
    close(descriptor)
    return .failure(SystemError(code: code))
  }

  /// - Returns: `true` if the socket became ready or failed in time; `false` if the time has
  ///   passed.
  private static func wait(for descriptor: Int32, _ event: some BinaryInteger, _ time: Duration) -> Bool {
    let deadline = ContinuousClock.now + time
    while true {
      let left = max(.zero, deadline - .now)
      let (seconds, attoseconds) = left.components
      let milliseconds = min(seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1, 1_000_000)
      var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
      let result = poll(&entry, 1, Int32(milliseconds))
      if result > 0 { return true }
      if result == 0 || errno != EINTR { return false }
    }
  }

  #if canImport(Darwin)
    private static let stream = SOCK_STREAM
    private static let noSignal: Int32 = 0
  #else
    private static let stream = Int32(bitPattern: SOCK_STREAM.rawValue)
    private static let noSignal = Int32(MSG_NOSIGNAL)
  #endif
}
