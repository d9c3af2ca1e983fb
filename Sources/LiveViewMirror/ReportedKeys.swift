internal import MarkupDocument
internal import RenderedTree

/// The unknown keys of a view's updates that were reported: each is a diagnostic once in the life of the view.
struct ReportedKeys: Sendable {
  /// Different keys beyond this number are not reported; so the memory for them does not grow with the input.
  static let limit = 100

  private var names: Set<String> = []

  /// The diagnostics of an update.
  mutating func report(_ keys: [UnknownKey]) -> [DocumentDiagnostic] {
    var diagnostics: [DocumentDiagnostic] = []
    for key in keys where names.count < Self.limit && names.insert(key.name).inserted {
      let end = names.count == Self.limit ? "; further unknown keys of this view are not reported" : ""
      diagnostics.append(
        DocumentDiagnostic(
          code: "unknown-key", node: nil,
          message:
            "the key \"\(key.name)\" at \(key.place.pointer) was ignored: no LiveView up to 1.2 sends it there\(end)"))
    }
    return diagnostics
  }
}
