extension WireDecoder {
  /// The known keys of updates that are not indexes.
  enum Name: UInt16 {
    case s, p, k, d, r, c, e, t, kc, km, stream

    init?(_ key: UnsafeBufferPointer<UInt8>) {
      switch (key.count, key.first) {
      case (1, UInt8(ascii: "s")): self = .s
      case (1, UInt8(ascii: "p")): self = .p
      case (1, UInt8(ascii: "k")): self = .k
      case (1, UInt8(ascii: "d")): self = .d
      case (1, UInt8(ascii: "r")): self = .r
      case (1, UInt8(ascii: "c")): self = .c
      case (1, UInt8(ascii: "e")): self = .e
      case (1, UInt8(ascii: "t")): self = .t
      case (2, UInt8(ascii: "k")) where key[1] == UInt8(ascii: "c"): self = .kc
      case (2, UInt8(ascii: "k")) where key[1] == UInt8(ascii: "m"): self = .km
      case (6, UInt8(ascii: "s")) where key.elementsEqual("stream".utf8): self = .stream
      default: return nil
      }
    }
  }

  /// Iterates over the members of an object. Duplicate indexes and duplicate known names are errors.
  struct Members {
    enum Key {
      case index(Int)
      case name(Name)
      /// Neither an index nor a known name.
      case unknown
    }

    private let object: Int
    private var key: Int
    private let stop: Int
    private var names: UInt16 = 0
    private var largest = -1
    private var indexes: Set<Int>?

    init(of object: Int, on tape: Tape) {
      self.object = object
      key = object + 1
      stop = tape.end(object) - 1
    }

    /// Whether the indexes so far are in ascending order.
    var isAscending: Bool { indexes == nil }

    mutating func next(in reader: borrowing Reader) throws(WireError) -> (key: Key, value: Int)? {
      guard key < stop else { return nil }
      let (tape, here) = (reader.tape, key)
      key = tape.end(here + 1)
      if let index = tape.index(here) {
        // Small Elixir maps are in ascending order, larger ones in any order. Only those need a set to detect duplicates.
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
      guard let name = Name(tape.bytes(here)) else { return (.unknown, here + 1) }
      guard names & 1 << name.rawValue == 0 else {
        throw reader.wrong("the key \"\(name)\" occurs twice in one object", at: here + 1)
      }
      names |= 1 << name.rawValue
      return (.name(name), here + 1)
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
