/// An error with the response that it becomes. Handlers throw it, and
/// ``HTTPHandler/respond(to:onFailure:)`` makes the response.
///
///     throw HTTPError(.notFound, "There is no view “\(id)”.")
///     throw HTTPError(.unprocessableContent, "A slot must be a string.", pointer: "/0/3")
public struct HTTPError: Error, Sendable, Hashable {
  /// The body of the response.
  public var problem: ProblemDetails
  /// Headers besides `Content-Type`, such as `Allow` or `Retry-After`.
  public var headers: HTTPHeaders
  /// The pattern of the route whose handler threw the error. See ``HTTPResponse/route``.
  public var route: String?
  /// See ``HTTPResponse/deferred``.
  public var deferred: DeferredResponse?

  /// An error with any problem details.
  public init(_ problem: ProblemDetails, headers: HTTPHeaders = [:]) {
    self.problem = problem
    self.headers = headers
  }

  /// An error with the usual members of problem details. See ``ProblemDetails``.
  public init(
    _ status: HTTPStatus, _ detail: String? = nil, pointer: String? = nil, offset: Int? = nil,
    headers: HTTPHeaders = [:]
  ) {
    self.init(ProblemDetails(status: status, detail: detail, pointer: pointer, offset: offset), headers: headers)
  }

  /// The status of the response.
  public var status: HTTPStatus { problem.status }

  /// The response: the problem details as JSON, with ``headers``.
  public var response: HTTPResponse {
    var response = HTTPResponse(
      status: problem.status, contentType: ProblemDetails.mediaType, bytes: problem.json)
    for field in headers.fields { response.headers.add(field.name, field.value) }
    response.route = route
    response.deferred = deferred
    return response
  }
}

extension HTTPError: CustomStringConvertible {
  /// The status and the detail, for logs.
  public var description: String { problem.detail.map { "\(problem.status): \($0)" } ?? "\(problem.status)" }
}
