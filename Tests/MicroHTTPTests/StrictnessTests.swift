import MicroHTTP
import Testing

/// Requests that the grammar of HTTP forbids, but that libmicrohttpd accepts or answers in a way of
/// its own.
@Suite("Strictness")
struct StrictnessTests {
  static let get = "GET /a HTTP/1.1\r\n"
  static let host = "Host: a\r\n"
  static let post = "POST /a HTTP/1.1\r\nHost: a\r\n"
  static let chunked = "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

  static let separated: [String] = [
    get + host + "X: a\r\n b\r\n\r\n",
    get + host + "X: a\r\n b\r\nY: c\r\n\r\n",
    "GET /a HTTP/1.1\nHost: a\n\n",
    "GET /a HTTP/1.1\nHost: a\r\n\r\n",
    get + "Host: a\n\r\n",
    get + "Host: a\r\n\n",
    get + "Host: a\nX: b\r\n\r\n",
    get + host + "X: a\0b\r\n\r\n",
    get + host + "X: a\0b\r\nY: c\r\n\r\n",
    "GET /a\0b HTTP/1.1\r\n" + host + "\r\n",
    "GET /a\0 HTTP/1.1\r\n" + host + "\r\n",
    "GE\0T /a HTTP/1.1\r\n" + host + "\r\n",
    "GET  /a HTTP/1.1\r\n" + host + "\r\n",
    "GET /a HTTP/1.0\n\n",
    "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\n\r\nok",
  ]

  static let written: [String] = [
    get + host + "X : a\r\n\r\n",
    get + host + "X y: a\r\n\r\n",
    get + host + "X: a\u{1}b\r\n\r\n",
    get + host + "X: a\u{7F}b\r\n\r\n",
    get + host + "X: a\rb\r\n\r\n",
    get + host + "X\u{1}: a\r\n\r\n",
    get + host + "X\u{E9}: a\r\n\r\n",
    post + "Content-Length: 4\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "F{}O /a HTTP/1.1\r\n" + host + "\r\n",
  ]

