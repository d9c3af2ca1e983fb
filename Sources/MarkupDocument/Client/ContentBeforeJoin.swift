/// The content of a view's element before the view joins. A mount chooses it from the frames of the
/// join and passes it to ``Document/mounting(_:dialect:epoch:streams:over:rules:)``. The result of
/// the join can depend on it.
package enum ContentBeforeJoin: Sendable {
  /// No content.
  case nothing
  /// The page itself, rendered without a connection, as on a first page load.
  case page
  /// The document of an earlier join.
  case document(Document)

  /// Whether a join over this content may result in another document than the page alone.
  package func matters(to page: borrowing Page, streams: [StreamPatch]) -> Bool {
    if !streams.isEmpty || page.hasClientRules { return true }
    if case .document(let document) = self { return document.hasClientRules || document.hasDuplicateIDs }
    return false
  }
}
