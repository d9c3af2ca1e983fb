internal import ArgumentParser
internal import CommandSupport
internal import LiveViewClient

extension ClientError {
  /// The exit code of a program that ends because of this error. ``Attachment`` and ``ScenarioRun``
  /// return it.
  var exitCode: ExitCode {
    switch self {
    case .invalidURL, .invalidHeader: .usage
    case .unreachable, .failedExchange, .lostSocket: .unavailable
    case .status(_, 401), .status(_, 403): .notPermitted
    case .status, .tooManyRedirects, .unsupportedRedirect, .tooLarge: .noInput
    case .noLiveView: .badInput
    case .refusedSocket, .unknownProtocol: .badProtocol
    case .staleSession, .refusedJoin: .notPermitted
    case .unknownView, .unanswered, .closed: .failure
    }
  }
}
