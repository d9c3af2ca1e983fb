extension WireDecoder {
  /// Iterates over the members of an object. Duplicate indexes and duplicate known names are
  /// errors. ``Reader`` iterates over the objects of updates with it.
  struct Members {
    private let object: Int
    private var key: Int
    private let stop: Int
    /// A bit for each ``DiffKey`` so far. There are 11 keys.
    private var keys: UInt16 = 0
    private var largest = -1
    /// All indexes so far; `nil` while they ascend, because an index above the largest one cannot
    /// be a duplicate.
    private var indexes: Set<Int>?

    init(of object: Int, on tape: Tape) {
      self.object = object
      key = object + 1
      stop = tape.end(object) - 1
    }

    /// Whether the indexes so far are in ascending order.
    var isAscending: Bool { indexes == nil }

    mutating func next(in reader: borrowing Reader) throws(WireError) -> (name: DiffName, value: Int)? {
      guard key < stop else { return nil }
      let (tape, here) = (reader.tape, key)
      key = tape.end(here + 1)
      if let index = tape.index(here) {
        // Small Elixir maps are in ascending order, larger ones in any order. Only objects of
        // larger maps need a set to detect duplicates.
        if index > largest, indexes == nil {
          largest = index
        } else {
          if indexes == nil { indexes = Self.indexes(from: object + 1, to: here, on: tape) }
          if indexes?.insert(index).inserted == false {
            throw reader.wrong("the key \(index) occurs twice in one object", at: here + 1)
          }
        }
        return (.index(index), here + 1)
      }
      guard let key = DiffKey(tape.bytes(here)) else { return (.unknown, here + 1) }
      guard keys & 1 << key.rawValue == 0 else {
        throw reader.wrong("the key \"\(key)\" occurs twice in one object", at: here + 1)
      }
      keys |= 1 << key.rawValue
      return (.key(key), here + 1)
    }

    private static func indexes(from first: Int, to stop: Int, on tape: Tape) -> Set<Int> {
      var indexes: Set<Int> = []
      var key = first
      while key < stop {
        if let index = tape.index(key) { indexes.insert(index) }
        key = tape.end(key + 1)
      }
      return indexes
    }
  }
}

extension WireDecoder.Reader {
  /// Adds an ignored key to the unknown keys of the update.
  ///
  /// - Throws: if the key is a number but not an index, such as `-1` or `01`. Ignoring it would
  ///   lose a slot.
  /// - Complexity: O(*values before the key*) for the first ``UnknownKey/limit`` different keys of
  ///   an update, otherwise O(1).
  @inline(never)
  mutating func ignoreKey(of value: Int) throws(WireError) {
    let key = tape.bytes(value - 1)
    let digits = key.first == UInt8(ascii: "-") ? key[1...] : key[...]
    if !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      throw wrong("a numeric key must be an index: digits without a leading zero, less than 10^9", at: value)
    }
    guard beside.unknownKeys.count < UnknownKey.limit else { return }
    // A name that is cut inside a character ends with a replacement character.
    let name = String(decoding: key.prefix(UnknownKey.longestName), as: UTF8.self)
    if beside.unknownKeys.contains(where: { $0.name == name }) { return }
    let place = SlotPath(path(to: value).steps.dropLast() + [.key(name)])
    beside.unknownKeys.append(UnknownKey(name: name, place: place))
  }
}
