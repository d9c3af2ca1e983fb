internal import MirrorSupport

/// Character references: `&amp;`, `&#233;`, `&#xE9;` and the 2,231 names. ``Tokenizer`` resolves
/// the references in texts and attribute values with it.
///
/// The rules are those of the WHATWG standard (13.2.5.77 to 13.2.5.85): a reference is the
/// *longest* name that matches, with or without a semicolon. In an attribute, a name without a
/// semicolon before `=`, a letter or a digit is text: `&copy=1` is part of a query and not a
/// copyright sign.
struct CharacterReferences {
  /// The one or two characters of a reference, and its length in the markup in bytes, including the
  /// `&`.
  struct Match {
    var first: Unicode.Scalar
    var second: Unicode.Scalar?
    var length: Int
  }

  private struct Entry {
    /// The name with its semicolon, if it has one.
    var name: [UInt8]
    var first: Unicode.Scalar
    var second: Unicode.Scalar?
  }

  static let shared = CharacterReferences()

  /// Sorted by the bytes of the names, so that all names with the same prefix are one range.
  private let entries: [Entry]
  /// By ASCII code, the index of the first entry whose name begins with that character or a later
  /// one. The value at 128 is the number of entries.
  private let starts: [Int]

  private init() {
    var entries: [Entry] = []
    var legacy: Set<String> = []
    for name in "\(Self.legacy)".split(whereSeparator: \.isWhitespace) { legacy.insert(String(name)) }
    for item in "\(Self.named)".split(whereSeparator: \.isWhitespace) {
      let parts = item.split(separator: ":")
      let scalars = parts[1].split(separator: ",").compactMap { UInt32($0, radix: 16).flatMap(Unicode.Scalar.init) }
      let second = scalars.count > 1 ? scalars[1] : nil
      let name = String(parts[0])
      entries.append(Entry(name: Array(name.utf8) + [UInt8(ascii: ";")], first: scalars[0], second: second))
      if legacy.contains(name) {
        entries.append(Entry(name: Array(name.utf8), first: scalars[0], second: second))
      }
    }
    entries.sort { $0.name.lexicographicallyPrecedes($1.name) }
    self.entries = entries
    var starts = [Int](repeating: 0, count: 129)
    for entry in entries { starts[Int(entry.name[0]) + 1] += 1 }
    for letter in 1..<129 { starts[letter] += starts[letter - 1] }
    self.starts = starts
  }

  /// The reference whose `&` is at `start`, or `nil` if the bytes up to `end` do not begin with a
  /// reference.
  ///
  /// - Complexity: O(log *names*) for each byte of the name.
  func match(
    _ bytes: UnsafeBufferPointer<UInt8>, at start: Int, end: Int, inAttribute: Bool
  ) -> Match? {
    guard start + 1 < end else { return nil }
    let next = bytes[start + 1]
    if next == UInt8(ascii: "#") { return Self.numeric(bytes, at: start, end: end) }
    guard next.isASCIILetter, let (entry, length) = longestName(bytes, from: start + 1, to: end) else { return nil }
    let after = start + 1 + length
    if inAttribute, bytes[after - 1] != UInt8(ascii: ";"), after < end,
      bytes[after] == UInt8(ascii: "=") || bytes[after].isASCIIAlphanumeric
    {
      return nil
    }
    return Match(first: entries[entry].first, second: entries[entry].second, length: length + 1)
  }

  /// The index of the entry with the longest name that the bytes begin with, and the length of this
  /// name.
  private func longestName(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> (Int, Int)? {
    var low = starts[Int(bytes[start])]
    var high = starts[Int(bytes[start]) + 1]
    var best: (Int, Int)?
    var length = 1
    while low < high {
      if entries[low].name.count == length { best = (low, length) }
      guard start + length < end else { break }
      let byte = bytes[start + length]
      low = entries[low..<high].partitioningIndex { $0.name.count > length && $0.name[length] >= byte }
      high = entries[low..<high].partitioningIndex { $0.name.count > length && $0.name[length] > byte }
      length += 1
    }
    return best
  }

  // MARK: - Numeric references

  private static func numeric(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int, end: Int) -> Match? {
    var position = start + 2
    let isHexadecimal = position < end && bytes[position] | 0x20 == UInt8(ascii: "x")
    if isHexadecimal { position += 1 }
    let radix: UInt32 = isHexadecimal ? 16 : 10
    let digits = position
    var value: UInt32 = 0
    while position < end, let digit = bytes[position].hexadecimalDigit.map(UInt32.init), digit < radix {
      value = min(value * radix + digit, 0x11_0000)
      position += 1
    }
    guard position > digits else { return nil }
    if position < end, bytes[position] == UInt8(ascii: ";") { position += 1 }
    return Match(first: scalar(value), second: nil, length: position - start)
  }

  /// Numeric character reference end state (13.2.5.85): zero, surrogates and numbers above U+10FFFF
  /// become U+FFFD. The numbers of C1 controls are replaced by the characters that Windows-1252 has
  /// at these codes.
  private static func scalar(_ value: UInt32) -> Unicode.Scalar {
    var value = value
    if (0x80...0x9F).contains(value) {
      let replacement = windows1252[Int(value - 0x80)]
      if replacement != 0 { value = UInt32(replacement) }
    }
    guard value != 0, let scalar = Unicode.Scalar(value) else { return "\u{FFFD}" }
    return scalar
  }

  /// By number from 0x80 to 0x9F, the character that replaces it; 0 if the number is kept.
  private static let windows1252: [UInt16] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
    0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
    0x0178,
  ]
}
