/// How one update used a comprehension.
package struct TouchedList: Sendable, Hashable {
  /// How the update names the entries.
  package enum Form: Sendable, Hashable {
    /// `k` (LiveView ≥ 1.1): by index, with moves.
    case keyed
    /// `d` (LiveView 1.0): all entries, by place.
    case positional
    /// The comprehension replaces another one, with its statics.
    case whole
  }

  /// The path of the slot with the comprehension, a node of ``TouchedSlots/paths``.
  package internal(set) var path = PathTree.root
  package var form: Form
  /// Whether the update has a stream operation for the comprehension.
  package var isStream = false
  /// The number of entries before the update. A stream's entries are only in the document, so it has none.
  package var oldCount: Int
  /// The number of entries that were sent with values. An entry that only moves has none.
  package var entries = 0
  /// The number of these entries that were in the comprehension before.
  package var known = 0
  /// The number of these entries of which every slot was sent.
  package var whole = 0
  /// The number of entries that were sent with values that they already had.
  package var unchanged = 0
  /// The number of entries that moved, which only entries with a key do.
  package var moved = 0
  /// The number of entries after the update.
  package var newCount = 0
  /// The entries at the end of the list that were sent with the values of a neighbour, because an entry before them was inserted
  /// or removed. With keys, these entries would not be sent. They are ascending indexes after the update.
  package var shiftedEntries: [Int] = []
  /// The number of ``shiftedEntries``.
  package var shifted: Int { shiftedEntries.count }

  /// Whether values were sent for every entry that the comprehension had before, if these are at least two.
  package var isResent: Bool { known >= 2 && known >= oldCount && !isStream }

  /// Whether every slot of every entry was sent, and at least half of the entries had these values.
  package var isNeedless: Bool { isResent && whole == known && unchanged * 2 >= known }
}
