import CLibrary
import Foundation

/// An HTTP server in the place of a mirror or an app, with a thread for each connection, so that
/// one late response delays no other.
final class MirrorStub: @unchecked Sendable {
  struct Request {
    var method: String
    var target: String
    var body = ""

    var isAnnouncement: Bool { method == "POST" && target.hasPrefix("/pages/") }
  }

  struct Response {
    var status: Int
    var delay = Duration.zero
    var type = "application/json"
  }

  struct Failed: Error { var call: String }

  let address: String
  private let listener: Int32
  private let respond: @Sendable (Request) -> Response
  private let lock = NSLock()
  private var lines: [String] = []

  init(_ respond: @escaping @Sendable (Request) -> Response) throws {
    self.respond = respond
    #if canImport(Darwin)
      listener = socket(AF_INET, SOCK_STREAM, 0)
    #else
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let code = withUnsafeMutableBytes(of: &name) { bytes in
      guard let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return Int32(-1) }
      return bind(listener, pointer, length) + listen(listener, 16) + getsockname(listener, pointer, &length)
    }
    guard code == 0 else { throw Failed(call: "bind") }
    address = "http://127.0.0.1:\(UInt16(bigEndian: name.sin_port))"
    Thread.detachNewThread { [weak self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        Thread.detachNewThread { [weak self] in
          self?.serve(connection)
          close(connection)
        }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// `begin POST /pages` and `end POST /pages` for each request, with the first part of its path.
  var log: [String] { lock.withLock { lines } }

  private func note(_ word: String, _ request: Request) {
    let path = request.target.split(separator: "/").first.map { "/" + $0.prefix { $0 != "?" } } ?? "/"
    lock.withLock { lines.append("\(word) \(request.method) \(path)") }
  }

  private func serve(_ connection: Int32) {
    var bytes: [UInt8] = []
    while let end = head(connection, &bytes) {
      let lines = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n")
      let words = lines[0].split(separator: " ").map(String.init)
      guard words.count == 3 else { return }
      var request = Request(method: words[0], target: words[1])
      let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
      let count = length.flatMap { Int($0.split(separator: " ").last ?? "") } ?? 0
      while bytes.count < end + 4 + count { guard receive(connection, &bytes) else { return } }
      request.body = String(decoding: bytes[(end + 4)..<(end + 4 + count)], as: UTF8.self)
      bytes.removeFirst(end + 4 + count)
      note("begin", request)
      let response = respond(request)
      if response.delay > .zero { Thread.sleep(forTimeInterval: response.delay / .seconds(1)) }
      note("end", request)
      let text = "HTTP/1.1 \(response.status) x\r\nContent-Type: \(response.type)\r\nContent-Length: 2\r\n\r\n{}"
      guard Array(text.utf8).withUnsafeBytes({ send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }) > 0
      else { return }
    }
  }

  /// - Returns: the index of the empty line after the head.
  private func head(_ connection: Int32, _ bytes: inout [UInt8]) -> Int? {
    while true {
      if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) { return end.lowerBound }
      guard receive(connection, &bytes) else { return nil }
    }
  }

  private func receive(_ connection: Int32, _ bytes: inout [UInt8]) -> Bool {
    var part = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(connection, &part, part.count, 0)
    if count > 0 { bytes += part[..<count] }
    return count > 0
  }
}
