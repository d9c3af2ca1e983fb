package import LiveViewMirror
internal import MarkupDocument
internal import RenderedTree

/// The log entries that the ``ViewState/findings`` of a view are about. The timeline of `ViewPage`
/// marks them, and `LogFilter` finds them for `is:diagnostic`.
///
/// A finding keeps only its first and last version and a count. So each entry is examined on its
/// own. These entries belong to findings:
///
/// - a diagnostic or an unknown key: every entry that has the diagnostic or the key. An entry
///   between two such entries need not have it;
/// - `rejected-diff`: every rejected input, but not the version that the view kept;
/// - `unkeyed-list`: every diff that shifted entries of a list without keys. A list is one of these
///   until a diff shows that it has keys;
/// - `component-not-removed`: the versions that hid the components. Later versions have the finding
///   too, but not its cause.
package struct FindingEntries: Sendable {
  private let lists: Set<SlotTree.Node>
  /// For each version, the number of components that it hid and that the finding
  /// `component-not-removed` is about.
  private let hidden: [Int: Int]

  init(_ view: ViewState) {
    lists = view.unkeyedListNodes
    hidden = view.unremovedComponents.values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// The number of diagnostics of an entry, of lists that it shifted, and of components that it
  /// hid. A rejected input counts as 1.
  ///
  /// - Complexity: O(*unknown keys and shifted lists of the entry*).
  package func count(in entry: ChangeLog.Entry) -> Int {
    entry.record.map(count(in:)) ?? 1
  }

  /// As ``count(in:)`` for an applied update.
  package func count(in record: ChangeRecord) -> Int {
    var count = record.diagnostics.count + record.shiftedNodes.count { lists.contains($0) }
    if !record.unknownKeys.isEmpty {
      // Only the first update with a key has a diagnostic for it. In later updates, the key is
      // counted here.
      let named = record.diagnostics.count { $0.code == "unknown-key" }
      count += max(0, Set(record.unknownKeys.map(\.name)).count - named)
    }
    return hidden.isEmpty ? count : count + (hidden[record.version] ?? 0)
  }
}

extension ViewState {
  /// The entries that the findings are about.
  ///
  /// - Complexity: O(*n*) for *n* ≤ 1,000 lists, and as ``findings`` for hidden components.
  package var findingEntries: FindingEntries { FindingEntries(self) }
}
