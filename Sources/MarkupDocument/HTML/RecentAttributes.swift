/// The attributes of tags read before, by the bytes they were written with.
///
/// A page repeats itself: the cells of a column all have one `class`. Tags that are written the same share one array of
/// attributes, which saves reading them, holds each once in memory, and lets ``Element/sameAttributes(as:)`` see at a
/// glance that nothing changed.
struct RecentAttributes {
  struct Entry {
    /// The stretch of markup behind the tag's name, up to and with its `>`.
    var start: Int
    var length: Int
    var attributes: [Element.Attribute]
    var isSelfClosing: Bool
  }

  private static var slotBits: UInt64 { 6 }

  /// Made for the first entry: a piece of a page often has none.
  private var entries: [Entry] = []

  /// The slot for what is written from `start` up to the next `>`.
  ///
  /// Inside a quoted value that `>` is not the tag's end; then the slot is a poor one, and nothing else.
  static func slot(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let base = UnsafeRawBufferPointer(bytes)
    var hash: UInt64 = 0
    var place = start
    while place &+ 8 <= bytes.count {
      let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      // The lowest byte that is a `>`, found eight at a time.
      let others = word ^ 0x3E3E_3E3E_3E3E_3E3E
      let found = (others &- 0x0101_0101_0101_0101) & ~others & 0x8080_8080_8080_8080
      if found != 0 {
        let below = found & (~found &+ 1)
        hash = (hash ^ (word & (below &- 1))) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: hash &>> (64 &- slotBits))
      }
      hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash &>> 29
      place &+= 8
      if place &- start >= 256 { break }
    }
    return Int(truncatingIfNeeded: hash &>> (64 &- slotBits))
  }

  /// The entry of a slot, if it was written as what stands at `start`.
  func entry(_ slot: Int, _ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Entry? {
    guard !entries.isEmpty else { return nil }
    let length = entries[slot].length
    guard length > 0, start &+ length <= bytes.count else { return nil }
    let earlier = entries[slot].start
    for place in 0..<length where bytes[earlier &+ place] != bytes[start &+ place] { return nil }
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
