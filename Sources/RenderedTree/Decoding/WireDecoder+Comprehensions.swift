/// Decodes streams and the comprehensions of all versions. ``fragment(_:templates:place:)`` calls
/// these methods.
extension WireDecoder.Reader {
  // MARK: Comprehensions

  mutating func keyed(_ value: Int, templates: [Int: Statics]?) throws(WireError) -> KeyedDiff {
    guard tape.kind(value) == .object else { throw wrong("keyed entries must be an object", at: value) }
    var count: Int?
    var isMarked = false
    var entries: [(index: Int, entry: KeyedDiff.Entry)] = []
    entries.reserveCapacity(tape.count(value))
    var members = WireDecoder.Members(of: value, on: tape)
    while let (name, value) = try members.next(in: self) {
      if case .index(let index) = name {
        entries.append((index, try keyedEntry(value, templates: templates)))
        continue
      }
      switch DiffGrammar.part(of: name, isNumber: tape.kind(value) == .integer, in: .keyed) {
      case .count:
        guard let number = tape.integer(value), number >= 0 else {
          throw wrong("the count of entries must be a whole number ≥ 0", at: value)
        }
        count = number
      case .moves: isMarked = tape.isTrue(value)
      default: try ignoreKey(of: value)
      }
    }
    guard let count else { throw wrong("keyed entries must have \"kc\", their count", at: value) }
    // The mark `km` is redundant, because moved entries name their former index. But LiveView's
    // client throws without this mark since 1.2.8.
    if !isMarked, entries.contains(where: { $0.entry.source != nil }) { beside.hasUnmarkedMoves = true }
    if !members.isAscending { entries.sort { $0.index < $1.index } }
    if let last = entries.last, last.index >= count {
      throw wrong("the index of an entry must be less than the count, which is \(count)", at: value, .index(last.index))
    }
    return KeyedDiff(count: count, entries: entries)
  }

  private mutating func keyedEntry(
    _ value: Int, templates: [Int: Statics]?
  ) throws(WireError) -> KeyedDiff.Entry {
    switch tape.kind(value) {
    case .object: return .update(try fragment(value, templates: templates, place: .keyedEntry))
    case .integer:
      guard let old = tape.integer(value), old >= 0 else {
        throw wrong("the former index of an entry must be a whole number ≥ 0", at: value)
      }
      return .moved(from: old)
    case .array:
      var pair = tape.elements(value)
      guard tape.count(value) == 2, let first = pair.next(), let second = pair.next(),
        let old = tape.integer(first), old >= 0
      else { throw wrong("an entry that is moved and changed must be [former index, diff]", at: value) }
      return .movedAndUpdated(from: old, try fragment(second, templates: templates, place: .changes))
    case .string, .other: throw wrong("an entry must be an object, a former index or [former index, diff]", at: value)
    }
  }

  mutating func entries(_ value: Int, templates: [Int: Statics]?) throws(WireError) -> [[SlotDiff]] {
    guard tape.kind(value) == .array else { throw wrong("the entries of a comprehension must be an array", at: value) }
    var entries: [[SlotDiff]] = []
    entries.reserveCapacity(tape.count(value))
    for entry in tape.elements(value) {
      guard tape.kind(entry) == .array else { throw wrong("an entry must be an array of its slots", at: entry) }
      var slots: [SlotDiff] = []
      slots.reserveCapacity(tape.count(entry))
      for element in tape.elements(entry) { slots.append(try slot(element, templates: templates)) }
      entries.append(slots)
    }
    return entries
  }

  // MARK: Streams

  /// `[ref, [[id, at, limit, update_only], …], [deleted ids], true for a reset]`. LiveView 1.0 does
  /// not send `update_only`.
  func stream(_ value: Int) throws(WireError) -> StreamOperation {
    let fields = tape.kind(value) == .array ? Array(tape.elements(value)) : []
    guard fields.count == 3 || fields.count == 4, let ref = tape.string(fields[0]),
      tape.kind(fields[1]) == .array, tape.kind(fields[2]) == .array
    else { throw wrong("a stream must be [ref, inserts, deleted ids], followed by true for a reset", at: value) }
    var operation = StreamOperation(ref: ref)
    for insert in tape.elements(fields[1]) {
      let parts = tape.kind(insert) == .array ? Array(tape.elements(insert)) : []
      guard parts.count == 3 || parts.count == 4, let id = tape.string(parts[0]), let at = tape.integer(parts[1]) else {
        throw wrong(
          "a stream's insert must be [dom id, at, limit], followed by update_only since LiveView 1.1", at: insert)
      }
      let limit = tape.integer(parts[2])
      guard limit != nil || tape.isNull(parts[2]) else {
        throw wrong("a stream's limit must be an integer or null", at: parts[2])
      }
      operation.inserts.append(
        .init(
          id: id, at: at, limit: limit, updateOnly: parts.count == 4 && tape.isTrue(parts[3]),
          sendsUpdateOnly: parts.count == 4))
    }
    for delete in tape.elements(fields[2]) {
      guard let id = tape.string(delete) else {
        throw wrong("a deleted dom id of a stream must be a string", at: delete)
      }
      operation.deletes.append(id)
    }
    operation.reset = fields.count == 4 && tape.isTrue(fields[3])
    return operation
  }
}
