/// An answer: status, headers, body.
///
///     HTTPResponse.json(bytes)
///     HTTPResponse.text("gone\n", status: .gone)
///     HTTPResponse(status: .noContent)
///
/// `Date`, `Content-Length` and the reason phrase are the daemon's. For `HEAD` the body is given all the same: its length
/// is told, its bytes are not sent.
public struct HTTPResponse: Sendable, Hashable {
  /// What follows the headers. An enumeration, because an answer need not be finished when it begins.
  public enum Body: Sendable, Hashable {
    case empty
    case bytes([UInt8])
    /// Written while the client reads, see ``HTTPStream``.
    case stream(HTTPStream)
  }

  public var status: HTTPStatus
  public var headers: HTTPHeaders
  public var body: Body
  /// The pattern of the route that gave it, for logs and metrics: a ``Router`` says so.
  public var route: String?

  public init(status: HTTPStatus = .ok, headers: HTTPHeaders = [:], body: Body = .empty) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// An answer of one media type.
  public init(status: HTTPStatus = .ok, contentType: String, bytes: [UInt8]) {
    self.init(status: status, headers: ["Content-Type": contentType], body: .bytes(bytes))
  }

  /// The bytes of the body, where it has them all.
  public var bytes: [UInt8] {
    switch body {
    case .empty, .stream: []
    case .bytes(let bytes): bytes
    }
  }

  public static func text(_ text: String, status: HTTPStatus = .ok) -> HTTPResponse {
    HTTPResponse(status: status, contentType: "text/plain; charset=utf-8", bytes: Array(text.utf8))
  }

  public static func html(_ markup: String, status: HTTPStatus = .ok) -> HTTPResponse {
    HTTPResponse(status: status, contentType: "text/html; charset=utf-8", bytes: Array(markup.utf8))
  }

  /// JSON is UTF-8 by definition (RFC 8259 §8.1), so the type has no `charset`.
  public static func json(_ bytes: [UInt8], status: HTTPStatus = .ok) -> HTTPResponse {
    HTTPResponse(status: status, contentType: "application/json", bytes: bytes)
  }
}
