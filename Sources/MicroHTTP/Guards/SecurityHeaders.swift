internal import MirrorSupport

/// Adds security headers to every response that does not have its own. `liveview-mirror serve` puts
/// it around all other middleware, so that refusals have the headers too.
///
/// - `X-Content-Type-Options: nosniff`: browsers do not guess media types.
/// - `Referrer-Policy`: links do not reveal addresses of this server.
/// - `Content-Security-Policy`: a response loads nothing and is not shown in frames. So a response
///   that is not meant as a page is harmless if a browser is made to show it.
/// - `Cross-Origin-Opener-Policy`: a window of another origin that opens a page of this server gets
///   no reference to the page's window. A page with a `sandbox` policy must set `unsafe-none`:
///   browsers refuse to show a sandboxed page with any other value (HTML standard).
/// - `Cross-Origin-Resource-Policy`: pages of other origins cannot embed a response. A response for
///   pages without an origin, such as the style sheet of a sandboxed page, must set `cross-origin`.
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

extension HTTPHandler {
  /// Handles a request, and changes the headers of the response or of the thrown error. Any other
  /// error than an ``HTTPError`` becomes a ``HandlerFailure``, which can have headers.
  /// ``OriginCheck`` uses this method too.
  func handle(_ request: HTTPRequest, changing change: (inout HTTPHeaders) -> Void) throws -> HTTPResponse {
    do {
      var response = try handle(request)
      change(&response.headers)
      return response
    } catch var error as HTTPError {
      change(&error.headers)
      throw error
    } catch var failure as HandlerFailure {
      change(&failure.headers)
      throw failure
    } catch {
      var failure = HandlerFailure(cause: error)
      change(&failure.headers)
      throw failure
    }
  }
}

/// An internal error, which is not shown to clients, with the headers of the response that it will
/// become.
struct HandlerFailure: Error {
  let cause: any Error
  var headers: HTTPHeaders = [:]
}

extension HTTPHeaders {
  /// The value of a field that occurs exactly once; otherwise `nil`.
  func only(_ name: String) -> String? { count(of: name) == 1 ? self[name] : nil }

  /// Adds a request header to `Vary`, unless `Vary` contains it already.
  package mutating func vary(on name: String) {
    guard let known = list(of: "Vary") else {
      add("Vary", name)
      return
    }
    let names = known.utf8.split(separator: UInt8(ascii: ",")).map { Substring($0).trimmingOptionalWhitespace }
    if names.contains(where: { $0 == "*" || Self.matches(String($0), name) }) { return }
    self["Vary"] = "\(known), \(name)"
  }
}
