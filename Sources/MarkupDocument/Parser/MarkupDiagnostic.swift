internal import MirrorSupport

/// A note about a fault in the markup of a page, which the parser repairs or accepts. `Page` lists
/// the diagnostics of its markup, and the record of an update shows them.
///
/// Malformed pages produce diagnostics; malformed requests produce errors.
public struct MarkupDiagnostic: Hashable, Sendable {
  /// A stable identifier of the kind, such as `duplicate-attribute`.
  public var code: String
  /// The position in the markup, in UTF-8 bytes.
  public var offset: Int
  /// What is wrong and how browsers repair it, as a sentence.
  public var message: String
  /// The innermost open element, such as `<td>` or `<div#menu>`; `nil` if none was open, or for a
  /// fault inside a tag. Unlike ``offset``, this name does not change when earlier content of the
  /// page changes.
  public var inside: String?
  /// The storage index in the parsed tree of the element that ``inside`` names. For
  /// `unclosed-element`, the index of the unclosed element itself.
  package var element: NodeTree.Index?

  /// A diagnostic about the markup at `offset`.
  public init(code: String, offset: Int, message: String, inside: String? = nil) {
    self.code = code
    self.offset = offset
    self.message = message
    self.inside = inside
  }
}

/// The diagnostics of one parse, at most ``limit`` of them: hostile markup can cause more
/// diagnostics than it has bytes.
struct DiagnosticLog {
  static let limit = 100

  private(set) var diagnostics: [MarkupDiagnostic] = []

  /// Whether browsers read the markup. If not, messages do not describe how browsers repair it.
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

  /// Whether the log can keep another diagnostic.
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
