import CLibrary

/// A client that sends the given bytes unchanged, so requests can be malformed.
final class RawClient {
  private var descriptor: Int32
  private var unread: [UInt8] = []

  enum Failure: Error {
    case cannotConnect(errno: Int32)
    /// The server closed the connection before the answer was complete.
    case closed(after: String)
  }

  /// - Parameter window: the size of the socket's receive buffer in bytes; `nil` for the system's
  ///   default.
  init(port: UInt16, ipv6: Bool = false, window: Int32? = nil) throws {
    descriptor = socket(ipv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var window { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size)) }
    var connected: Int32
    if ipv6 {
      var ip = sockaddr_in6()
      ip.sin6_family = sa_family_t(AF_INET6)
      ip.sin6_port = port.bigEndian
      inet_pton(AF_INET6, "::1", &ip.sin6_addr)
      connected = Self.connect(descriptor, &ip)
    } else {
      var ip = sockaddr_in()
      ip.sin_family = sa_family_t(AF_INET)
      ip.sin_port = port.bigEndian
      inet_pton(AF_INET, "127.0.0.1", &ip.sin_addr)
      connected = Self.connect(descriptor, &ip)
    }
    guard connected == 0 else { throw Failure.cannotConnect(errno: errno) }
    // With a timeout, a broken server makes a test fail instead of hang.
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  private static func connect<Address>(_ descriptor: Int32, _ ip: inout Address) -> Int32 {
    withUnsafeBytes(of: &ip) { bytes in
      Glibc.connect(
        descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(MemoryLayout<Address>.size))
    }
  }

  deinit { disconnect() }

  /// - Returns: whether everything could be written.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.send(descriptor, buffer.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }

  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Closes the writing side; the answer can still be read.
  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Reads the next answer on the connection, and skips interim answers with the status 100.
  ///
  /// - Parameter toHead: whether the request was a `HEAD`, so that no body follows.
  func receive(toHead: Bool = false) throws -> Answer {
    while true {
      let head = try receiveHead()
      var answer = Answer(head: head)
      if answer.status == 100 { continue }
      let length = toHead || answer.status == 204 || answer.status == 304 ? 0 : answer.contentLength
      if let length {
        while unread.count < length { try fill() }
        answer.body = String(decoding: unread.prefix(length), as: UTF8.self)
        unread.removeFirst(length)
      } else {
        while (try? fill()) != nil {}
        answer.body = String(decoding: unread, as: UTF8.self)
        unread = []
      }
      return answer
    }
  }

  /// Reads the head of an answer whose body is read in chunks.
  func receiveStreamHead() throws -> Answer { Answer(head: try receiveHead()) }

  /// Reads the next chunk of a chunked body; the last one is empty.
  func receiveChunk() throws -> String {
    let length = try receiveLine()
    guard let count = Int(length, radix: 16) else { throw Failure.closed(after: "no chunk: \(length)") }
    while unread.count < count + 2 { try fill() }
    defer { unread.removeFirst(count + 2) }
    return String(decoding: unread.prefix(count), as: UTF8.self)
  }

  /// Reads chunks until their text has at least `count` bytes.
  func receiveChunks(_ count: Int) throws -> String {
    var text = ""
    while text.utf8.count < count { text += try receiveChunk() }
    return text
  }

  /// Whether the server sends bytes or closes the connection within the given time.
  func waitForBytes(milliseconds: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, milliseconds) > 0
  }

  /// Reads all bytes until the server closes the connection.
  func receiveRest() -> String {
    while (try? fill()) != nil {}
    defer { unread = [] }
    return String(decoding: unread, as: UTF8.self)
  }

  /// Closes the connection with a TCP reset, as the kernel does when a client with unread bytes is
  /// killed.
  func reset() {
    var rudeness = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &rudeness, socklen_t(MemoryLayout<linger>.size))
    disconnect()
  }

  func disconnect() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
  }

  private func receiveLine() throws -> String {
    let end = Array("\r\n".utf8)
    while true {
      if let start = unread.indices.first(where: { unread[$0...].starts(with: end) }) {
        defer { unread.removeFirst(start + end.count) }
        return String(decoding: unread[..<start], as: UTF8.self)
      }
      try fill()
    }
  }

  /// Reads the next head, even of an interim answer, and returns its first line.
  func receiveStatusLine() throws -> String {
    String(try receiveHead().prefix { $0 != "\r\n" })
  }

  /// Whether the server has closed the connection and all its bytes have been read. Without unread
  /// bytes, the call waits for the next ones.
  func isClosed() -> Bool { unread.isEmpty && (try? fill()) == nil }

  private func receiveHead() throws -> String {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let start = unread.indices.first(where: { unread[$0...].starts(with: end) }) {
        defer { unread.removeFirst(start + end.count) }
        return String(decoding: unread[..<start], as: UTF8.self)
      }
      try fill()
    }
  }

  private func fill() throws {
    var piece = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &piece, piece.count, 0)
    guard count > 0 else { throw Failure.closed(after: String(decoding: unread, as: UTF8.self)) }
    unread += piece[..<count]
  }
}
