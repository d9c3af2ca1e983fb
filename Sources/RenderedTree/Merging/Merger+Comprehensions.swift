internal import MirrorSupport

/// The comprehensions of an update, with keyed entries or with entries by position. ``Merger``
/// calls these methods for a slot that holds a comprehension, and for a new comprehension.
extension Merger {
  /// Merges a diff into a comprehension: its stream operation, then its entries.
  ///
  /// - Parameter slot: the slot of the current instance that holds the comprehension.
  mutating func merge(
    _ diff: FragmentDiff, into comprehension: inout Comprehension, in slot: Int, at place: TouchedSlots.Place
  ) throws(MergeError) {
    var cause: Int?
    var list = TouchedList(
      form: diff.isPositional ? .positional : .keyed, isStream: diff.stream != nil,
      oldCount: comprehension.entries.count)
    if let stream = diff.stream {
      if !stream.isEmpty {
        cause = try within(.key("stream")) { $0.touch(at: place, isChanged: true, bytes: stream.size) }
      }
      note(.stream(of: instance, slot: slot, cause: cause), replacing: comprehension.stream)
      comprehension.stream = stream
    }
    let firstEdit = edits.count
    switch diff.body {
    case .keyed(let keyed):
      try within(.key("k")) { merger throws(MergeError) in
        try merger.merge(keyed, into: &comprehension, in: slot, at: place, noting: &list)
      }
    case .entries(let rows):
      try within(.key("d")) { merger throws(MergeError) in
        try merger.merge(rows, into: &comprehension, in: slot, at: place, noting: &list)
      }
    case .slots(let slots):
      if let slot = slots.first {
        throw .nothingToMergeInto(at: here + .index(slot.index), found: "a comprehension, not a fragment")
      }
    }
    if comprehension.statics.parts.isEmpty, !comprehension.entries.isEmpty { throw .emptyStatics(at: here) }
    if let stream = diff.stream, let cause, cause >= 0 {
      noteStream(stream, in: comprehension, at: slot, cause: cause, editsFrom: firstEdit)
    }
    note(list)
  }

  // MARK: - Keyed entries (LiveView ≥ 1.1)

  /// Moves and adds entries first, then changes their slots, because a move refers to the list
  /// before the diff. LiveView 1.2 announces moves with `km`; the merge does not need the mark.
  ///
  /// - Client: `mergeKeyed` in `rendered.js`, 1.1+. Origin: phoenix_live_view#3865.
  private mutating func merge(
    _ diff: KeyedDiff, into comprehension: inout Comprehension, in slot: Int, at place: TouchedSlots.Place,
    noting list: inout TouchedList
  ) throws(MergeError) {
    var edit = EntriesEdit(of: comprehension, newCount: diff.count)
    let arrivals = try arrivals(of: diff, in: comprehension)
    comprehension.isKeyed = true
    for (index, from, entry, bytes) in arrivals {
      path.append(.index(index))
      let cause = touch(
        at: touched.place(at: index, under: place), isChanged: from != index, bytes: bytes)
      path.removeLast()
      guard from != index else { continue }
      if from == nil { list.sentCount += 1 } else { list.movedCount += 1 }
      edit.arrivals.append((index, from, cause))
      if index < edit.oldCount { edit.displaced.append((index, comprehension.entries[index])) }
      // Existing indexes are overwritten. Others are appended, in ascending order.
      if index < comprehension.entries.count {
        comprehension.entries[index] = entry
      } else {
        comprehension.entries.append(entry)
      }
    }
    if diff.count < edit.oldCount {
      edit.displace(comprehension.entries, from: diff.count)
      comprehension.entries.removeLast(edit.oldCount - diff.count)
      path.append(.key("kc"))
      edit.removalCause = touch(at: place, isChanged: true, bytes: 0)
      path.removeLast()
    }
    if !edit.isEmpty { note(.entries(of: instance, slot: slot, edit)) }

    var shift = shift(in: list, to: diff.count, isNamed: { diff.names($0) })
    for (index, change) in diff.entries {
      let depth = path.count
      path.append(.index(index))
      if case .movedAndUpdated = change { path.append(.changesOfMoved) }
      if let changes = try changes(inside: change, isNew: edit.isNew(index)) {
        let entryPlace = touched.place(at: index, under: place, from: change.source)
        shift?.keep(comprehension.entries[index], at: index)
        let changed = touched.changedCount
        let isComplete = changes.count == comprehension.entries[index].slots.count
        defer {
          if !changes.isEmpty { list.count(isChanged: touched.changedCount > changed, isComplete: isComplete) }
        }
        try inside(.init(slot: slot, entry: index)) { merger throws(MergeError) in
          try merger.merge(changes, into: &comprehension.entries[index].slots, at: entryPlace)
        }
      }
      path.removeLast(path.count - depth)
    }
    list.newCount = comprehension.entries.count
    list.shiftedEntries = shift?.shifted(to: comprehension.entries, displaced: edit.displaced) ?? []
  }

