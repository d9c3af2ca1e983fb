internal import MirrorSupport

extension [UInt8] {
  /// The name of the first member of the object at the beginning that satisfies a condition. Members of inner objects do not count.
  ///
  /// It needs no valid JSON after that member, so that a file that was cut is still recognised. Escapes in names are not decoded.
  ///
  /// - Complexity: O(*bytes before the member*).
  func firstMember(where isWanted: (String) -> Bool) -> String? {
    var depth = 0
    /// The last string at depth 1.
    var string: Range<Int>?
    var place = startIndex
    while place < endIndex {
      let byte = self[place]
      place += 1
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth <= 0 { return nil }
      case UInt8(ascii: "\""):
        let start = place
        while place < endIndex, self[place] != UInt8(ascii: "\"") { place += self[place] == UInt8(ascii: "\\") ? 2 : 1 }
        if place >= endIndex { return nil }
        if depth == 1 { string = start..<place }
        place += 1
      case UInt8(ascii: ":"):
        if depth == 1, let range = string {
          let name = String(decoding: self[range], as: UTF8.self)
          if isWanted(name) { return name }
        }
      default: if depth == 0, !JSONFault.isSpace(byte) { return nil }
      }
    }
    return nil
  }
}
