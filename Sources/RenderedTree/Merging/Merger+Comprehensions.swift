extension Merger {
  mutating func merge(
    _ diff: FragmentDiff, into comprehension: inout Comprehension, at place: TouchedSlots.Place
  ) throws(MergeError) {
    if let stream = diff.stream {
      comprehension.stream = stream
      if !stream.inserts.isEmpty || !stream.deletes.isEmpty || stream.reset {
        try within(.key("stream")) { merger in merger.touch(at: place, isChanged: true, bytes: 0) }
      }
    }
    switch diff.body {
    case .keyed(let keyed):
      comprehension.isKeyed = true
      try within(.key("k")) { merger throws(MergeError) in
        try merger.merge(keyed, into: &comprehension, at: place)
      }
    case .entries(let rows):
      try within(.key("d")) { merger throws(MergeError) in
        try merger.merge(rows, into: &comprehension, at: place)
      }
    case .slots(let slots):
      if let slot = slots.first {
        throw .nothingToMergeInto(at: here + .index(slot.index), found: "a comprehension and no fragment")
      }
    }
    if comprehension.statics.parts.isEmpty, !comprehension.entries.isEmpty { throw .emptyStatics(at: here) }
  }

  // MARK: - Keyed entries (LiveView ≥ 1.1)

  private mutating func merge(
    _ diff: KeyedDiff, into comprehension: inout Comprehension, at place: TouchedSlots.Place
  ) throws(MergeError) {
    // Moves read the tree as it was before the diff, whether or not `km` says that there are any (1.1 never does).
    let old = comprehension.entries
    let movedAway = try places(leftBy: diff, of: old.count)

    var entries = Array(old.prefix(diff.count))
    let statics = comprehension.statics
    for (index, change) in diff.entries {
      path.append(.index(index))
      if index > entries.count { throw .unknownEntry(at: here, index: entries.count, count: old.count) }
      let entryPlace = touched.place(at: index, under: place)
      let entry = try self.entry(
        change, at: index, of: old, isVacant: movedAway.contains(index), statics: statics, place: entryPlace)
      if index < entries.count { entries[index] = entry } else { entries.append(entry) }
      path.removeLast()
    }
    if entries.count < diff.count { throw .unknownEntry(at: here, index: entries.count, count: old.count) }
    comprehension.entries = entries
    if diff.count < old.count {
      try within(.key("kc")) { merger in merger.touch(at: place, isChanged: true, bytes: 0) }
    }
  }

  /// Whence entries move. Each entry stands once: it moves to one place, and its own is then cut off or taken.
  private func places(leftBy diff: KeyedDiff, of count: Int) throws(MergeError) -> Set<Int> {
    var left: Set<Int> = []
    for (index, entry) in diff.entries {
      guard let from = entry.source else { continue }
      guard left.insert(from).inserted else { throw .entryStandsTwice(at: here + .index(index), index: from) }
    }
    if left.isEmpty { return left }
    let taken = Set(diff.entries.lazy.map(\.index))
    for (index, entry) in diff.entries {
      guard let from = entry.source, from < min(count, diff.count), !taken.contains(from) else { continue }
      throw .entryStandsTwice(at: here + .index(index), index: from)
    }
    return left
  }

  /// One entry after the update. `isVacant` says that the entry which stood at `index` has moved elsewhere: an object
  /// is then a new entry, although it is merged over the old one.
  private mutating func entry(
    _ change: KeyedDiff.Entry, at index: Int, of old: [Comprehension.Entry], isVacant: Bool, statics: Statics,
    place: TouchedSlots.Place
  ) throws(MergeError) -> Comprehension.Entry {
    func entry(_ from: Int) throws(MergeError) -> Comprehension.Entry {
      guard old.indices.contains(from) else { throw .unknownEntry(at: here, index: from, count: old.count) }
      return old[from]
    }
    switch change {
    case .moved(let from):
      touch(at: place, isChanged: from != index, bytes: change.size)
      return try entry(from)
    case .movedAndUpdated(let from, let diff):
      var entry = try entry(from)
      touch(at: place, isChanged: from != index, bytes: change.size - diff.size)
      path.append(.index(1))
      try merge(try slots(of: diff), into: &entry.slots, at: place)
      path.removeLast()
      return entry
    case .update(let diff):
      let slots = try slots(of: diff)
      if index < old.count, !isVacant {
        var entry = old[index]
        try merge(slots, into: &entry.slots, at: place)
        return entry
      }
      touch(at: place, isChanged: true, bytes: diff.size)
      if index < old.count {
        var entry = Comprehension.Entry(serial: identity(), slots: old[index].slots)
        try silently { merger throws(MergeError) in try merger.merge(slots, into: &entry.slots, at: place) }
        return entry
      }
      return Comprehension.Entry(serial: identity(), slots: try make(slots, count: statics.slotCount))
    }
  }

  private func slots(of diff: FragmentDiff) throws(MergeError) -> [(index: Int, diff: SlotDiff)] {
    guard case .slots(let slots) = diff.body, diff.statics == nil else {
      throw .nothingToMergeInto(at: here, found: "an entry, which has the comprehension's statics,")
    }
    return slots
  }

  // MARK: - Entries by place (LiveView 1.0)

  /// 1.0 sends every entry again whenever one of them changes.
  private mutating func merge(
    _ rows: [[SlotDiff]], into comprehension: inout Comprehension, at place: TouchedSlots.Place
  ) throws(MergeError) {
    let old = comprehension.entries
    let count = comprehension.statics.slotCount
    var entries: [Comprehension.Entry] = []
    entries.reserveCapacity(rows.count)
    for (index, row) in rows.enumerated() {
      path.append(.index(index))
      let entryPlace = touched.place(at: index, under: place)
      guard row.count == count || comprehension.statics.parts.isEmpty else {
        throw row.count < count
          ? .missingSlot(at: here, index: row.count, expected: count) : .noSuchSlot(at: here, count: count)
      }
      var entry = Comprehension.Entry(serial: index < old.count ? old[index].serial : identity(), slots: [])
      for (column, diff) in row.enumerated() {
        path.append(.index(column))
        let slot = try silently { merger throws(MergeError) in try merger.make(diff) }
        if index < old.count {
          let isSame = old[index].slots.indices.contains(column) && slot.isSame(as: old[index].slots[column])
          touch(at: touched.place(at: column, under: entryPlace), isChanged: !isSame, bytes: diff.size)
        }
        entry.slots.append(slot)
        path.removeLast()
      }
      if index >= old.count {
        touch(at: entryPlace, isChanged: true, bytes: row.reduce(into: 1) { $0 += $1.size + 1 })
      }
      entries.append(entry)
      path.removeLast()
    }
    comprehension.entries = entries
    if rows.count < old.count { touch(at: place, isChanged: true, bytes: 0) }
  }
}
