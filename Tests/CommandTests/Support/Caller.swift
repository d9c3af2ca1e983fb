import Foundation
import Testing

/// One connection to a server with plain sockets, so that a test sees every byte.
///
/// Used by one thread at a time.
final class Caller: @unchecked Sendable {
  enum Outcome: Hashable {
    /// A complete response.
    case answered(status: Int, body: String)
    /// An incomplete response.
    case cut
    /// No bytes: the request was not accepted.
    case nothing
  }

  private let descriptor: Int32

  /// `nil` if the connection is not accepted.
  init?(port: UInt16) {
    // A program that starts meanwhile does not inherit the connection.
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    limit(.seconds(60))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    let descriptor = descriptor
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if result != 0 { return nil }
  }

  deinit { close(descriptor) }

  /// Sets the longest time that reading waits for bytes.
  func limit(_ time: Duration) {
    let microseconds = Int(time / .microseconds(1))
    var time = timeval(tv_sec: microseconds / 1_000_000, tv_usec: microseconds % 1_000_000)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  enum More {
    case bytes([UInt8])
    /// No bytes within the time of ``limit(_:)``.
    case nothingYet
    /// The connection has ended.
    case end
  }

  /// Reads the bytes that have arrived, or the next ones.
  func more() -> More {
    let bytes = withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 1) { buffer -> [UInt8]? in
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      return count < 0 ? nil : Array(buffer[..<count])
    }
    guard let bytes else { return errno == EAGAIN || errno == EINTR ? .nothingYet : .end }
    return bytes.isEmpty ? .end : .bytes(bytes)
  }

  @discardableResult
  func send(_ text: String) -> Bool {
    Glibc.send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL)) == text.utf8.count
  }

  func post(_ path: String, _ body: String, keepingAlive: Bool) -> Outcome {
    let connection = keepingAlive ? "keep-alive" : "close"
    let head =
      "POST \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: \(connection)\r\nContent-Length: \(body.utf8.count)"
    guard send("\(head)\r\n\r\n\(body)") else { return .nothing }
    return answer()
  }

  /// Reads up to the end of a head, and no further bytes.
  func head() -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8), recv(descriptor, &byte, 1, 0) == 1 { bytes.append(byte) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads until a text that follows another one.
  ///
  /// - Returns: what is between the two; `nil` if the connection ends before.
  func text(until end: String, after start: String) -> String? {
    var text = ""
    var byte: UInt8 = 0
    while recv(descriptor, &byte, 1, 0) == 1 {
      text.unicodeScalars.append(Unicode.Scalar(byte))
      if let first = text.range(of: start), let last = text.range(of: end, range: first.upperBound..<text.endIndex) {
        return String(text[first.upperBound..<last.lowerBound])
      }
    }
    return nil
  }

  /// Reads one response with a `Content-Length`.
  func answer() -> Outcome {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if let whole = Self.whole(bytes) { return whole }
      let count = recv(descriptor, &chunk, chunk.count, 0)
      guard count > 0 else { return bytes.isEmpty ? .nothing : .cut }
      bytes += chunk[..<count]
    }
  }

  private static func whole(_ bytes: [UInt8]) -> Outcome? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n"),
      let status = text.prefixMatch(of: #/HTTP/1\.1 (\d{3}) /#).flatMap({ Int($0.1) })
    else { return nil }
    let head = text[..<end.lowerBound]
    let length = head.firstMatch(of: #/(?i)\r\nContent-Length: (\d+)/#).flatMap { Int($0.1) } ?? 0
    let body = text[end.upperBound...]
    return body.utf8.count < length ? nil : .answered(status: status, body: String(body))
  }
}
