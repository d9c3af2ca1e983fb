internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// The unknown keys in updates of a view that were reported. Each key gives one diagnostic in the life of the view.
struct ReportedKeys: Sendable {
  /// The maximum number of different keys that are reported. It bounds the memory for them.
  static let limit = 100

  private(set) var names: Set<String> = []

  init() {}

  /// - Parameter names: the keys that were reported before.
  init(reported names: Set<String>) { self.names = names }

  /// The diagnostics of an update for keys that were not reported before.
  mutating func report(_ keys: [UnknownKey]) -> [DocumentDiagnostic] {
    var diagnostics: [DocumentDiagnostic] = []
    for key in keys where names.count < Self.limit && names.insert(key.name).inserted {
      var diagnostic = Self.diagnostic(of: key)
      if names.count == Self.limit { diagnostic.message += "; further unknown keys of this view are not reported" }
      diagnostics.append(diagnostic)
    }
    return diagnostics
  }

  static func diagnostic(of key: UnknownKey) -> DocumentDiagnostic {
    DocumentDiagnostic(
      code: "unknown-key", node: nil,
      message: "the key \"\(key.name)\" at \(key.place.pointer) was ignored: no LiveView up to 1.2 sends it there",
      subject: key.name)
  }
}
