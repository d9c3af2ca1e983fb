import Testing

@testable import MicroHTTP

@Suite("EntityTag")
struct EntityTagTests {
  /// The first two test vectors of the SipHash authors: key and input are the bytes 0, 1, 2, …
  @Test(
    arguments: [
      (0, 0xE6A8_25BA_047F_81A3 as UInt64, 0x9302_55C7_1472_F66D as UInt64),
      (1, 0x44AF_996B_D8C1_87DA, 0x45FC_229B_1159_7634),
    ])
  func `the hash is 128-bit SipHash-2-4`(count: Int, first: UInt64, second: UInt64) {
    let hash = SipHash(key: (0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908))
    let result = (0..<count).map { UInt8($0) }.withUnsafeBytes { hash.hash($0) }
    #expect(result == (first, second))
  }

  @Test(arguments: [0, 1, 7, 8, 9, 64, 1_001])
  func `equal bytes have equal tags, and changing one bit changes the tag`(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    var tags: Set = [EntityTag(of: bytes)]
    #expect(tags.contains(EntityTag(of: Array(bytes))))
    for bit in 0..<(count * 8) {
      var other = bytes
      other[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(tags.insert(EntityTag(of: other)).inserted)
    }
    #expect(tags.insert(EntityTag(of: bytes + [0])).inserted)
  }

  @Test
  func `a tag is weak and has 32 digits`() {
    let text = EntityTag(of: []).description
    #expect(text.utf8.count == 36)
    #expect(text.hasPrefix("W/\""))
    #expect(EntityTag(text) == EntityTag(of: []))
  }

  @Test(
    arguments: [
      ("*", "*"), (" * ", "*"), (#""a""#, #""a""#), (#"W/"a""#, #"W/"a""#), (#""a", W/"b""#, #""a" W/"b""#),
      (#""a","b""#, #""a" "b""#), (#""a,b""#, #""a,b""#), (#""""#, #""""#), (#""é""#, #""é""#),
      ("a", nil), ("", nil), (#""a"#, nil), (#"a""#, nil), (#""a" "b""#, nil), (#""a","#, nil), (#","a""#, nil),
      (#"w/"a""#, nil), (#"W/ "a""#, nil), (#""a b""#, nil), (#"*, "a""#, nil), (#""a", *"#, nil), (#""a"x"#, nil),
    ])
  func `a list of tags is parsed, and a malformed list gives nil`(text: String, expected: String?) {
    let list = EntityTag.List(text).map { list in
      switch list {
      case .any: "*"
      case .tags(let tags): tags.map(\.description).joined(separator: " ")
      }
    }
    #expect(list == expected)
  }
}
