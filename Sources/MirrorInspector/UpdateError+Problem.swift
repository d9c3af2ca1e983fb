package import LiveViewMirror
package import MicroHTTP

extension UpdateError {
  /// The problem (RFC 9457) of the contract for each kind of error.
  package var problem: ProblemDetails {
    switch kind {
    case .notJSON:
      ProblemDetails(status: .badRequest, title: "Not JSON", detail: detail, offset: offset)
    case .unfitting:
      ProblemDetails(status: .unprocessableContent, title: "Does not fit the view", detail: detail, pointer: pointer)
    case .unknownView: ProblemDetails(status: .notFound, title: "No such view", detail: reason)
    case .evicted: ProblemDetails(status: .gone, title: "Evicted", detail: reason)
    case .invalidView: ProblemDetails(status: .badRequest, title: "Not a view id", detail: reason)
    case .staleFrame: ProblemDetails(status: .conflict, title: "Stale frame", detail: detail)
    case .calledBySubscriber, .endless: ProblemDetails(status: .conflict, detail: reason)
    case .damaged: ProblemDetails(status: .internalServerError, title: "Damaged", detail: "\(reason).")
    case .outOfMemory:
      ProblemDetails(
        status: .serviceUnavailable, title: "Not enough memory", detail: "\(reason). The view is unchanged.")
    case .notKept:
      ProblemDetails(
        status: .serviceUnavailable, title: "Not kept", detail: "\(reason). Nothing was applied; send it again.")
    case .outdated:
      ProblemDetails(
        status: .serviceUnavailable, title: "Changed by another mirror",
        detail: "\(reason), again and again. Nothing was applied; send it again.")
    }
  }

  private var detail: String { "\(description). The view is unchanged." }

  var asHTTP: HTTPError {
    let problem = problem
    return HTTPError(problem, headers: problem.status == .serviceUnavailable ? ["Retry-After": "1"] : [:])
  }
}
