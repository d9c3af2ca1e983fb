import Foundation
import RecordingFixtures
import Testing

/// The built program, serving on a free port.
final class Mirror {
  private let process = Process()
  let port: UInt16
  var address: String { "http://127.0.0.1:\(port)" }
  private let token: String?

  init(_ arguments: [String] = [], token: String? = nil) throws {
    self.token = token
    process.executableURL = try Fixtures.program
    process.arguments = ["serve", "--port", "0"] + arguments + (token.map { ["--token", $0] } ?? [])
    process.currentDirectoryURL = Fixtures.root
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var text = ""
    while !text.contains("\n") {
      let bytes = output.fileHandleForReading.availableData
      guard !bytes.isEmpty else { break }
      text += String(decoding: bytes, as: UTF8.self)
    }
    let match = try #require(text.firstMatch(of: /listens on http:\/\/127\.0\.0\.1:(\d+)/), "\(text)")
    port = try #require(UInt16(match.1))
    // The output is read, so that it never blocks the program.
    output.fileHandleForReading.readabilityHandler = { if $0.availableData.isEmpty { $0.readabilityHandler = nil } }
  }

  deinit { stop() }

  /// Ends the program.
  func stop() {
    process.terminate()
    process.waitUntilExit()
  }

  struct Answer {
    var status: Int
    var head: String
    var body: String
  }

  @discardableResult
  func post(_ target: String, _ body: String) throws -> Answer { try ask("POST", target, body) }
  func get(_ target: String, accept: String = "*/*", encoding: String = "identity") throws -> Answer {
    try ask("GET", target, "", accept, encoding)
  }

  /// The current version of a view.
  func version(of view: String) throws -> Int? {
    let text = try get("/views/\(view)").body
    return text.firstMatch(of: /"version":\s*(\d+)/).flatMap { Int($0.1) }
  }

  private func ask(
    _ method: String, _ target: String, _ body: String, _ accept: String = "*/*", _ encoding: String = "identity"
  ) throws -> Answer {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    let code = withLoopbackAddress(of: port) { connect(descriptor, $0, $1) }
    try #require(code == 0)
    let credentials = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
    let request =
      "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\nAccept: \(accept)\r\n"
      + "Accept-Encoding: \(encoding)\r\n"
      + "\(credentials)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    var rest = Array(request.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &piece, piece.count, 0)
      guard count > 0 else { break }
      bytes += piece[..<count]
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    return Answer(
      status: text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0,
      head: parts.first.map(String.init) ?? "", body: parts.dropFirst().first.map(String.init) ?? "")
  }
}

/// Calls a function of sockets with the address of a port on 127.0.0.1.
func withLoopbackAddress<Result>(of port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
  return withUnsafePointer(to: address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
  }
}
