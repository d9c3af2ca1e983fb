import MicroHTTP
import Testing

@Suite("SecurityHeaders")
struct SecurityHeadersTests {
  private static let all = """
    X-Content-Type-Options: nosniff
    Referrer-Policy: no-referrer
    Cross-Origin-Resource-Policy: same-origin
    Cross-Origin-Opener-Policy: same-origin
    Content-Security-Policy: default-src 'none'; frame-ancestors 'none'
    """

  struct Unexpected: Error {}

  @Test(arguments: [200, 204, 303, 404, 500, 503])
  func `every response has the security headers, including errors`(status: Int) throws {
    let handler = SecurityHeaders(
      ClosureHandler { _ in
        if status == 500 { throw Unexpected() }
        if status >= 400 { throw HTTPError(HTTPStatus(code: status)) }
        return HTTPResponse(status: HTTPStatus(code: status))
      })
    try expect(handler, .get, "/", gives: "\(status)\n\(Self.all)") { answer in
      var answer = answer
      answer.headers["Content-Type"] = nil
      answer.body = ""
      answer.headers["Content-Length"] = nil
      return "\(answer)"
    }
  }

  @Test
  func `headers that a handler sets are not replaced`() throws {
    let own: HTTPHeaders = [
      "content-security-policy": "default-src 'self'", "cross-origin-resource-policy": "cross-origin",
      "cross-origin-opener-policy": "unsafe-none", "referrer-policy": "origin", "x-content-type-options": "nosniff",
    ]
    let handler = SecurityHeaders(ClosureHandler { _ in HTTPResponse(status: .noContent, headers: own) })
    try expect(handler, .get, "/", gives: "204\n\(own)")
  }
}