  /// For each old index, whether the entry there moves away; empty if no entry moves.
  ///
  /// - Throws: if an entry would be in the comprehension twice. Either it moves to two indexes, or
  ///   it moves while its old index still exists and is not overwritten.
  private func indexesLeft(by diff: KeyedDiff, of count: Int) throws(MergeError) -> [Bool] {
    if !diff.entries.contains(where: { $0.entry.source != nil }) { return [] }
    var left = Array(repeating: false, count: count)
    // A move from an index without an entry is an error too, which `arrivals(of:in:)` reports.
    var beyond: Set<Int> = []
    for (index, entry) in diff.entries {
      guard let from = entry.source else { continue }
      let isFirst = from < count ? !left[from] : beyond.insert(from).inserted
      guard isFirst else { throw .duplicateEntry(at: here + .index(index), index: from) }
      if from < count { left[from] = true }
    }
    for (index, entry) in diff.entries {
      guard let from = entry.source, from < min(count, diff.count), !diff.names(from) else { continue }
      throw .duplicateEntry(at: here + .index(index), index: from)
    }
    return left
  }

  private typealias Arrival = (index: Int, from: Int?, entry: Comprehension.Entry, bytes: Int)

  /// The entries that move or are new. The slots of moved entries are not changed yet.
  private mutating func arrivals(
    of diff: KeyedDiff, in comprehension: Comprehension
  ) throws(MergeError) -> [Arrival] {
    let old = comprehension.entries
    let movedAway = try indexesLeft(by: diff, of: old.count)
    var arrivals: [Arrival] = []
    arrivals.reserveCapacity(diff.entries.count)
    var count = min(old.count, diff.count)
    for (index, change) in diff.entries {
      path.append(.index(index))
      if index > count { throw .unknownEntry(at: here, index: count, count: old.count) }
      count = max(count, index + 1)
      if let from = change.source {
        guard old.indices.contains(from) else { throw .unknownEntry(at: here, index: from, count: old.count) }
        arrivals.append((index, from, old[from], change.sizeOfPlace))
      } else if index >= old.count || (index < movedAway.count && movedAway[index]), case .update(let diff) = change {
        // If the old entry at this index moves away, or there is none, an object in the diff (not a
        // number or an array) is a new entry. If there is an old entry, the new one starts with a
        // copy of its slots, and the object is merged into them.
        let slots = try slots(of: diff)
        var entry = Comprehension.Entry(serial: identity(), slots: [])
        if index < old.count {
          entry.slots = old[index].slots
          try renew(&entry.slots)
          try silently { merger throws(MergeError) in
            try merger.merge(slots, into: &entry.slots, at: .nowhere)
          }
        } else {
          entry.slots = try make(slots, count: comprehension.statics.slotCount)
        }
        arrivals.append((index, nil, entry, change.sizeOfPlace))
      }
      path.removeLast()
    }
    if count < diff.count { throw .unknownEntry(at: here, index: count, count: old.count) }
    return arrivals
  }

  /// The changes of the slots of an existing entry; `nil` for an entry that is new or only moves.
  private func changes(
    inside change: KeyedDiff.Entry, isNew: Bool
  ) throws(MergeError) -> [(index: Int, diff: SlotDiff)]? {
    switch change {
    case .moved: nil
    case .movedAndUpdated(_, let diff): try slots(of: diff)
    case .update(let diff): isNew ? nil : try slots(of: diff)
    }
  }

  private func slots(of diff: FragmentDiff) throws(MergeError) -> [(index: Int, diff: SlotDiff)] {
    guard case .slots(let slots) = diff.body, diff.statics == nil else {
      throw .nothingToMergeInto(at: here, found: "an entry, whose statics are those of the comprehension")
    }
    return slots
  }

