internal import CLibrary
internal import MirrorSupport

extension [UInt8] {
  /// Whether the bytes contain `word`, ignoring ASCII case. `word` is in lower case and contains a dash: the search jumps from
  /// dash to dash.
  func contains(word: StaticString) -> Bool {
    let word = UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard let dash = word.firstIndex(of: UInt8(ascii: "-")) else { return false }
    return withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      var position = dash
      while position < bytes.count, let found = memchr(start + position, 0x2D, bytes.count - position) {
        let place = start.distance(to: found) - dash
        if place + word.count <= bytes.count,
          zip(bytes[place..<(place + word.count)], word).allSatisfy({ $0.lowercasedASCII == $1 })
        {
          return true
        }
        position = place + dash + 1
      }
      return false
    }
  }
}
