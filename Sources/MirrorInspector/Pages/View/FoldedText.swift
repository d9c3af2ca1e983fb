/// A text to search for, without regard to the case of ASCII letters.
struct FoldedText {
  /// In lower case.
  let text: String
  private let bytes: [UInt8]

  init(_ text: String) {
    self.text = text.lowercased()
    bytes = text.utf8.map(Self.folded)
  }

  /// Whether another text contains this one. Nothing is allocated.
  ///
  /// - Complexity: O(*bytes of both*) for usual texts.
  func isPart(of other: String?) -> Bool {
    guard var other else { return false }
    return other.withUTF8 { other in
      guard let first = bytes.first, other.count >= bytes.count else { return bytes.isEmpty }
      return (0...other.count - bytes.count).contains { start in
        Self.folded(other[start]) == first
          && bytes.indices.allSatisfy { Self.folded(other[start + $0]) == bytes[$0] }
      }
    }
  }

  private static func folded(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }
}
