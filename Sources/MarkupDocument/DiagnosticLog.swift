internal import MirrorSupport

/// The diagnostics of one parse, at most ``limit`` of them: hostile markup can cause more diagnostics than it has bytes.
struct DiagnosticLog {
  static let limit = 100

  private(set) var diagnostics: [MarkupDiagnostic] = []

  /// Appends a diagnostic if there is room. The message is built only then.
  mutating func report(_ code: StaticString, at offset: Int, _ message: @autoclosure () -> String) {
    guard diagnostics.count < Self.limit else { return }
    diagnostics.append(MarkupDiagnostic(code: "\(code)", offset: offset, message: message()))
  }

  /// Whether another diagnostic is kept.
  var hasRoom: Bool { diagnostics.count < Self.limit }

  /// Appends a diagnostic about the node at `index`, if there is room.
  ///
  /// - Parameter element: the innermost open element; `nil` if none is open.
  mutating func report(
    _ code: StaticString, at offset: Int, about index: NodeTree.Index, inside element: Element?,
    _ message: @autoclosure () -> String
  ) {
    guard hasRoom else { return }
    var diagnostic = MarkupDiagnostic(code: "\(code)", offset: offset, message: message())
    diagnostic.inside = element.map { "<\($0.tag)\($0.id.map { "#\($0.beginning(60))" } ?? "")>" }
    diagnostic.element = index
    diagnostics.append(diagnostic)
  }
}
