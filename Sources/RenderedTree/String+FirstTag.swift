/// Finds the start of the root element in the first string of a template. ``Renderer`` marks the
/// roots of fragments there.
extension String {
  /// The byte offset of the first tag, after white space and comments; `nil` if anything else comes
  /// before it.
  ///
  /// - Complexity: O(*bytes before the tag*).
  var firstTag: Int? {
    var text = self
    return text.withUTF8 { bytes in
      var place = 0
      while place < bytes.count {
        switch bytes[place] {
        case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\t"), UInt8(ascii: "\r"), 0x0C: place += 1
        case UInt8(ascii: "<"):
          guard bytes[place...].starts(with: "<!--".utf8) else { return place }
          place += "<!--".utf8.count
          while place < bytes.count, !bytes[place...].starts(with: "-->".utf8) { place += 1 }
          place += "-->".utf8.count
        default: return nil
        }
      }
      return nil
    }
  }

  /// The offset of the comment that LiveView's client takes for the root: the first one with a line
  /// break, because the client's regular expression for comments does not match beyond a line break
  /// (`modifyRoot`, LiveView 1.0 to 1.2). `nil` if there is no such comment.
  ///
  /// - Parameter tag: the offset of the first tag.
  func commentTakenForRoot(before tag: Int) -> Int? {
    if tag == 0 { return nil }
    let head = Array(utf8.prefix(tag))
    var start: Int?
    for place in head.indices {
      let rest = head[place...]
      if start == nil {
        if rest.starts(with: "<!--".utf8) { start = place }
      } else if rest.starts(with: "-->".utf8) {
        start = nil
      } else if Self.lineBreaks.contains(where: { rest.starts(with: $0.utf8) }) {
        return start
      }
    }
    return nil
  }

  private static let lineBreaks = ["\n", "\r", "\u{2028}", "\u{2029}"]
}
