/// Adds security headers to every response that does not have its own.
///
/// - `X-Content-Type-Options: nosniff`: browsers do not guess media types.
/// - `Referrer-Policy`: links do not reveal addresses of this server.
/// - `Content-Security-Policy`: a response loads nothing and is not shown in frames. So a response that is not meant as a page
///   is harmless if a browser is made to show it.
/// - `Cross-Origin-Opener-Policy`: a window of another origin that opens a page of this server gets no reference to it. A page
///   with a `sandbox` policy must set `unsafe-none`: browsers refuse to show a sandboxed page with any other value (HTML
///   standard).
/// - `Cross-Origin-Resource-Policy`: pages of other origins cannot embed a response. A response for pages without an origin,
///   such as the style sheet of a sandboxed page, must set `cross-origin`.
public struct SecurityHeaders: HTTPHandler {
  private let handler: any HTTPHandler

  /// - Parameter handler: makes the responses.
  public init(_ handler: any HTTPHandler) { self.handler = handler }

  /// Adds the headers to the response or to the thrown error.
  public func handle(_ request: HTTPRequest) throws -> HTTPResponse {
    try handler.handle(request) { $0.add(missing: Self.fields) }
  }

  private static let fields = [
    HTTPHeaders.Field(name: "X-Content-Type-Options", value: "nosniff"),
    HTTPHeaders.Field(name: "Referrer-Policy", value: "no-referrer"),
    HTTPHeaders.Field(name: "Cross-Origin-Resource-Policy", value: "same-origin"),
    HTTPHeaders.Field(name: "Cross-Origin-Opener-Policy", value: "same-origin"),
    HTTPHeaders.Field(name: "Content-Security-Policy", value: "default-src 'none'; frame-ancestors 'none'"),
  ]
}
