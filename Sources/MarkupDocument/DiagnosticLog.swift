/// What a parse has to say, up to a limit: hostile markup could say more than it holds.
struct DiagnosticLog {
  static let limit = 100

  private(set) var diagnostics: [MarkupDiagnostic] = []

  /// The sentence is only made when there is room for it.
  mutating func report(_ code: StaticString, at offset: Int, _ message: @autoclosure () -> String) {
    guard diagnostics.count < Self.limit else { return }
    diagnostics.append(MarkupDiagnostic(code: "\(code)", offset: offset, message: message()))
  }
}
