/// A cache of the attributes of earlier tags, keyed by the bytes of the tag after its name.
/// ``Tokenizer`` keeps one for each parse. The entries are offsets in the markup, so all calls must
/// pass the same markup.
///
/// Pages repeat tags: all cells of a column have the same `class`. Tags with the same bytes share
/// one array of attributes. This saves parsing and memory, and ``Element/sameAttributes(as:)``
/// finds two arrays with the same storage equal without comparing their elements.
struct RecentAttributes {
  struct Entry {
    /// The start of the bytes that follow the tag's name.
    var start: Int
    /// The number of bytes up to and including the `>`; 0 for an unused slot.
    var length: Int
    var attributes: [Element.Attribute]
    var isSelfClosing: Bool
  }

  private static var slotBits: UInt64 { 6 }

  /// Allocated with the first entry, since a piece of a page often has no attributes.
  private var entries: [Entry] = []

  /// The slot for the bytes from `start` up to the next `>`.
  ///
  /// The hash covers about 256 bytes at most. A `>` inside a quoted value does not end the tag; the
  /// hash then covers fewer bytes. Both only make collisions more likely: ``entry(_:_:at:)``
  /// compares all bytes.
  static func slot(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let base = UnsafeRawBufferPointer(bytes)
    var hash: UInt64 = 0
    var cursor = start
    while cursor &+ 8 <= bytes.count {
      let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: cursor, as: UInt64.self))
      // Tests eight bytes at a time for a `>`, and finds the lowest one.
      let others = word ^ 0x3E3E_3E3E_3E3E_3E3E
      let found = (others &- 0x0101_0101_0101_0101) & ~others & 0x8080_8080_8080_8080
      if found != 0 {
        let below = found & (~found &+ 1)
        hash = (hash ^ (word & (below &- 1))) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: hash &>> (64 &- slotBits))
      }
      hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash &>> 29
      cursor &+= 8
      if cursor &- start >= 256 { break }
    }
    return Int(truncatingIfNeeded: hash &>> (64 &- slotBits))
  }

  /// The entry of a slot, if its bytes equal those at `start`.
  func entry(_ slot: Int, _ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Entry? {
    guard !entries.isEmpty else { return nil }
    let length = entries[slot].length
    guard length > 0, start &+ length <= bytes.count else { return nil }
    let earlier = entries[slot].start
    for cursor in 0..<length where bytes[earlier &+ cursor] != bytes[start &+ cursor] { return nil }
    return entries[slot]
  }

  mutating func set(_ slot: Int, _ entry: Entry) {
    if entries.isEmpty {
      entries = [Entry](
        repeating: Entry(start: 0, length: 0, attributes: [], isSelfClosing: false), count: 1 << Int(Self.slotBits))
    }
    entries[slot] = entry
  }
}
