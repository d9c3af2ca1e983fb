/// A key that no LiveView up to 1.2 sends at its place in an update. It is ignored, as LiveView's client does.
package struct UnknownKey: Sendable, Hashable {
  /// The key, cut off after ``longestName`` bytes.
  package var name: String
  /// The first occurrence in the input.
  package var place: SlotPath

  /// In bytes.
  static let longestName = 64
  /// The number of different keys that are noted for one update. It bounds the memory for them.
  static let limit = 16
}

extension WireDecoder.Reader {
  /// Notes an ignored key.
  ///
  /// - Throws: if the key is a number but not an index, such as `-1` or `01`. Ignoring it would lose a slot.
  /// - Complexity: O(*values before the key*) for the first ``UnknownKey/limit`` different keys of an update, otherwise O(1).
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
