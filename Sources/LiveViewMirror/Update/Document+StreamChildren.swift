internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

extension Document {
  /// Diagnostics of items that a stream operation updates (`update_only`) or deletes, although the
  /// document does not have them. The client ignores such items without a message. A deleted item
  /// that the same operation inserts is not reported. Scoped and full updates add these diagnostics
  /// to the record.
  ///
  /// - Parameter streams: the operations of one diff, before they are applied to the document.
  /// - Returns: at most two diagnostics for each of the first ``listedStreams`` streams.
  /// - Complexity: O(*items*).
  func unknownChildren(of streams: [StreamOperation]) -> [DocumentDiagnostic] {
    var diagnostics: [DocumentDiagnostic] = []
    for stream in streams.prefix(Self.listedStreams) {
      let updates = stream.inserts.filter { $0.updateOnly && count(ofID: $0.id) == 0 }.map(\.id)
      if let diagnostic = Self.unknownChildren(updates, of: stream.ref, "update", "updates") {
        diagnostics.append(diagnostic)
      }
      let inserted = stream.deletes.isEmpty ? [] : Set(stream.inserts.map(\.id))
      let deletes = stream.deletes.filter { count(ofID: $0) == 0 && !inserted.contains($0) }
      if let diagnostic = Self.unknownChildren(deletes, of: stream.ref, "delete", "deletes") {
        diagnostics.append(diagnostic)
      }
    }
    return diagnostics
  }

  /// The number of streams of one diff whose operations are checked.
  private static let listedStreams = 20

  private static func unknownChildren(
    _ ids: [String], of stream: String, _ operation: String, _ operates: String
  ) -> DocumentDiagnostic? {
    guard let first = ids.first else { return nil }
    let more = ids.count > 1 ? " and \(ids.count - 1) more" : ""
    return DocumentDiagnostic(
      code: "unknown-stream-child", node: nil,
      message:
        "stream \"\(stream.beginning(60))\" \(operates) the item \"\(first.beginning(60))\"\(more), which the page "
        + "does not have; browsers ignore it",
      subject: "\(operation) \(stream)")
  }
}
