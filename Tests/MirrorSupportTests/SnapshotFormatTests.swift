import Testing

@testable import MirrorSupport

@Suite struct SnapshotFormatTests {
  @Test func `every kind of value is read as it was written`() throws {
    let numbers = [0, 1, -1, 63, 64, -64, -65, 127, 128, 1 << 20, -(1 << 20), .max, .min, .max - 1, .min + 1]
    let counts = [0, 1, 127, 128, 16_383, 16_384, SnapshotReader.largestCount]
    let texts = [
      "", "a", "é", "e\u{301}", "a", "é", String(repeating: "x", count: 65), String(repeating: "x", count: 65),
    ]
    var writer = SnapshotWriter()
    for number in numbers { writer.write(signed: number) }
    for count in counts { writer.write(count: count) }
    for text in texts { writer.write(text) }
    for word in [0, 1, 1 << 63, UInt64.max] { writer.write(word: word) }
    writer.write(count: 5, after: 9)
    writer.write(true)
    writer.write(byte: 255)
    writer.write(String?.none)
    writer.write(Optional("b"))
    writer.write(signed: Int?.some(-3))
    writer.write(count: Int?.none)
    writer.write(all: [3, 1, 2]) { $1.write(count: $0) }
    var reader = try SnapshotReader(writer.finish())
    for number in numbers { #expect(try reader.signed() == number) }
    for count in counts { #expect(try reader.count() == count) }
    for text in texts { #expect(try Array(reader.string().utf8) == Array(text.utf8)) }
    for word in [0, 1, 1 << 63, UInt64.max] { #expect(try reader.word() == word) }
    #expect(try reader.count(after: 9) == 5)
    #expect(try reader.flag())
    #expect(try reader.byte() == 255)
    #expect(try reader.optionalString() == nil)
    #expect(try reader.optionalString() == "b")
    #expect(try reader.optionalSigned() == -3)
    #expect(try reader.optionalCount() == nil)
    #expect(try reader.all { reader throws(SnapshotError) in try reader.count() } == [3, 1, 2])
    try reader.finish()
  }

  @Test func `a repeated string is written once`() {
    func size(_ texts: [String]) -> Int {
      var writer = SnapshotWriter()
      for text in texts { writer.write(text) }
      return writer.finish().count
    }
    #expect(size(["class", "class"]) == size(["class"]) + 1)
    // The two forms of "é" are two strings.
    #expect(size(["é", "e\u{301}"]) == size([]) + 4 + 5)
  }

  /// The reader of a snapshot with these bytes as its values.
  private func reader(_ values: [UInt8]) throws -> SnapshotReader {
    var writer = SnapshotWriter()
    for value in values { writer.write(byte: value) }
    return try SnapshotReader(writer.finish())
  }

  @Test func `values that nothing writes are errors`() throws {
    let long = [UInt8](repeating: 0xFF, count: 9)
    #expect(try reader(long + [1]).copied { try $0.word() } == UInt64.max)
    #expect(throws: SnapshotError.self) { try self.reader(long + [2]).copied { try $0.word() } }
    #expect(throws: SnapshotError.self) { try self.reader(long + [0x81, 0]).copied { try $0.word() } }
    #expect(throws: SnapshotError.self) { try self.reader(long + [1]).copied { try $0.count() } }
    #expect(throws: SnapshotError.self) { try self.reader([2]).copied { try $0.flag() } }
    #expect(throws: SnapshotError.self) { try self.reader([]).copied { try $0.byte() } }
    #expect(throws: SnapshotError.self) { try self.reader([0x80]).copied { try $0.count() } }
    // A string of 5 bytes of which 1 is left, one that is not UTF-8, and a reference to no string.
    #expect(throws: SnapshotError.self) { try self.reader([0, 5, 0x61]).copied { try $0.string() } }
    #expect(throws: SnapshotError.self) { try self.reader([0, 1, 0xFF]).copied { try $0.string() } }
    #expect(throws: SnapshotError.self) { try self.reader([2]).copied { try $0.string() } }
    // A list of 100 elements in 2 bytes, and bytes after the last value.
    #expect(throws: SnapshotError.self) { try self.reader([100, 1, 1]).copied { try $0.listCount() } }
    #expect(throws: SnapshotError.self) { try self.reader([1]).finish() }
    #expect(throws: SnapshotError.self) { try self.reader([1]).copied { try $0.count(after: 0) } }
  }

  @Test func `two inputs of one length that differ in one word have different hashes`() {
    let bytes = [UInt8](0..<200)
    func hash(_ bytes: [UInt8]) -> UInt64 { bytes.withUnsafeBytes(ByteHash.of) }
    var hashes: Set<UInt64> = [hash(bytes)]
    for place in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[place] ^= 1 << UInt8(bit)
        #expect(hashes.insert(hash(changed)).inserted)
      }
    }
    for length in 0..<200 { #expect(hashes.insert(hash([UInt8](repeating: 0, count: length))).inserted) }
    // The same in every process and on every machine.
    #expect("seed".byteHash == 8_103_944_211_783_327_283)
  }
}

extension SnapshotReader {
  fileprivate func copied<Value>(_ body: (inout SnapshotReader) throws -> Value) rethrows -> Value {
    var copy = self
    return try body(&copy)
  }
}
