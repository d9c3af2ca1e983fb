internal import RenderedTree

/// A list with entries that one diff sent although the page had them already. Such an entry was
/// sent with exactly the values that it had, or it moved to another position of the list and its
/// values were sent again. The page of a diff in the inspector has one sentence for each such list.
///
/// ``WasteReport/List/unchangedEntryCount`` is the sum over all diffs. The counts of one diff are
/// stored with its record, because they cannot be computed from the record later: a record lists
/// only the first slots that were sent without effect.
package struct ResentList: Sendable, Hashable {
  /// The slot of the diff that holds the list, such as `1` or `0.k.3.2`; empty for a list that is
  /// the whole page.
  package let slot: String
  /// Whether the list is in the form of LiveView 1.0.
  package let isPositional: Bool
  /// The number of entries that were sent with values.
  package let sent: Int
  /// The number of entries that were sent with the values that they had.
  package let unchanged: Int
  /// The number of entries of the list after the diff.
  package let count: Int
  /// Whether every slot of every entry was sent, and at least half of the entries had the sent
  /// values already.
  package let isRedundant: Bool

  /// The name of the slot, as texts for readers show it.
  package var name: String { ChangeRecord.name(ofSlot: slot) }

  /// The first lists of a diff with entries that the page had already, at most
  /// `ShiftedLists.listed`.
  ///
  /// - Complexity: O(*lists of the diff*).
  static func lists(of touched: TouchedSlots) -> [ResentList] {
    // Lists with shifted entries first, so that no list of `ShiftedLists` is missing.
    let lists =
      touched.lists.filter { $0.shiftedCount > 0 }
      + touched.lists.lazy.filter { $0.shiftedCount == 0 && $0.unchangedCount > 0 }
    return lists.prefix(ShiftedLists.listed).map { list in
      ResentList(
        slot: touched.paths.dottedPath(to: list.path, atMost: SlotPathCache.maximumSteps),
        isPositional: list.form == .positional, sent: list.sentCount, unchanged: list.unchangedCount,
        count: list.newCount, isRedundant: list.isRedundantResend)
    }
  }
}
