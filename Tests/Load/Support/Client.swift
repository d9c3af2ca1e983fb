/// Sends requests to the mirror one after another on a persistent connection.
final class Client {
  private let port: UInt16
  private let source: Int?
  /// Seconds until a response counts as missing.
  private let patience: Int
  private var connection: Connection?

  init(port: UInt16, source: Int? = nil, patience: Int = 30) {
    self.port = port
    self.patience = patience
    self.source = source
  }

  /// - Throws: if there is no response, or a malformed one.
  func ask(
    _ method: String, _ target: String, _ body: [UInt8] = [], headers: [String] = []
  ) throws -> Answer {
    var request = "\(method) \(target) HTTP/1.1\r\nHost: localhost:\(port)\r\n"
    for header in headers { request += header + "\r\n" }
    if method != "GET" { request += "Content-Length: \(body.count)\r\n" }
    let bytes = Array((request + "\r\n").utf8) + body

    let isKept = connection != nil
    do { return try exchange(bytes) } catch let failure as LoadFailure {
      connection = nil
      // The server may have closed the persistent connection meanwhile.
      guard isKept else { throw failure }
      return try exchange(bytes)
    }
  }

  func get(_ target: String) throws -> Answer { try ask("GET", target) }
  func post(_ target: String, _ body: String) throws -> Answer { try ask("POST", target, Array(body.utf8)) }

  /// A request that must succeed.
  @discardableResult
  func expect(_ answer: Answer) throws -> Answer {
    guard answer.status / 100 == 2 else { throw LoadFailure("\(answer.status): \(answer.text.prefix(300))") }
    return answer
  }

  private func exchange(_ request: [UInt8]) throws -> Answer {
    let connection = try connection ?? Connection(port: port, source: source, patience: patience)
    self.connection = connection
    guard connection.send(request) else { throw LoadFailure("cannot send") }
    // A long response is parsed once at the end, because parsing after each part would take longer
    // than the transfer.
    var wanted = 0
    while true {
      if connection.unread.count >= wanted, let (answer, length) = try Answer.read(connection.unread) {
        _ = connection.take(length)
        if answer.status == 100 { continue }
        if answer.header("connection") == "close" { self.connection = nil }
        return answer
      }
      if wanted == 0, let (head, start) = try Answer.readHead(connection.unread),
        let length = head.header("content-length").flatMap({ Int($0) })
      {
        wanted = start + length
      }
      switch connection.fill() {
      case .bytes: continue
      case .nothingYet: throw LoadFailure("no answer for \(patience) s")
      case .end, .reset: throw LoadFailure("the connection was closed before the answer was complete")
      }
    }
  }
}
