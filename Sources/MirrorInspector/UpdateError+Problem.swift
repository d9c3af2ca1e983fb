package import LiveViewMirror
package import MicroHTTP

extension UpdateError {
  /// The problem (RFC 9457) of the HTTP API for each kind of error. The routes respond with it, and
  /// the log has it for each rejected input.
  package var problem: ProblemDetails {
    switch kind {
    case .notJSON: ProblemDetails(.invalidJSON, title: "Not JSON", detail, offset: offset)
    case .unfitting: ProblemDetails(.unfitting, title: "Does not fit the view", detail, pointer: pointer)
    case .unknownView: ProblemDetails(.unknownView, title: "No such view", reason)
    case .evicted: ProblemDetails(.evictedView, title: "Evicted", reason)
    case .invalidView: ProblemDetails(.invalidViewID, title: "Not a view id", reason)
    case .staleFrame: ProblemDetails(.staleFrame, title: "Stale frame", detail)
    case .calledBySubscriber, .endless: ProblemDetails(.nestedUpdate, reason)
    case .damaged: ProblemDetails(.damaged, title: "Damaged", "\(reason).")
    case .outOfMemory:
      ProblemDetails(.outOfMemory, title: "Not enough memory", "\(reason). The view is unchanged.")
    case .notKept:
      ProblemDetails(.notKept, title: "Not kept", "\(reason). Nothing was applied; send it again.")
    case .outdated:
      ProblemDetails(
        .outdated, title: "Changed by another mirror",
        "\(reason), again and again. Nothing was applied; send it again.")
    }
  }

  private var detail: String { "\(description). The view is unchanged." }

  var asHTTP: HTTPError {
    let problem = problem
    return HTTPError(problem, headers: problem.status == .serviceUnavailable ? ["Retry-After": "1"] : [:])
  }
}
