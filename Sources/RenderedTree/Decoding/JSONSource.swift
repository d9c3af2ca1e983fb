internal import MirrorSupport

/// The text of a parsed JSON value. It finds the bytes of a value as they were received, because simdjson's tape has no positions.
///
/// The text has been parsed, so it is valid JSON. A place is the index of a byte. A place in an invalid text would be wrong, but
/// never beyond the end.
struct JSONSource {
  let bytes: UnsafeBufferPointer<UInt8>

  /// The place of the first value at or after a place.
  func value(from place: Int) -> Int {
    var place = place
    while place < bytes.count, JSONFault.isSpace(bytes[place]) { place += 1 }
    return place
  }

  /// The place after the comma or colon that follows, and after white space.
  func next(after end: Int) -> Int { value(from: min(value(from: end) + 1, bytes.count)) }

  /// The place after a value.
  ///
  /// - Complexity: O(*bytes of the value*).
  func end(ofValueAt start: Int) -> Int {
    var (place, depth) = (start, 0)
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""): place = JSONSyntax.end(ofStringAt: place, in: bytes)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        place += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        place += 1
      default:
        if depth == 0 { return end(ofWordAt: place) }
        place += 1
      }
      if depth == 0 { return place }
    }
    return bytes.count
  }

  /// The end of a number, `true`, `false` or `null`.
  private func end(ofWordAt start: Int) -> Int {
    var place = start
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): return place
      case let byte where JSONFault.isSpace(byte): return place
      default: place += 1
      }
    }
    return place
  }

  /// The bytes of a value inside of another one.
  ///
  /// - Parameters:
  ///   - value: the value on the tape.
  ///   - outer: the value that contains it, or the same value.
  ///   - start: the place of `outer`.
  /// - Complexity: O(*bytes before the end of the value*).
  func range(of value: Int, in outer: Int, at start: Int, on tape: WireDecoder.Tape) -> Range<Int> {
    var (here, place) = (outer, start)
    while here < value {
      let isObject = tape.kind(here) == .object
      var child = here + 1
      place = self.value(from: place + 1)
      while true {
        if isObject {
          place = next(after: JSONSyntax.end(ofStringAt: place, in: bytes))
          child += 1
        }
        if tape.end(child) > value { break }
        child = tape.end(child)
        place = next(after: end(ofValueAt: place))
      }
      here = child
    }
    return place..<max(place, end(ofValueAt: place))
  }
}
