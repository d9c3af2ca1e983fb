/// The diagnostics of one parse, at most ``limit`` of them: hostile markup can cause more diagnostics than it has bytes.
struct DiagnosticLog {
  static let limit = 100

  private(set) var diagnostics: [MarkupDiagnostic] = []

  /// Appends a diagnostic if there is room. The message is built only then.
  mutating func report(_ code: StaticString, at offset: Int, _ message: @autoclosure () -> String) {
    guard diagnostics.count < Self.limit else { return }
    diagnostics.append(MarkupDiagnostic(code: "\(code)", offset: offset, message: message()))
  }
}
