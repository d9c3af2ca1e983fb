/// Says to browsers, with every answer, what they may not do with it, unless the answer says so itself.
///
/// - No type is guessed (`nosniff`), no address is told to others (`Referrer-Policy`).
/// - What is no page loads nothing and stands in no frame (`Content-Security-Policy`): whoever talks a browser into showing
///   it has not won anything.
/// - No window that another site opened keeps a reference to it (`Cross-Origin-Opener-Policy`). A page with a `sandbox` policy
///   must say `unsafe-none`: HTML forbids to show a sandboxed page with another value.
/// - No page of another origin includes it (`Cross-Origin-Resource-Policy`). What is meant for pages without an origin, such
///   as the style of a sandboxed one, says `cross-origin`.
public struct SecurityHeaders: HTTPHandler {
  private let handler: any HTTPHandler

  public init(_ handler: any HTTPHandler) { self.handler = handler }

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
