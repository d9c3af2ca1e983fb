public import MicroHTTP

/// Shows a person what went wrong as a page: the problems of what stands behind it, whoever made them.
///
/// Stands in front of everything that may refuse a request, so that a browser shows the same words wherever they come
/// from. What is no problem, or was asked for by a program, passes.
public struct ProblemPages: HTTPHandler {
  private let handler: any HTTPHandler

  public init(_ handler: any HTTPHandler) { self.handler = handler }

  public func handle(_ request: HTTPRequest) throws -> HTTPResponse {
    do { return try handler.handle(request) } catch let error as HTTPError where request.isOfPerson {
      let problem = error.problem
      let page = ProblemPage(status: problem.status.code, title: problem.title, detail: problem.detail ?? "")
      var response = HTTPResponse.page(page.html, status: problem.status)
      for field in error.headers.fields { response.headers.add(field.name, field.value) }
      response.route = error.route
      return response
    }
  }
}

extension HTTPRequest {
  /// Whether a browser shows the answer: it asks for a page before anything else.
  fileprivate var isOfPerson: Bool {
    method == .get
      && preferred(among: [ProblemDetails.mediaType, ResourceForm.html.rawValue]) == ResourceForm.html.rawValue
  }
}
