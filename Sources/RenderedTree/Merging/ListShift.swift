internal import MirrorSupport

/// Finds out whether a list without keys was shifted: after an insertion or removal, each later entry gets the values of its
/// neighbour, and all of them are sent.
struct ListShift {
  private let oldCount: Int
  private let newCount: Int
  /// The named entries as they were before the update, in ascending order.
  private var old: [(index: Int, slots: [Slot])] = []

  fileprivate init(from oldCount: Int, to newCount: Int) {
    self.oldCount = oldCount
    self.newCount = newCount
  }

  /// Keeps an entry that the update is about to change. Changing it then copies its slots.
  mutating func keep(_ entry: Comprehension.Entry, at index: Int) { old.append((index, entry.slots)) }

  /// The entries at the end of the list that were sent with the values of a neighbour, as ascending indexes after the update.
  ///
  /// An entry with the same values as its neighbour is not among them: it did not change. After an insertion, the first inserted
  /// entry must differ from the one that was in its place. Otherwise the entries may have been appended at the end.
  ///
  /// - Parameters:
  ///   - entries: the entries after the update.
  ///   - displaced: the entries that were removed, in ascending order of their index.
  /// - Complexity: O(*slots of the named entries*).
  func shifted(
    to entries: [Comprehension.Entry], displaced: [(index: Int, entry: Comprehension.Entry)]
  ) -> [Int] {
    func before(_ index: Int) -> [Slot]? {
      if let slots = find(index, in: old, \.index)?.slots { return slots }
      if let entry = find(index, in: displaced, \.index)?.entry { return entry.slots }
      return entries.indices.contains(index) ? entries[index].slots : nil
    }
    /// Whether the update changed an entry; `nil` if it did not name the entry.
    func isChanged(_ index: Int) -> Bool? {
      if index >= oldCount { return true }
      return find(index, in: old, \.index).map { !entries[index].slots.areSame(as: $0.slots) }
    }
    let growth = newCount - oldCount
    var (start, shifted) = (newCount, [] as [Int])
    // A gap in the named entries ends the shift.
    while start > max(0, growth), let neighbour = before(start - 1 - growth),
      entries[start - 1].slots.areSame(as: neighbour), let isChanged = isChanged(start - 1)
    {
      start -= 1
      if isChanged { shifted.append(start) }
    }
    if growth > 0 {
      let inserted = start - growth
      guard inserted < oldCount, isChanged(inserted) == true else { return [] }
    }
    return shifted.reversed()
  }

  private func find<Element>(_ index: Int, in list: [Element], _ key: KeyPath<Element, Int>) -> Element? {
    let position = list.partitioningIndex { $0[keyPath: key] >= index }
    return position < list.count && list[position][keyPath: key] == index ? list[position] : nil
  }
}

extension Merger {
  /// - Parameter names: whether the update names the entry at an index.
  /// - Returns: `nil` if the list cannot be shifted: its length is unchanged, entries move, or the last entry is not named.
  func shift(in list: TouchedList, to newCount: Int, naming names: (Int) -> Bool) -> ListShift? {
    let last = min(list.oldCount, newCount) - 1
    guard !isSilent, list.moved == 0, list.oldCount != newCount, last >= 0, names(last) else { return nil }
    return ListShift(from: list.oldCount, to: newCount)
  }
}

extension TouchedList {
  /// Counts an entry that was in the list before, and was sent with values.
  ///
  /// - Parameter isWhole: whether every slot of the entry was sent.
  mutating func count(isChanged: Bool, isWhole: Bool) {
    entries += 1
    known += 1
    if isWhole { whole += 1 }
    if !isChanged { unchanged += 1 }
  }

  /// A comprehension that was sent whole.
  ///
  /// - Returns: `nil` if one of the two slots does not hold a comprehension.
  /// - Complexity: O(*slots*).
  init?(of new: Slot, replacing old: Slot) {
    guard case .comprehension(let new) = new, case .comprehension(let old) = old else { return nil }
    self.init(form: .whole, isStream: new.stream != nil, oldCount: old.entries.count)
    entries = new.entries.count
    known = min(new.entries.count, old.entries.count)
    whole = known
    if old.statics == new.statics {
      unchanged = zip(new.entries, old.entries).count { $0.slots.areSame(as: $1.slots) }
    }
  }
}