  static let other: [(String, Int)] = [
    (get + "\r\n", 400),
    (get + " X: a\r\n" + host + "\r\n", 400),
    (get + host + ": a\r\n\r\n", 400),
    (get + host + host + "\r\n", 400),
    (get + "Host: a\r\nhOST: b\r\n\r\n", 400),
    ("POST /a HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    (post + "Expect: something\r\nContent-Length: 1\r\n\r\nx", 417),
    (post + "Transfer-Encoding: \u{B}chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n", 400),
  ]

  /// All bytes that the server sends on a new connection until it closes the connection.
  func allBytes(answering sent: String, with handler: any HTTPHandler = echo) throws -> String {
    try withServer(handler, timeLimits: TimeLimits(head: .milliseconds(100))) { server in
      let client = try RawClient(port: server.port)
      client.send(sent)
      return client.receiveRest()
    }
  }

  @Test(
    arguments: separated)
  func `a head with separators that RFC 9112 forbids is refused, and the connection is closed`(sent: String) throws {
    let answer = try allBytes(answering: sent)
    #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    #expect(answer.contains("Connection: close\r\n"))
    #expect(answer.contains("application/problem+json"))
    #expect(answer.contains("is not separated as RFC 9112 requires"))
    #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2)
  }

  @Test(arguments: written)
  func `a header name, header value or method with a forbidden byte is refused, and the connection is closed`(
    sent: String
  ) throws {
    let answer = try allBytes(answering: sent)
    #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    #expect(answer.contains("Connection: close\r\n"))
    #expect(answer.contains("contains a character that RFC 9110 forbids there"))
  }

  @Test(arguments: other)
  func `a head that is ambiguous, or whose expectation is unknown, is refused, and the connection is closed`(
    sent: String, status: Int
  ) throws {
    let answer = try allBytes(answering: sent)
    #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
    #expect(answer.contains("Connection: close\r\n"))
    #expect(answer.contains("application/problem+json"))
  }

  @Test(
    arguments: [
      get + host + "\r\n",
      get + "Host:a\r\n\r\n",
      get + "Host: \t a \t\r\nX:\r\nY: \r\nZ: a\tb \u{E9}\r\n\r\n",
      "\r\n" + get + host + "\r\n",
      "GET /a HTTP/1.0\r\n\r\n",
      "GET /a HTTP/1.0\r\nHost: a\r\n\r\n",
      "GET /a HTTP/1.2\r\nHost: a\r\n\r\n",
      get + host + "Connection: upgrade\r\nUpgrade: h2c\r\n\r\n",
      get + host + "Cookie: a=b; c=d\r\nX: 1\r\nX: 2\r\n\r\n",
    ])
  func `a head that follows the grammar is accepted`(sent: String) throws {
    #expect(try exchange(sent, with: echo).body == #"GET ["a"] [] 0"#)
  }

  @Test
  func `whitespace around a header value is not part of the value`() throws {
    let values = ClosureHandler { request in .text("[\(request.headers["X"] ?? "-")][\(request.headers["Y"] ?? "-")]") }
    #expect(try exchange(request(.get, "/", headers: ["X": " \ta b \t ", "Y": " "]), with: values).body == "[a b][]")
  }

  @Test(arguments: separated.prefix(12))
  func `a malformed request behind two valid ones on the same connection is refused`(sent: String) throws {
    let requests = request(.get, "/1") + request(.post, "/2", body: "abc") + sent + request(.get, "/3")
    let answer = try allBytes(answering: requests)
    #expect(answer.components(separatedBy: "200 OK").count == 3)
    #expect(answer.components(separatedBy: "400 Bad Request").count == 2)
  }

  @Test(arguments: [1, 100, 1000, 3000])
  func `a query with thousands of items is parsed completely`(count: Int) throws {
    let query = (0..<count).map { "a\($0 % 10)" }.joined(separator: "&")
    let handler = ClosureHandler { request in .text("\(request.queryItems.count) \(request.query?.utf8.count ?? 0)") }
    #expect(try exchange(request(.get, "/a?\(query)"), with: handler).body == "\(count) \(query.utf8.count)")
  }

  @Test
  func `OPTIONS with the target * lists the methods in Allow`() throws {
    let answer = try exchange("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", with: echo)
    #expect(answer.status == 204)
    #expect(answer.headers["Allow"] == "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")
    #expect(try exchange("GET * HTTP/1.1\r\nHost: a\r\n\r\n", with: echo).status == 400)
  }

  @Test(
    arguments: [
      ("CONNECT a:80 HTTP/1.1\r\n" + host + "\r\n", 400),
      ("GET /a b HTTP/1.1\r\n" + host + "\r\n", 400), ("GET /a#b HTTP/1.1\r\n" + host + "\r\n", 400),
      ("GET /a HTTP/2.0\r\n" + host + "\r\n", 505), ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505), ("GET /a\r\n\r\n", 400),
      ("GET /a HTTP/1.1x\r\n" + host + "\r\n", 400), ("GET HTTP/1.1\r\n" + host + "\r\n", 400),
      ("GET /\(String(repeating: "x", count: 40_000)) HTTP/1.1\r\n" + host + "\r\n", 414),
      (get + host + String(repeating: "X: y\r\n", count: 10_000) + "\r\n", 431),
    ])
  func `a malformed or overlong request line is refused, and so is an overlong head`(sent: String, status: Int) throws {
    #expect(try exchange(sent, with: echo).status == status)
  }

  /// libmicrohttpd drops a connection without a response if its memory has no room for the head of
  /// the response.
  @Test(arguments: ["target", "header", "headers"])
  func `a request with a long head is refused, or applied and answered`(longPart: String) throws {
    let applied = Collected<Int>()
    let handler = ClosureHandler { request in
      applied.append(request.body.count)
      return HTTPResponse(headers: ["X-Long": String(repeating: "y", count: 1_500)], body: .bytes(Array("ok".utf8)))
    }
    try withServer(handler) { server in
      for size in stride(from: 15_000, through: 21_500, by: 11) {
        let head =
          switch longPart {
          case "target": "POST /a?\(String(repeating: "x", count: size)) HTTP/1.1\r\n" + Self.host
          case "header": Self.post + "X: \(String(repeating: "x", count: size))\r\n"
          default: Self.post + String(repeating: "X: \(String(repeating: "x", count: 93))\r\n", count: size / 164)
          }
        let before = applied.all.count
        let client = try RawClient(port: server.port)
        client.send(head + "Content-Length: 2\r\n\r\nok")
        let status = (try? client.receive())?.status
        #expect(status.map([200, 414, 431].contains) ?? (size > 17_000), "\(size)")
        #expect((applied.all.count > before) == (status == 200), "\(size)")
      }
    }
  }

