import MicroHTTP
import Testing

@Suite("HostCheck")
struct HostCheckTests {
  private func check(_ allowed: [String] = [], address: String? = nil) throws -> HostCheck {
    HostCheck(echo, allowed: try allowed.map(HostPattern.init), address: address, hint: "Name it with --allow-host.")
  }

  @Test(
    arguments: [
      "localhost", "LOCALHOST", "localhost:1", "localhost:65535", "localhost.", "localhost.:8080", "mirror.localhost",
      "a.b.LocalHost:80", "127.0.0.1", "127.0.0.1:8080", "127.1.2.3", "127.255.255.255", "[::1]", "[::1]:8080",
      "[0:0:0:0:0:0:0:1]",
    ])
  func `every loopback name and address is accepted, at any port`(host: String) throws {
    try expect(try check(), .get, "/", headers: ["Host": host], gives: 200) { $0.status }
  }

  @Test(
    arguments: [
      "evil.test", "evil.test:8080", "localhost.evil.test", "evil-localhost", "evillocalhost", "localhost.com",
      "127.0.0.1.nip.io", "2130706433", "0x7f.1", "0x7f000001", "0177.0.0.1", "127.1", "127.0.1", "127.0.0.01",
      "127.0.0.256", "127.0.0.1.", "128.0.0.1", "0.0.0.0", "[::]", "[::2]", "[::ffff:127.0.0.1]", "[::127.0.0.1]",
      "10.0.0.1", "[fe80::1]", "xn--lcalhost-54a", "local_host",
    ])
  func `a host that only resembles a loopback name or address gets a 421`(host: String) throws {
    try expect(try check(), .get, "/", headers: ["Host": host], gives: 421) { $0.status }
    try expect(try check(), .post, "/", headers: ["Host": host], body: "x", gives: 421) { $0.status }
  }

  @Test(
    arguments: [
      "localhost@evil.test", "evil.test@localhost", "user:pass@localhost", "local host", "localhost evil.test",
      "localhost,evil.test", "localhost/", "localhost/evil.test", "http://localhost", "localhost:", "localhost:0",
      "localhost:65536", "localhost:080", "localhost:-1", "localhost:+1", "localhost:8080:8080", "localhost:80a",
      ":8080",
      ".", "..", ".localhost", "localhost..", "a..localhost", "::1", "[::1", "::1]", "[::1]x", "[::1]:", "[::1%lo]",
      "[::1%25lo]", "[127.0.0.1]", "[]", "[localhost]", "localhost\u{7F}", "lоcalhost", "localhost#", "localhost?",
      "localhost\\evil.test", "*", "localhost;evil.test", "\u{212A}.localhost",
      String(repeating: "a", count: 64) + ".localhost", String(repeating: "a.", count: 125) + "localhost",
    ])
  func `a malformed host gets a 400`(host: String) throws {
    try expect(try check(), .get, "/", headers: ["Host": host], gives: 400) { $0.status }
  }

  @Test(
    arguments: ["", "Host: \r\n", "Host: localhost\r\nHost: localhost\r\n"])
  func `a missing, empty or repeated Host header gets a 400`(lines: String) throws {
    #expect(try exchange("GET / HTTP/1.1\r\n\(lines)\r\n", with: try check()).status == 400)
    #expect(try exchange("GET / HTTP/1.0\r\n\(lines)\r\n", with: try check()).status == 400)
    let fields = lines.split(separator: "\r\n").map { HTTPHeaders.Field(name: "Host", value: String($0.dropFirst(6))) }
    let request = try HTTPRequest(target: "/", headers: HTTPHeaders(fields))
    #expect(try check().respond(to: request).status == .badRequest)
  }

  @Test
  func `a request whose Host header is changed is checked with the new host`() throws {
    var request = try HTTPRequest(target: "/", headers: ["Host": "localhost"])
    request.headers["Host"] = "evil.test"
    #expect(try check().respond(to: request).status == .misdirectedRequest)
    request.headers["Host"] = "localhost"
    #expect(try check().respond(to: request).status == .ok)
    request.headers["Host"] = nil
    #expect(try check().respond(to: request).status == .badRequest)
  }

  @Test(
    arguments: [
      ("http://evil.test/", "localhost", 421), ("http://localhost:1/", "evil.test", 200),
      ("http://[::1]/", "evil.test", 200),
    ])
  func `the host of an absolute target replaces the Host header`(target: String, host: String, status: Int) throws {
    let request = try HTTPRequest(target: target, headers: ["Host": host])
    #expect(try check().respond(to: request).status.code == status)
    // A page of the target's host then has the server's own origin.
    let origin = OriginCheck(echo)
    for (name, passes) in [(host, false), (target.dropFirst(7).dropLast().description, true)] {
      let headers: HTTPHeaders = ["Host": host, "Origin": "http://\(name)"]
      let change = try HTTPRequest(method: .post, target: target, headers: headers)
      #expect(origin.respond(to: change).status == (passes ? .ok : .forbidden), "\(name)")
    }
  }

  @Test
  func `a refusal names the host and gives the hint`() throws {
    let detail =
      "This server does not accept requests for the host \u{201C}mirror.test:8080\u{201D}. Name it with --allow-host."
    try expect(
      try check(), .get, "/", headers: ["Host": "mirror.test:8080"],
      gives: """
        421
        Content-Type: application/problem+json

        {"type":"about:blank","title":"Misdirected Request","status":421,"code":"misdirected-request",\
        "detail":"\(detail)"}

        """)
  }

  @Test(
    arguments: [
      ("mirror.test", "mirror.test", 200), ("mirror.test", "MIRROR.test.:99", 200),
      ("mirror.test", "a.mirror.test", 421),
      ("mirror.test", "evil-mirror.test", 421), (".mirror.test", "mirror.test", 200),
      (".mirror.test", "a.mirror.test", 200),
      (".mirror.test", "a.b.mirror.test:1", 200), (".mirror.test", "evilmirror.test", 421),
      (".mirror.test", "mirror.test.evil.test", 421), ("192.168.1.7", "192.168.1.7:8080", 200),
      ("192.168.1.7", "192.168.1.8", 421), ("fe80::1", "[fe80::1]", 200), ("[fe80::1]", "[FE80:0::1]:80", 200),
    ])
  func `an allowed host is accepted, and a similar one gets a 421`(pattern: String, host: String, status: Int) throws {
    try expect(try check([pattern]), .get, "/", headers: ["Host": host], gives: status) { $0.status }
  }

  @Test(
    arguments: [
      ("10.1.2.3", "10.1.2.3:8080", 200), ("10.1.2.3", "10.1.2.4", 421), ("fd00::7", "[fd00::7]", 200),
      ("0.0.0.0", "0.0.0.0", 421), ("0.0.0.0", "10.1.2.3", 421), ("::", "[::]", 421), ("0.0.0.0", "localhost", 200),
    ])
  func `the listening address is accepted unless it is a wildcard`(address: String, host: String, status: Int) throws {
    try expect(try check(address: address), .get, "/", headers: ["Host": host], gives: status) { $0.status }
  }

  @Test(
    arguments: [
      "", ".", "*", "*.mirror.test", "http://mirror.test", "mirror.test:80", "mirror.test/", "a b", "[::1]:80",
      ".1.2.3.4",
      "fe80::1%eth0", "..mirror.test",
    ])
  func `an invalid host pattern is an error`(text: String) {
    #expect(throws: HostPatternError.self) { try HostPattern(text) }
  }
}
