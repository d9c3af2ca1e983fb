/// An error that knows how to become an answer.
///
///     throw HTTPError(.notFound, "There is no view “\(id)”.")
///     throw HTTPError(.unprocessableContent, "A slot must be a string.", pointer: "/0/3")
public struct HTTPError: Error, Sendable, Hashable {
  public var problem: ProblemDetails
  /// Headers besides `Content-Type`, such as `Allow` or `Retry-After`.
  public var headers: HTTPHeaders
  /// The pattern of the route that threw it, see ``HTTPResponse/route``.
  public var route: String?

  public init(_ problem: ProblemDetails, headers: HTTPHeaders = [:]) {
    self.problem = problem
    self.headers = headers
  }

  public init(
    _ status: HTTPStatus, _ detail: String? = nil, pointer: String? = nil, offset: Int? = nil,
    headers: HTTPHeaders = [:]
  ) {
    self.init(ProblemDetails(status: status, detail: detail, pointer: pointer, offset: offset), headers: headers)
  }

  public var status: HTTPStatus { problem.status }

  public var response: HTTPResponse {
    var response = HTTPResponse(
      status: problem.status, contentType: ProblemDetails.mediaType, bytes: problem.json)
    for field in headers.fields { response.headers.add(field.name, field.value) }
    response.route = route
    return response
  }
}

extension HTTPError: CustomStringConvertible {
  public var description: String { problem.detail.map { "\(problem.status): \($0)" } ?? "\(problem.status)" }
}
