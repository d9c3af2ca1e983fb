package import MarkupDocument
internal import MirrorSupport
package import RenderedTree

/// The unknown keys that were reported in the diagnostics of a view's updates. Each key is reported
/// only once for a view, also after remounts. Every view has this analysis
/// (``ProjectionKinds/needed``).
struct ReportedKeys: Projection {
  static let name = "unknown-keys"
  /// The maximum number of different keys that are reported. It bounds the memory for them.
  static let limit = 100

  private(set) var names: Set<String> = []

  init() {}

  func afterRemount() -> ReportedKeys { self }

  mutating func add(
    _ update: PreparedUpdate, making version: Int, of rendered: Rendered, _ document: Document,
    noting notes: inout UpdateNotes
  ) {
    for key in update.extras.unknownKeys where names.count < Self.limit && names.insert(key.name).inserted {
      var diagnostic = key.diagnostic
      if names.count == Self.limit { diagnostic.message += "; further unknown keys of this view are not reported" }
      notes.diagnostics.append(diagnostic)
    }
  }

  func write(to writer: inout SnapshotWriter, _ statics: inout StaticsWriter) {
    writer.write(all: names.sortedByBytes()) { $1.write($0) }
  }

  init(from reader: inout SnapshotReader, _ statics: inout StaticsReader) throws(SnapshotError) {
    names = Set(try reader.all { reader throws(SnapshotError) in try reader.string() })
  }
}

extension UnknownKey {
  package var diagnostic: DocumentDiagnostic {
    DocumentDiagnostic(
      code: "unknown-key", node: nil,
      message: "the key \"\(name)\" at \(place.pointer) was ignored: no LiveView up to 1.2 sends it there",
      subject: name)
  }
}
