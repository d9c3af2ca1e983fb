/// How one update used a comprehension.
///
/// ``Merger`` counts the entries during a merge. Analyses read the counts, in order to find lists
/// whose entries were sent again.
package struct TouchedList: Sendable, Hashable {
  /// How the update refers to the entries.
  package enum Form: Sendable, Hashable {
    /// `k` (LiveView ≥ 1.1): by index, with moves.
    case keyed
    /// `d` (LiveView 1.0): all entries, by position.
    case positional
    /// The comprehension was sent whole, with its statics, and replaces another comprehension.
    case whole
  }

  /// The path of the slot with the comprehension, a node of ``TouchedSlots/paths``.
  package internal(set) var path = PathTree.root
  package var form: Form
  /// Whether the update has a stream operation for the comprehension.
  package var isStream = false
  /// The number of entries before the update; 0 for a stream, whose entries only the document has.
  package var oldCount: Int
  /// The number of entries that were sent with values. An entry that only moves has none.
  package var sentCount = 0
  /// The number of sent entries that the comprehension had before.
  package var existingCount = 0
  /// The number of sent entries that the comprehension had before, and of which every slot was
  /// sent.
  package var completeCount = 0
  /// The number of entries that were sent with values that they already had.
  package var unchangedCount = 0
  /// The number of entries that moved. Only entries with a key move.
  package var movedCount = 0
  /// The number of entries after the update.
  package var newCount = 0
  /// The entries at the end of the list that were sent with the values of a neighbour, because an
  /// entry before them was inserted or removed. With keys, these entries would not be sent. Their
  /// indexes in the list after the update, ascending.
  package var shiftedEntries: [Int] = []
  /// The number of ``shiftedEntries``.
  package var shiftedCount: Int { shiftedEntries.count }

  /// Whether values were sent for every entry that the comprehension had before. `false` for a
  /// stream, and for fewer than two such entries.
  package var isResent: Bool { existingCount >= 2 && existingCount >= oldCount && !isStream }

  /// Whether every slot of every entry was sent, and at least half of the entries already had these
  /// values.
  package var isRedundantResend: Bool {
    isResent && completeCount == existingCount && unchangedCount * 2 >= existingCount
  }
}

extension TouchedList {
  /// Counts an entry that was in the list before, and was sent with values.
  ///
  /// - Parameter isComplete: whether every slot of the entry was sent.
  mutating func count(isChanged: Bool, isComplete: Bool) {
    sentCount += 1
    existingCount += 1
    if isComplete { completeCount += 1 }
    if !isChanged { unchangedCount += 1 }
  }

  /// Describes a comprehension that was sent whole.
  ///
  /// - Returns: `nil` if one of the two slots does not hold a comprehension.
  /// - Complexity: O(*slots*).
  init?(of new: Slot, replacing old: Slot) {
    guard case .comprehension(let new) = new, case .comprehension(let old) = old else { return nil }
    self.init(form: .whole, isStream: new.stream != nil, oldCount: old.entries.count)
    sentCount = new.entries.count
    existingCount = min(new.entries.count, old.entries.count)
    completeCount = existingCount
    if old.statics == new.statics {
      unchangedCount = zip(new.entries, old.entries).count { $0.slots.areSame(as: $1.slots) }
    }
  }
}
