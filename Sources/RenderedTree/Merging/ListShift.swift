internal import MirrorSupport

/// Detects that a list without keys was shifted. After an insertion or removal in such a list, each
/// later entry gets the values of its neighbour, so that LiveView sends all of them.
///
/// ``Merger`` makes one for each list that can be shifted (``Merger/shift(in:to:isNamed:)``), keeps
/// the entries that it is about to change, and stores the result in ``TouchedList/shiftedEntries``.
struct ListShift {
  private let oldCount: Int
  private let newCount: Int
  /// The entries that the update names, as they were before it, in ascending order.
  private var old: [(index: Int, slots: [Slot])] = []

  fileprivate init(from oldCount: Int, to newCount: Int) {
    self.oldCount = oldCount
    self.newCount = newCount
  }

  /// Keeps an entry that the update is about to change. Changing it then copies its slots.
  mutating func keep(_ entry: Comprehension.Entry, at index: Int) {
    old.append((index, entry.slots))
  }

  /// The entries at the end of the list that were sent with the values of a neighbour, as ascending
  /// indexes after the update. An entry that has the same values as its neighbour did not change,
  /// so it is not one of them.
  ///
  /// Returns `[]` if the first inserted entry equals the entry formerly at that index, because the
  /// list may simply have grown at its end.
  ///
  /// - Parameters:
  ///   - entries: the entries after the update.
  ///   - displaced: the entries that were removed, in ascending order of their index.
  /// - Complexity: O(*slots of the named entries*).
  func shifted(
    to entries: [Comprehension.Entry], displaced: [(index: Int, entry: Comprehension.Entry)]
  ) -> [Int] {
    func slotsBefore(at index: Int) -> [Slot]? {
      if let slots = find(index, in: old, by: \.index)?.slots { return slots }
      if let entry = find(index, in: displaced, by: \.index)?.entry { return entry.slots }
      return entries.indices.contains(index) ? entries[index].slots : nil
    }
    /// Whether the update changed an entry; `nil` if the update does not name the entry.
    func isChanged(at index: Int) -> Bool? {
      if index >= oldCount { return true }
      return find(index, in: old, by: \.index).map { !entries[index].slots.areSame(as: $0.slots) }
    }
    let growth = newCount - oldCount
    var (start, shifted) = (newCount, [] as [Int])
    // A gap in the named entries ends the shift.
    while start > max(0, growth), let neighbour = slotsBefore(at: start - 1 - growth),
      entries[start - 1].slots.areSame(as: neighbour), let isChanged = isChanged(at: start - 1)
    {
      start -= 1
      if isChanged { shifted.append(start) }
    }
    if growth > 0 {
      let inserted = start - growth
      guard inserted < oldCount, isChanged(at: inserted) == true else { return [] }
    }
    return shifted.reversed()
  }

  /// The element with an index; the list is in ascending order of that index.
  private func find<Element>(_ index: Int, in list: [Element], by key: KeyPath<Element, Int>) -> Element? {
    let position = list.partitioningIndex { $0[keyPath: key] >= index }
    return position < list.count && list[position][keyPath: key] == index ? list[position] : nil
  }
}

extension Merger {
  /// - Parameter isNamed: whether the update names the entry at an index.
  /// - Returns: `nil` if the list cannot be shifted, because its length is unchanged, entries move,
  ///   the update does not name the last entry, or the list is inside of a value that was sent
  ///   whole.
  func shift(in list: TouchedList, to newCount: Int, isNamed: (Int) -> Bool) -> ListShift? {
    let last = min(list.oldCount, newCount) - 1
    guard !isSilent, list.movedCount == 0, list.oldCount != newCount, last >= 0, isNamed(last) else {
      return nil
    }
    return ListShift(from: list.oldCount, to: newCount)
  }
}
