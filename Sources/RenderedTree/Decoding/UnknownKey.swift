/// A key of an update that no LiveView up to 1.2 sends at its place. The update is read without it, as the client does.
package struct UnknownKey: Sendable, Hashable {
  /// The key, at most ``longestName`` bytes of it.
  package var name: String
  /// The first place in the input where it was found.
  package var place: SlotPath

  /// In bytes.
  static let longestName = 64
  /// How many different keys of one update are noted; so the memory for them does not grow with the input.
  static let limit = 16
}

extension WireDecoder.Reader {
  /// Notes a key that is not read.
  ///
  /// - Throws: where it is a number and not an index, such as `-1` or `01`: a slot that the mirror would lose.
  /// - Complexity: O(*values before it*) for the first ``UnknownKey/limit`` different keys of an update, else O(1).
  @inline(never)
  mutating func ignoreKey(of value: Int) throws(WireError) {
    let key = tape.bytes(value - 1)
    let digits = key.first == UInt8(ascii: "-") ? key[1...] : key[...]
    if !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      throw wrong("a key that is a number must be an index: digits without a leading zero, less than 10^9", at: value)
    }
    guard beside.unknownKeys.count < UnknownKey.limit else { return }
    // A name that was cut in the middle of a character ends with a replacement character.
    let name = String(decoding: key.prefix(UnknownKey.longestName), as: UTF8.self)
    if beside.unknownKeys.contains(where: { $0.name == name }) { return }
    let place = SlotPath(path(to: value).steps.dropLast() + [.key(name)])
    beside.unknownKeys.append(UnknownKey(name: name, place: place))
  }
}
