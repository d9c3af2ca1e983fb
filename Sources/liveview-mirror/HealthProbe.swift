#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// One `GET /healthz`, by plain sockets.
struct HealthProbe {
  enum Failure: Error, CustomStringConvertible {
    case cannotConnect(reason: String)
    case noAnswer

    var description: String {
      switch self {
      case .cannotConnect(let reason): "cannot connect: \(reason)"
      case .noAnswer: "the response is not valid HTTP, or did not arrive in time"
      }
    }
  }

  let address: IPAddress
  let port: UInt16
  /// The limit for connecting, for sending, and for each read of the answer.
  let timeout: Duration

  /// The status of the answer.
  func status() throws(Failure) -> Int {
    let descriptor = try connected()
    defer { close(descriptor) }
    let request = "GET /healthz HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
    guard send(descriptor, request, request.utf8.count, Self.noSignal) == request.utf8.count else { throw .noAnswer }
    var line: [UInt8] = []
    var byte: UInt8 = 0
    // `HTTP/1.1 200` has twelve bytes. The rest is not read.
    while line.count < 12 {
      guard recv(descriptor, &byte, 1, 0) == 1 else { throw .noAnswer }
      line.append(byte)
    }
    let text = String(decoding: line, as: UTF8.self)
    guard text.hasPrefix("HTTP/1."), let status: Int = SettingText.number(text.suffix(3)) else { throw .noAnswer }
    return status
  }

  /// A loopback host, which the server accepts at any address. See `HostCheck`.
  private var host: String { address.isIPv6 ? "[::1]:\(port)" : "127.0.0.1:\(port)" }

  private func connected() throws(Failure) -> Int32 {
    let descriptor = socket(address.isIPv6 ? AF_INET6 : AF_INET, Self.stream, 0)
    guard descriptor >= 0 else { throw failure }
    let (seconds, attoseconds) = timeout.components
    var time = timeval(tv_sec: Int(seconds), tv_usec: .init(attoseconds / 1_000_000_000_000))
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
    }
    guard connect(descriptor) == 0 else {
      let failure = failure
      close(descriptor)
      throw failure
    }
    return descriptor
  }

  private func connect(_ descriptor: Int32) -> Int32 {
    if address.isIPv6 {
      var target = sockaddr_in6()
      target.sin6_family = sa_family_t(AF_INET6)
      target.sin6_port = port.bigEndian
      withUnsafeMutableBytes(of: &target.sin6_addr) { $0.copyBytes(from: address.bytes) }
      return Self.connect(descriptor, target)
    }
    var target = sockaddr_in()
    target.sin_family = sa_family_t(AF_INET)
    target.sin_port = port.bigEndian
    withUnsafeMutableBytes(of: &target.sin_addr) { $0.copyBytes(from: address.bytes) }
    return Self.connect(descriptor, target)
  }

  private static func connect<Address>(_ descriptor: Int32, _ address: Address) -> Int32 {
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        #if canImport(Darwin)
          Darwin.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
        #else
          Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
        #endif
      }
    }
  }

  private var failure: Failure { .cannotConnect(reason: String(cString: strerror(errno))) }

  #if canImport(Darwin)
    private static let stream = SOCK_STREAM
    private static let noSignal: Int32 = 0
  #else
    private static let stream = Int32(bitPattern: SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    private static let noSignal = Int32(MSG_NOSIGNAL)
  #endif
}