  /// A request for each case in which docs/http-api.md says that the server closes the connection.
  static let closing: [(String, Int)] =
    separated.map { ($0, 400) } + written.map { ($0, 400) } + other + [
      (get + host + host + "\r\n", 400), (post + "Content-Length: 1\r\nContent-Length: 1\r\n\r\nx", 400),
      (post + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
      (post + "Transfer-Encoding: gzip\r\n\r\n", 501), (post + "Transfer-Encoding: chunked \r\n\r\n0\r\n\r\n", 501),
      ("GET a HTTP/1.1\r\n" + host + "\r\n", 400), ("GET * HTTP/1.1\r\n" + host + "\r\n", 400),
      ("GET /a#b HTTP/1.1\r\n" + host + "\r\n", 400), ("GET /a\u{1}b HTTP/1.1\r\n" + host + "\r\n", 400),
      ("CONNECT a:80 HTTP/1.1\r\n" + host + "\r\n", 400),
      ("GET ftp://a/ HTTP/1.1\r\n" + host + "\r\n", 400), ("GET http:///a HTTP/1.1\r\n" + host + "\r\n", 400),
      ("POST a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok", 400),
    ]

  @Test(arguments: closing)
  func `the server closes the connection at once in each documented case`(sent: String, status: Int) throws {
    // The default time limits are much longer than the five seconds below, so none of them closes
    // the connection.
    try withServer(echo) { server in
      let client = try RawClient(port: server.port)
      client.send(sent)
      let answer = try client.receive()
      #expect(answer.status == status)
      #expect(client.waitForBytes(milliseconds: 5_000))
      #expect(client.isClosed())
    }
  }

  @Test
  func `a refused request whose end is known leaves the connection open`() throws {
    try withServer(echo) { server in
      let client = try RawClient(port: server.port)
      client.send(request(.post, "/", headers: ["Content-Encoding": "gzip"], body: "abc"))
      #expect(try client.receive().status == 415)
      client.send(request(.get, "/%zz"))
      #expect(try client.receive().status == 400)
      client.send("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.receive().status == 204)
      client.send(request(.get, "/"))
      #expect(try client.receive().status == 200)
      #expect(!client.waitForBytes(milliseconds: 50))
    }
  }

  @Test(
    arguments: [
      ("http://b.test:80/a?x=1", "b.test:80", "/a x=1"), ("HTTP://B.test/a/", "B.test", "/a/ -"),
      ("https://b.test?x", "b.test", "/ x"), ("http://[::1]:8080", "[::1]:8080", "/ -"),
      ("http://b.test//a", "b.test", "//a -"), ("http://b.test/http://c.test/", "b.test", "/http://c.test/ -"),
    ])
  func `a target in absolute form supplies the path, and its host replaces the Host header`(
    target: String, host: String, path: String
  ) throws {
    let handler = ClosureHandler { request in
      .text(
        "\(request.headers["Host"] ?? "none")|\(request.path) \(request.query ?? "-")|\(request.headers.fields.count)")
    }
    let sent = "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n"
    // Twice on one connection: the server recognises the second head by its bytes and does not
    // parse it again.
    try withServer(handler) { server in
      let client = try RawClient(port: server.port)
      for _ in 1...2 {
        client.send(sent)
        #expect(try client.receive().body == "\(host)|\(path)|1")
      }
    }
  }

  @Test
  func `an HTTP/1.1 request in absolute form still needs exactly one Host header`() throws {
    #expect(try exchange("GET http://b/a HTTP/1.1\r\n\r\n", with: echo).status == 400)
    #expect(try exchange("GET http://b/a HTTP/1.1\r\nHost: b\r\nHost: b\r\n\r\n", with: echo).status == 400)
    #expect(try exchange("GET http://b/a HTTP/1.0\r\n\r\n", with: echo).status == 200)
  }

  @Test(
    arguments: [
      "http://", "http:///a", "http://user@b/a", "http://b:0/", "http://b:99999/", "http://b c/", "http:/b",
      "http://b#x",
      "ws://b/", "file:///a", "http://[::1/", "//b/a b", "b/a", "",
    ])
  func `a target in absolute form without a valid http host is refused`(target: String) throws {
    #expect(throws: HTTPError.self) { try HTTPRequest(target: target) }
  }

  @Test(
    arguments: [
      ("Content-Length: \t 2", "ok"), ("Content-Length:2", "ok"), ("Content-Length:   2", "ok"),
      ("Transfer-Encoding: \t chunked", "2\r\nok\r\n0\r\n\r\n"), ("Transfer-Encoding:CHUNKED", "2\r\nok\r\n0\r\n\r\n"),
    ])
  func `whitespace before Content-Length and Transfer-Encoding values is ignored`(header: String, body: String) throws {
    try withServer(echo) { server in
      let client = try RawClient(port: server.port)
      client.send("POST /a HTTP/1.1\r\nHost: a\r\n\(header)\r\n\r\n\(body)" + request(.get, "/next"))
      #expect(try client.receive().body == #"POST ["a"] [] 2"#)
      #expect(try client.receive().body == #"GET ["next"] [] 0"#)
    }
  }

  @Test(
    arguments: [
      "Content-Length: 2 ", "Content-Length: 2\t", "Transfer-Encoding: chunked ", "Transfer-Encoding: chunked\t",
    ])
  func `whitespace after Content-Length and Transfer-Encoding values is refused`(header: String) throws {
    let answer = try allBytes(answering: "POST /a HTTP/1.1\r\nHost: a\r\n\(header)\r\n\r\nok" + request(.get, "/next"))
    #expect(answer.hasPrefix("HTTP/1.1 400 ") || answer.hasPrefix("HTTP/1.1 501 "))
    #expect(answer.contains("Connection: close\r\n"))
    #expect(!answer.contains("200 OK"))
  }

  @Test(
    arguments: ["get", "TRACE", "FOO", "CONNECT"])
  func `a method without a route gets a 405`(method: String) throws {
    var router = Router()
    router.on(.get, "/a") { _ in .text("a") }
    #expect(try exchange("\(method) /a HTTP/1.1\r\nHost: a\r\n\r\n", with: router).status == 405)
  }

  @Test(
    arguments: [
      "-1", "+1", "0x1", "1, 1", "", "1 1", "99999999999999999999999", "18446744073709551615", "9223372036854775808",
    ])
  func `a Content-Length that is not a valid number is refused`(length: String) throws {
    let answer = try allBytes(answering: Self.post + "Content-Length: \(length)\r\n\r\nx")
    #expect(answer.hasPrefix("HTTP/1.1 400 ") || answer.hasPrefix("HTTP/1.1 413 "))
    #expect(answer.contains("Connection: close\r\n"))
  }

  @Test(
    arguments: [
      "g\r\nx\r\n0\r\n\r\n", "-1\r\nx\r\n0\r\n\r\n", "fffffffffffffffff\r\nx\r\n0\r\n\r\n", "0x1\r\nx\r\n0\r\n\r\n",
      " 1\r\nx\r\n0\r\n\r\n", "1\r\nxx\r\n0\r\n\r\n", "\r\nx\r\n0\r\n\r\n",
    ])
  func `a malformed chunk is refused`(body: String) throws {
    let answer = try allBytes(answering: Self.chunked + body)
    #expect(answer.hasPrefix("HTTP/1.1 4"))
    #expect(answer.contains("Connection: close\r\n"))
  }

  @Test(
    arguments: ["\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}hello", "\u{0}\u{1}\u{2}\r\n\r\n", "\r\n\r\n\r\n"])
  func `a connection whose bytes are not HTTP is closed`(sent: String) throws {
    let answer = try allBytes(answering: sent)
    #expect(answer == "" || answer.hasPrefix("HTTP/1.1 4"))
  }
}

extension String {
  fileprivate func components(separatedBy separator: String) -> [Substring] {
    split(separator: separator, omittingEmptySubsequences: false)
  }
}
