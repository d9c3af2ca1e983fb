public import MicroHTTP

/// Middleware that turns the errors of an inner handler into HTML pages for browsers. The command
/// `serve` places it outside of the guards and the ``Inspector``.
///
/// It encloses every handler that may refuse a request, so a browser shows all errors of `GET` and
/// `HEAD` in the same form. Such errors have `Vary: Accept` for all clients. Responses that are not
/// errors pass unchanged.
public struct ProblemPageMiddleware: HTTPHandler {
  private let handler: any HTTPHandler

  /// - Parameter handler: the inner handler.
  public init(_ handler: any HTTPHandler) { self.handler = handler }

  /// Responds as the inner handler does, with a page for an error if a browser asks for one.
  public func handle(_ request: HTTPRequest) throws -> HTTPResponse {
    do { return try handler.handle(request) } catch var error as HTTPError
      where request.method == .get || request.method == .head
    {
      error.headers.vary(on: "Accept")
      guard request.prefersPages else { throw error }
      let problem = error.problem
      let page = ProblemPage(
        status: problem.status.code, title: error.status == .gone ? "No longer stored" : problem.title,
        detail: problem.detail ?? "", links: error.offers)
      var response = HTTPResponse.page(page.html, status: problem.status)
      for field in error.headers.fields { response.headers.add(field.name, field.value) }
      response.route = error.route
      response.deferred = error.deferred
      return response
    }
  }
}

extension HTTPRequest {
  /// Whether a browser shows the response to a person: its `Accept` header prefers HTML.
  fileprivate var prefersPages: Bool {
    preferred(among: [ProblemDetails.mediaType, ResourceForm.html.rawValue]) == ResourceForm.html.rawValue
  }
}
