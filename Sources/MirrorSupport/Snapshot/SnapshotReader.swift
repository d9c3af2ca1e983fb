/// Reads what a ``SnapshotWriter`` has written. The rows and entries of a journal are read with it.
///
/// The caller reads the values in the order in which they were written.
///
/// Every number is checked, and a list cannot have more elements than there are bytes left. Hostile
/// bytes therefore cause an error. They cannot cause a trap, and the memory used is at most a
/// multiple of their size.
package struct SnapshotReader {
  /// The largest count. It is far below `Int.max`, so that sums and small multiples of counts do
  /// not overflow.
  package static let largestCount = 1 << 53

  private let bytes: [UInt8]
  private var position: Int
  /// The position of the checksum.
  private let end: Int
  private var strings: [String] = []

  /// - Throws: if the beginning, the format or the checksum is wrong.
  /// - Complexity: O(*bytes*).
  package init(_ bytes: [UInt8]) throws(SnapshotError) {
    let start = SnapshotWriter.magic.count + 1
    guard bytes.count >= start, bytes.starts(with: SnapshotWriter.magic) else { throw .notASnapshot }
    guard bytes[start - 1] == SnapshotWriter.format else { throw .unknownFormat(bytes[start - 1]) }
    let end = bytes.count - SnapshotWriter.checksumBytes
    guard end >= start else { throw .damaged }
    let hash = bytes.withUnsafeBytes { ByteHash.of(UnsafeRawBufferPointer(rebasing: $0[..<end])) }
    var stated: UInt64 = 0
    for byte in bytes[end...].reversed() { stated = stated << 8 | UInt64(byte) }
    guard hash == stated else { throw .damaged }
    (self.bytes, self.end) = (bytes, end)
    position = start
  }

  /// Whether all values were read.
  package var isAtEnd: Bool { position == end }

  /// - Throws: if bytes are left.
  package func finish() throws(SnapshotError) {
    if position != end { throw malformed("\(end - position) bytes follow the last value") }
  }

  /// An error about the value that was just read.
  package func malformed(_ what: String) -> SnapshotError { .malformed(what, at: position) }

  /// - Throws: if the condition is false.
  package func require(_ condition: Bool, _ what: @autoclosure () -> String) throws(SnapshotError) {
    if !condition { throw malformed(what()) }
  }

  // MARK: - Numbers

  package mutating func byte() throws(SnapshotError) -> UInt8 {
    guard position < end else { throw malformed("the snapshot ends within a value") }
    defer { position += 1 }
    return bytes[position]
  }

  package mutating func flag() throws(SnapshotError) -> Bool {
    let byte = try byte()
    guard byte <= 1 else { throw malformed("a flag must be 0 or 1") }
    return byte == 1
  }

  package mutating func word() throws(SnapshotError) -> UInt64 {
    var (word, shift): (UInt64, UInt64) = (0, 0)
    while true {
      let byte = try byte()
      // The tenth byte has only the highest of the 64 bits.
      if shift == 63, byte > 1 { throw malformed("a number must have at most 64 bits") }
      word |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return word }
      shift += 7
    }
  }

  /// A number from 0 to `limit`.
  package mutating func count(upTo limit: Int = largestCount) throws(SnapshotError) -> Int {
    let word = try word()
    guard word <= UInt64(limit) else { throw malformed("a number must be at most \(limit)") }
    return Int(word)
  }

  package mutating func signed() throws(SnapshotError) -> Int {
    let word = try word()
    return Int(bitPattern: UInt(word >> 1)) ^ -Int(word & 1)
  }

  /// A number that was written as the difference from another one. It must be from 0 to
  /// ``largestCount``.
  package mutating func count(after last: Int) throws(SnapshotError) -> Int {
    let sum = last.addingReportingOverflow(try signed())
    guard !sum.overflow, sum.partialValue >= 0, sum.partialValue <= Self.largestCount else {
      throw malformed("a number must be from 0 to \(Self.largestCount)")
    }
    return sum.partialValue
  }

  package mutating func optionalCount() throws(SnapshotError) -> Int? { try flag() ? try count() : nil }

  package mutating func optionalSigned() throws(SnapshotError) -> Int? { try flag() ? try signed() : nil }

  /// The count of a list whose elements have at least one byte each.
  package mutating func listCount() throws(SnapshotError) -> Int {
    let count = try count()
    guard count <= end - position else {
      throw malformed("a list has \(count) elements, and \(end - position) bytes are left")
    }
    return count
  }

  /// A list whose elements have at least one byte each.
  package mutating func all<Element>(
    _ body: (inout SnapshotReader) throws(SnapshotError) -> Element
  ) throws(SnapshotError) -> [Element] {
    var elements: [Element] = []
    // No memory is reserved for the count: an element can need much more memory than its bytes, so
    // a hostile count could reserve too much.
    for _ in 0..<(try listCount()) { elements.append(try body(&self)) }
    return elements
  }

  // MARK: - Strings

  /// A string, given by its bytes or by the number of an equal string that was read before.
  /// ``SnapshotWriter`` describes the form at the function that writes a string.
  package mutating func string() throws(SnapshotError) -> String {
    let code = try count()
    if code >= 2 {
      guard code - 2 < strings.count else { throw malformed("a string refers to a later one") }
      return strings[code - 2]
    }
    let size = try listCount()
    guard let text = String(validating: bytes[position..<position + size], as: UTF8.self) else {
      throw malformed("a string must be UTF-8")
    }
    position += size
    if code == 0 { strings.append(text) }
    return text
  }

  package mutating func optionalString() throws(SnapshotError) -> String? { try flag() ? try string() : nil }
}

/// The reason why bytes are not a snapshot that can be restored.
package enum SnapshotError: Error, Hashable, Sendable {
  /// The bytes do not begin as a snapshot does.
  case notASnapshot
  /// The snapshot has a format that this version does not read.
  case unknownFormat(UInt8)
  /// The checksum is not that of the bytes: they were changed, or some are missing.
  case damaged
  /// A value is not one that a snapshot can have, although the checksum is right. `at` is the
  /// offset in bytes at which the reader stopped.
  case malformed(String, at: Int)
}

extension SnapshotError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notASnapshot: "the bytes are not a snapshot of a view"
    case .unknownFormat(let format):
      "the snapshot has format \(format), and this version reads format \(SnapshotWriter.format) only"
    case .damaged: "the snapshot is damaged: its checksum is not that of its bytes"
    case .malformed(let what, let offset): "the snapshot is malformed at byte \(offset): \(what)"
    }
  }
}
