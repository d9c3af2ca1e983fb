/// Writes a snapshot: a sequence of numbers and strings. A number takes as few bytes as its value
/// needs. A short string is written once, and after that by its number.
///
///     4C 56 53 00   the beginning of every snapshot
///     02            the format
///     …             the values, as `SnapshotReader` reads them: the format does not name them
///     8 bytes       the ByteHash of all bytes before, little-endian
///
/// Equal calls give equal bytes in every process. A caller that writes a set or a dictionary must
/// sort it. Rows and entries of a journal are written with it.
package struct SnapshotWriter {
  /// The number of the format. It must be incremented whenever the values that are written change.
  package static let format: UInt8 = 2
  static let magic: [UInt8] = [0x4C, 0x56, 0x53, 0x00]
  static let checksumBytes = 8
  /// The number of bytes up to which a string gets a number. Longer strings are written in full
  /// each time, because they are rarely repeated.
  static let longestShared = 64

  private var bytes: [UInt8] = magic + [format]
  /// The numbers of the short strings that were written.
  private var strings: [ByteString: Int] = [:]

  package init() {}

  /// - Parameter capacity: an estimate of the snapshot's size in bytes.
  package init(capacity: Int) { bytes.reserveCapacity(capacity) }

  /// The snapshot.
  ///
  /// - Complexity: O(*bytes*).
  package consuming func finish() -> [UInt8] {
    let hash = bytes.withUnsafeBytes(ByteHash.of)
    for byte in 0..<Self.checksumBytes { bytes.append(UInt8(truncatingIfNeeded: hash >> (8 * UInt64(byte)))) }
    return bytes
  }

  // MARK: - Numbers

  package mutating func write(byte: UInt8) { bytes.append(byte) }

  package mutating func write(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  /// Writes a number with 7 bits in each byte, the lowest first.
  package mutating func write(word: UInt64) {
    var rest = word
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Writes a number from 0 to `SnapshotReader.largestCount`, such as a count or a version.
  package mutating func write(count: Int) { write(word: UInt64(max(0, count))) }

  /// Writes any number in zigzag form, so that small numbers of both signs are short.
  package mutating func write(signed: Int) { write(word: UInt64(bitPattern: Int64(signed << 1 ^ signed >> 63))) }

  /// Writes a count as the difference from another one. Counts that ascend, such as node numbers,
  /// are then short.
  package mutating func write(count: Int, after last: Int) { write(signed: count - last) }

  package mutating func write(count: Int?) {
    write(count != nil)
    if let count { write(count: count) }
  }

  package mutating func write(signed: Int?) {
    write(signed != nil)
    if let signed { write(signed: signed) }
  }

  /// Writes the count of a list, and then each element.
  package mutating func write<Elements: Collection>(
    all elements: Elements, _ body: (Elements.Element, inout SnapshotWriter) -> Void
  ) {
    write(count: elements.count)
    for element in elements { body(element, &self) }
  }

  // MARK: - Strings

  /// Writes a string in one of three forms. A string longer than ``longestShared`` is written as 1
  /// and its bytes. A shorter one is written as 0 and its bytes for the first time, and as its
  /// number plus 2 after that.
  package mutating func write(_ text: String) {
    var text = text
    let size = text.utf8.count
    if size <= Self.longestShared {
      let key = ByteString(text)
      if let known = strings[key] { return write(count: known + 2) }
      strings[key] = strings.count
      bytes.append(0)
    } else {
      bytes.append(1)
    }
    write(count: size)
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  package mutating func write(_ text: String?) {
    write(text != nil)
    if let text { write(text) }
  }
}
