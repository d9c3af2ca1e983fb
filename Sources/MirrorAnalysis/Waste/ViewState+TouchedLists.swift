package import LiveViewMirror
/// The sums of one list of a template since the mount, as ``WasteReport/List`` has them.
package struct ListCounts: Sendable, Hashable {
  /// Identifies the list in its epoch.
  package var key: Int32
  /// The number of entries that were sent with values.
  package var entries: Int
  /// The number of entries that were sent with exactly the values that they had.
  package var unchangedEntryCount: Int
  /// The number of times that every slot of every entry was sent, and at least half of the entries
  /// had these values.
  package var needlessResendCount: Int
}

extension ViewState {
  /// The sums of the lists that the newest diff refers to. Subtracting the sums after the previous
  /// diff gives the counts of this diff.
  ///
  /// - Complexity: O(*n*) for *n* ≤ 1,000 lists.
  package var listsOfNewestDiff: [ListCounts] {
    totals.lists.filter { $0.value.lastVersion == version }.map { node, row in
      ListCounts(key: node, entries: row.entries, unchangedEntryCount: row.unchanged, needlessResendCount: row.needless)
    }.sorted { $0.key < $1.key }
  }

  /// The slots and the templates of lists of ``listsOfNewestDiff``.
  ///
  /// - Complexity: O(*lists* × *steps* + *bytes of the templates on the paths*): each template is read once.
  package func lists(_ keys: [Int32]) -> [(slot: String, source: TemplateSource)] {
    let tree = totals.tree
    var sources = TemplateSources(of: tree)
    return keys.map { (tree.slot($0).description, sources.list($0)) }
  }
}
