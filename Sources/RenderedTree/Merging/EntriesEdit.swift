/// The changed entries of a comprehension, part of an ``Edit``. Entries that neither moved nor are
/// new are not listed, even if their slots changed. ``Merger`` makes it, and ``Rendered/undo(_:)``
/// restores the entries from it.
package struct EntriesEdit: Sendable {
  var wasKeyed: Bool
  package var oldCount: Int
  package var newCount: Int
  /// The cause of the removal of the last entries, if entries were removed at the end.
  package var removalCause: Int?
  /// The previous entries at indexes that now have another entry or none, in ascending order of
  /// their previous index.
  package var displaced: [(index: Int, entry: Comprehension.Entry)]
  /// The entries that moved (`from` is the previous index) or are new (`from` is `nil`), in
  /// ascending order of their new index.
  package var arrivals: [(index: Int, from: Int?, cause: Int)]

  init(of comprehension: Comprehension, newCount: Int) {
    wasKeyed = comprehension.isKeyed
    oldCount = comprehension.entries.count
    self.newCount = newCount
    displaced = []
    arrivals = []
  }

  var isEmpty: Bool { arrivals.isEmpty && displaced.isEmpty && wasKeyed }
}
