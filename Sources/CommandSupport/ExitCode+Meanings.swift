package import ArgumentParser

/// The exit codes of `liveview-mirror` and `liveview-mirror-attach` beyond 0 and 1, from
/// sysexits.h.
///
/// The two programs use the same code for the same failure, because `liveview-mirror attach`
/// executes `liveview-mirror-attach`, so the user gets the exit code of the second program.
/// `docs/cli.md` lists the codes for scripts.
extension ExitCode {
  /// A flag or a variable has an invalid value. ArgumentParser uses the same code for unknown
  /// flags.
  package static let usage = ExitCode(64)
  /// The input was read and something in it was rejected, or the page has no LiveView.
  package static let badInput = ExitCode(65)
  /// The input cannot be opened, or the page cannot be loaded.
  package static let noInput = ExitCode(66)
  /// An address or a port cannot be used, or a server cannot be reached.
  package static let unavailable = ExitCode(69)
  /// A file cannot be written.
  package static let cannotWrite = ExitCode(73)
  /// A LiveView did not answer: no carrier is connected, or no answer came in time. The same
  /// command may succeed later.
  package static let noAnswer = ExitCode(75)
  /// The server does not speak Phoenix's channel protocol.
  package static let badProtocol = ExitCode(76)
  /// The mirror needs a token, or the app does not accept the session or refuses the join.
  package static let notPermitted = ExitCode(77)
}

/// The error of a flag whose value is not valid: `--wait: “5” must be a time with a unit, …`.
///
/// - Parameter expectation: the end of the sentence, which begins with “must”.
package func invalid(_ flag: String, _ value: String, _ expectation: String) -> ValidationError {
  ValidationError("\(flag): “\(value)” \(expectation)")
}

extension Option where Value == String? {
  /// An option that may be left out.
  ///
  /// - Parameter valueName: what the help calls the value.
  package init(_ help: String, of valueName: String, completion: CompletionKind? = nil) {
    self.init(help: ArgumentHelp(help, valueName: valueName), completion: completion)
  }
}
