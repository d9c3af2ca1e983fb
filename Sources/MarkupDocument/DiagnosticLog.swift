internal import MirrorSupport

/// The diagnostics of one parse, at most ``limit`` of them: hostile markup can cause more diagnostics than it has bytes.
struct DiagnosticLog {
  static let limit = 100

  private(set) var diagnostics: [MarkupDiagnostic] = []

  /// Whether browsers read the markup. Otherwise no message says what they make of it.
  private let isForBrowsers: Bool

  init(for dialect: Dialect) { isForBrowsers = dialect.hasHTMLElements }

  /// Appends a diagnostic if there is room. The message is built only then.
  mutating func report(_ code: StaticString, at offset: Int, _ message: @autoclosure () -> String) {
    guard diagnostics.count < Self.limit else { return }
    diagnostics.append(MarkupDiagnostic(code: "\(code)", offset: offset, message: message()))
  }

  /// As ``report(_:at:_:)``, for a fault that markup of every dialect can have.
  ///
  /// - Parameters:
  ///   - message: what is wrong, without a full stop.
  ///   - repair: what browsers do. Markup that browsers do not read has a message without it.
  mutating func report(
    _ code: StaticString, at offset: Int, _ message: @autoclosure () -> String, browsers repair: StaticString
  ) {
    let isForBrowsers = isForBrowsers
    report(code, at: offset, isForBrowsers ? "\(message()): browsers \(repair)." : "\(message()).")
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
