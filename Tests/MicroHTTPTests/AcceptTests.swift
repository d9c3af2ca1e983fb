import MicroHTTP
import Testing

@Suite("Accept")
struct AcceptTests {
  @Test(
    arguments: [
      (nil, "application/json"),
      ("*/*", "application/json"),
      ("", "application/json"),
      ("nonsense", "application/json"),
      ("text/html", "text/html; charset=utf-8"),
      ("TEXT/HTML", "text/html; charset=utf-8"),
      ("text/plain", "text/plain"),
      ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html; charset=utf-8"),
      ("text/plain;q=0.5, text/html;q=0.6", "text/html; charset=utf-8"),
      ("text/*", "text/html; charset=utf-8"),
      ("text/*, text/html;q=0.1", "text/plain"),
      ("*/*, application/json;q=0", "text/html; charset=utf-8"),
      ("*/*;q=0.1, application/json;q=0.1", "application/json"),
      ("text/html;charset=utf-8, application/json;q=0.9", "text/html; charset=utf-8"),
      ("text/html;level=1, text/plain;q=0.3", "text/plain"),
      ("text/plain ; q=0.999 , application/json ; q=1.000", "application/json"),
      ("application/*;q=0.2, text/plain;q=0.3", "text/plain"),
      ("*/html, text/plain", "text/plain"),
      ("image/png", "nothing"),
      ("application/json;q=0, text/*;q=0.0", "nothing"),
      ("text/html;q=2, text/plain;q=0.1", "text/plain"),
    ] as [(String?, String)])
  func `the offer that Accept prefers is chosen`(accept: String?, expected: String) throws {
    let handler = ClosureHandler { request in
      .text(request.preferred(among: ["application/json", "text/html; charset=utf-8", "text/plain"]) ?? "nothing")
    }
    try expect(
      handler, .get, "/", headers: accept.map { ["Accept": $0] } ?? [:],
      gives: """
        200
        Content-Type: text/plain; charset=utf-8

        \(expected)
        """)
  }

  @Test
  func `several Accept headers are read as one list`() throws {
    let request = try HTTPRequest(target: "/", headers: ["Accept": "text/html;q=0.1", "accept": "text/plain"])
    #expect(request.preferred(among: ["text/html", "text/plain"]) == "text/plain")
  }

  @Test
  func `an empty list of offers gives nil`() throws {
    #expect(try HTTPRequest(target: "/").preferred(among: []) == nil)
  }
}