  // MARK: - Entries by position (LiveView 1.0)

  /// Merges each entry into the one at the same position, so that unchanged values keep their
  /// identities. LiveView 1.0 sends all entries again if one of them changes, so the result is the
  /// same as in its client, which replaces the whole list.
  ///
  /// - Client: `doMutableMerge` in `rendered.js`, 1.0. Origin: none known.
  private mutating func merge(
    _ rows: [[SlotDiff]], into comprehension: inout Comprehension, in slot: Int, at place: TouchedSlots.Place,
    noting list: inout TouchedList
  ) throws(MergeError) {
    let outer = isInEntryOf10
    isInEntryOf10 = true
    defer { isInEntryOf10 = outer }
    let oldCount = comprehension.entries.count
    let count = comprehension.statics.slotCount
    var edit = EntriesEdit(of: comprehension, newCount: rows.count)
    var new: [Comprehension.Entry] = []
    var shift = shift(in: list, to: rows.count, isNamed: { _ in true })
    for (index, row) in rows.enumerated() {
      path.append(.index(index))
      guard row.count == count || comprehension.statics.parts.isEmpty else {
        throw row.count < count
          ? .missingSlot(at: here, index: row.count, expected: count) : .noSuchSlot(at: here, count: count)
      }
      let entryPlace = touched.place(at: index, under: place)
      if index < oldCount, comprehension.entries[index].slots.count == row.count {
        shift?.keep(comprehension.entries[index], at: index)
        let changed = touched.changedCount
        defer { list.count(isChanged: touched.changedCount > changed, isComplete: true) }
        try inside(.init(slot: slot, entry: index)) { merger throws(MergeError) in
          try merger.merge(
            row.enumerated().map { ($0, $1) }, into: &comprehension.entries[index].slots, at: entryPlace)
        }
      } else {
        let entry = Comprehension.Entry(
          serial: identity(), slots: try make(row.enumerated().map { ($0, $1) }, count: row.count))
        let cause = touch(at: entryPlace, isChanged: true, bytes: row.reduce(into: 1) { $0 += $1.size + 1 })
        edit.arrivals.append((index, nil, cause))
        new.append(entry)
        list.sentCount += 1
      }
      path.removeLast()
    }
    for ((index, _, _), entry) in zip(edit.arrivals, new) {
      if index < oldCount {
        edit.displaced.append((index, comprehension.entries[index]))
        comprehension.entries[index] = entry
      } else {
        comprehension.entries.append(entry)
      }
    }
    if rows.count < oldCount {
      edit.displace(comprehension.entries, from: rows.count)
      comprehension.entries.removeLast(oldCount - rows.count)
      edit.removalCause = touch(at: place, isChanged: true, bytes: 0)
    }
    list.newCount = comprehension.entries.count
    list.shiftedEntries = shift?.shifted(to: comprehension.entries, displaced: edit.displaced) ?? []
    if !edit.arrivals.isEmpty || !edit.displaced.isEmpty { note(.entries(of: instance, slot: slot, edit)) }
  }
}

extension FragmentDiff {
  fileprivate var isPositional: Bool { if case .entries = body { true } else { false } }
}

extension KeyedDiff {
  /// Whether the diff has a change for the entry at an index.
  fileprivate func names(_ index: Int) -> Bool {
    let position = entries.partitioningIndex { $0.index >= index }
    return position < entries.count && entries[position].index == index
  }
}

extension KeyedDiff.Entry {
  /// The size of the part that gives the position of the entry. For a new entry, the size of the
  /// whole entry.
  fileprivate var sizeOfPlace: Int {
    switch self {
    case .update, .moved: size
    case .movedAndUpdated(_, let diff): size - diff.size
    }
  }
}

extension EntriesEdit {
  /// Notes the entries from `start` on, which are then removed.
  ///
  /// Never inlined, because the array must be uniquely referenced again when the caller removes the
  /// entries. Otherwise the removal would copy the array.
  @inline(never)
  fileprivate mutating func displace(_ entries: [Comprehension.Entry], from start: Int) {
    for index in start..<entries.count { displaced.append((index, entries[index])) }
  }

  /// Whether the update has added the entry at an index.
  fileprivate func isNew(_ index: Int) -> Bool {
    let position = arrivals.partitioningIndex { $0.index >= index }
    return position < arrivals.count && arrivals[position].index == index && arrivals[position].from == nil
  }
}
