import Glibc

/// One socket to the mirror, and the received bytes that are not used yet.
final class Connection {
  private(set) var descriptor: Int32
  private(set) var unread: [UInt8] = []

  /// - Parameters:
  ///   - source: the last number of the loopback address of the client. One address has 28,000
  ///     ports, and a port stays in use for a minute after its connection has ended.
  ///   - receiveBuffer: the size of the receive buffer in bytes.
  ///   - patience: seconds until reading or writing fails.
  init(port: UInt16, source: Int? = nil, receiveBuffer: Int32? = nil, patience: Int = 30) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    // Client processes must not inherit the socket and keep it open.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    guard descriptor >= 0 else { throw LoadFailure("no socket: \(String(cString: strerror(errno)))") }
    if var receiveBuffer { set(SOL_SOCKET, SO_RCVBUF, &receiveBuffer) }
    var time = timeval(tv_sec: patience, tv_usec: 0)
    set(SOL_SOCKET, SO_RCVTIMEO, &time)
    set(SOL_SOCKET, SO_SNDTIMEO, &time)
    var yes: Int32 = 1
    set(Int32(IPPROTO_TCP), TCP_NODELAY, &yes)
    if let source {
      set(Int32(IPPROTO_IP), 24 /* IP_BIND_ADDRESS_NO_PORT */, &yes)
      guard with(address: "127.0.0.\(source)", port: 0, bind) == 0 else { throw failure("cannot bind") }
    }
    guard with(address: "127.0.0.1", port: port, connect) == 0 else { throw failure("cannot connect") }
  }

  deinit { close() }

  func close() {
    // Client processes must not inherit the socket and keep it open.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = Glibc.close(descriptor)
    descriptor = -1
  }

  /// Closes the socket with a reset.
  func reset() {
    var none = linger(l_onoff: 1, l_linger: 0)
    set(SOL_SOCKET, SO_LINGER, &none)
    close()
  }

  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  func makeNonBlocking() { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) }

  /// - Returns: whether all bytes were written.
  @discardableResult
  func send(_ bytes: some Collection<UInt8>) -> Bool {
    let bytes = Array(bytes)
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }

  enum Reading: Equatable {
    case bytes
    case nothingYet
    case end
    case reset
  }

  /// Reads once.
  func fill(atMost limit: Int = 65_536) -> Reading {
    let count = withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) { buffer in
      let count = recv(descriptor, buffer.baseAddress, limit, 0)
      if count > 0 { unread.append(contentsOf: buffer[..<count]) }
      return count
    }
    if count > 0 { return .bytes }
    if count == 0 { return .end }
    return errno == EAGAIN || errno == EINTR ? .nothingYet : .reset
  }

  /// Waits until bytes or the end of the stream arrive.
  ///
  /// - Returns: `false` after the time limit.
  func canRead(within milliseconds: Int32) -> Bool {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&wanted, 1, milliseconds) > 0
  }

  func take(_ count: Int) -> [UInt8] {
    defer { unread.removeFirst(count) }
    return Array(unread.prefix(count))
  }

  private func set<Value: BitwiseCopyable>(_ level: Int32, _ option: Int32, _ value: inout Value) {
    withUnsafeBytes(of: &value) {
      _ = setsockopt(descriptor, level, option, $0.baseAddress, socklen_t($0.count))
    }
  }

  private func with(
    address: String, port: UInt16, _ call: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32
  ) -> Int32 {
    var ip = sockaddr_in()
    ip.sin_family = sa_family_t(AF_INET)
    ip.sin_port = port.bigEndian
    inet_pton(AF_INET, address, &ip.sin_addr)
    return withUnsafeBytes(of: &ip) {
      call(
        descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }

  private func failure(_ what: String) -> LoadFailure {
    LoadFailure("\(what): \(String(cString: strerror(errno)))")
  }
}
