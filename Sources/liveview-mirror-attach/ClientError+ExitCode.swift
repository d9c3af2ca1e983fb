internal import ArgumentParser
internal import LiveViewClient

extension ClientError {
  /// The exit code of a program that ends because of this error.
  var exitCode: ExitCode {
    switch self {
    case .invalidURL: .usage
    case .unreachable: .unavailable
    case .status(_, 401), .status(_, 403): .refused
    case .status, .tooManyRedirects, .tooLarge: .noInput
    case .noLiveView: .badInput
    case .refusedSocket, .unknownProtocol: .badProtocol
    case .staleSession, .refusedJoin: .refused
    case .unknownView, .unanswered, .closed: .failure
    }
  }
}
