internal import RenderedTree

/// A list of which one diff sent entries with exactly the values that they had.
///
/// ``WasteReport/List/unchangedEntryCount`` is the sum over all diffs. The explanation of a diff
/// cannot count these entries, because a record lists only the first slots that were sent without
/// effect.
package struct ResentList: Sendable, Hashable {
  /// The slot of the diff that holds the list, such as `1` or `0.k.3.2`; empty for a list that is
  /// the whole page.
  package let slot: String
  /// Whether the list is in the form of LiveView 1.0.
  package let isPositional: Bool
  /// The number of entries that were sent with the values that they had.
  package let entries: Int

  /// The slot for readers.
  package var name: String { ChangeRecord.name(ofSlot: slot) }

  /// The first lists of a diff with such entries, in the order of the merge.
  ///
  /// - Complexity: O(*lists of the diff*).
  static func lists(of touched: TouchedSlots) -> [ResentList] {
    touched.lists.lazy.filter { $0.unchangedCount > 0 }.prefix(ShiftedLists.listed).map { list in
      ResentList(
        slot: touched.paths.path(to: list.path, atMost: SlotNames.namedSteps).description,
        isPositional: list.form == .positional, entries: list.unchangedCount)
    }
  }
}
