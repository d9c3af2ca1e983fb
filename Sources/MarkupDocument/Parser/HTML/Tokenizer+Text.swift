internal import MirrorSupport

/// Text: in the data state, and inside elements that contain only text.
extension Tokenizer {
  // MARK: - Data

  /// Reads text up to the next tag, comment or other markup.
  ///
  /// - Returns: `false` if no text remains, for example because all of it was `</>` or dropped NULs.
  mutating func readText() -> Bool {
    let start = position
    var place = start
    var isPlain = true
    while place < bytes.count {
      let byte = bytes[place]
      if byte > 0x3C {
        place &+= 1
        continue
      }
      if byte == UInt8(ascii: "<") {
        if opensMarkup(at: place) { break }
        if place + 2 < bytes.count, bytes[place + 1] == UInt8(ascii: "/") {
          isPlain = false
          isIrregular = true
          log.report("missing-end-tag-name", at: place, "`</>` has no tag name", browsers: "skip it")
        } else {
          log.report(
            "invalid-first-character-of-tag-name", at: place, "A `<` does not begin a tag", browsers: "read it as text")
        }
      } else if byte == UInt8(ascii: "&") || byte == 0x0D || byte == 0 {
        isPlain = false
      }
      place &+= 1
    }
    position = place
    return finishText(from: start, to: place, isPlain: isPlain, decoding: true, skipsEmptyTags: true)
  }

  /// Reads text up to `end` without recognising tags.
  ///
  /// - Parameter decoding: whether character references are resolved, as in the RCDATA state (13.2.5.2).
  mutating func readRaw(to end: Int, decoding: Bool) {
    let start = position
    var isPlain = true
    for place in start..<end {
      let byte = bytes[place]
      if byte == 0x0D || byte == 0 || (decoding && byte == UInt8(ascii: "&")) {
        isPlain = false
        break
      }
    }
    position = end
    let dropped = dropsNull
    dropsNull = false
    _ = finishText(from: start, to: end, isPlain: isPlain, decoding: decoding, skipsEmptyTags: false)
    dropsNull = dropped
  }

  private mutating func finishText(
    from start: Int, to end: Int, isPlain: Bool, decoding: Bool, skipsEmptyTags: Bool
  ) -> Bool {
    offset = start
    if isPlain {
      var content = start
      while content < end, bytes[content].isASCIIWhitespace { content &+= 1 }
      isBlank = content == end
      contentOffset = content
      text = string(start, end)
      return start < end
    }
    contentOffset = -1
    decode(start, end, references: decoding, inAttribute: false, skipsEmptyTags: skipsEmptyTags)
    isBlank = contentOffset < 0
    if isBlank { contentOffset = end }
    text = String(decoding: scratch, as: UTF8.self)
    return !scratch.isEmpty
  }

  // MARK: - Raw text

  /// The end of the raw text of an element that only its own end tag closes.
  ///
  /// - Returns: the offset of the end tag's `<`, or the end of the markup.
  func endOfRawText(closedBy name: String) -> Int {
    var place = position
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "<"), isEndTag(at: place, of: name) { return place }
      place &+= 1
    }
    return place
  }

  /// The end of the text of a `script`. In a script, `<!-- <script>` hides one `</script>` (13.2.5.15 to 13.2.5.31).
  func endOfScript() -> Int {
    enum State { case data, escaped, doubleEscaped }
    var state = State.data
    var place = position
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "<") {
        if state != .doubleEscaped, isEndTag(at: place, of: "script") { return place }
        if state == .data, matches("<!--", at: place) {
          state = .escaped
          // Do not skip the dashes: they can also begin `-->`, since `<!-->` opens and closes a comment.
          place &+= 2
          continue
        }
        if state == .escaped, isTagName("script", at: place + 1) {
          state = .doubleEscaped
        } else if state == .doubleEscaped, matches("</", at: place), isTagName("script", at: place + 2) {
          state = .escaped
        }
      } else if byte == UInt8(ascii: "-"), state != .data, matches("-->", at: place) {
        state = .data
        place &+= 2
      }
      place &+= 1
    }
    return place
  }

  private func isEndTag(at place: Int, of name: String) -> Bool {
    place + 1 < bytes.count && bytes[place + 1] == UInt8(ascii: "/") && isTagName(name, at: place + 2)
  }

  /// Whether the bytes at `start` are a tag's name in upper or lower case, followed by a byte that ends a tag's name.
  private func isTagName(_ name: String, at start: Int) -> Bool {
    guard isName(name, at: start), start + name.utf8.count < bytes.count else { return false }
    let byte = bytes[start + name.utf8.count]
    return byte.isASCIIWhitespace || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
  }

  /// Whether the bytes at `start` begin with a name in upper or lower case.
  ///
  /// - Parameter name: in lower case.
  func isName(_ name: String, at start: Int) -> Bool {
    start + name.utf8.count <= bytes.count && zip(name.utf8, bytes[start...]).allSatisfy { $0 == $1.lowercasedASCII }
  }

  func matches(_ expected: StaticString, at start: Int) -> Bool {
    let length = expected.utf8CodeUnitCount
    guard start + length <= bytes.count else { return false }
    for place in 0..<length where bytes[start + place] != expected.utf8Start[place] { return false }
    return true
  }

  // MARK: - Strings

  @inline(__always) func string(_ start: Int, _ end: Int) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
  }

  /// Decodes a range of the markup into ``scratch``: resolves references, replaces CR LF and CR by LF, drops NUL or replaces
  /// it by U+FFFD. Sets ``contentOffset`` if it is negative and the range has a character that is not white space.
  mutating func decode(_ start: Int, _ end: Int, references: Bool, inAttribute: Bool, skipsEmptyTags: Bool = false) {
    scratch.removeAll(keepingCapacity: true)
    var place = start
    while place < end {
      let byte = bytes[place]
      let from = place
      let before = scratch.count
      place += 1
      switch byte {
      case UInt8(ascii: "&") where references:
        if let match = self.references.match(bytes, at: from, end: end, inAttribute: inAttribute) {
          scratch.append(contentsOf: UTF8.encode(match.first) ?? .init())
          if let second = match.second { scratch.append(contentsOf: UTF8.encode(second) ?? .init()) }
          place = from + match.length
        } else {
          scratch.append(byte)
        }
      case UInt8(ascii: "\r"):
        if place < end, bytes[place] == UInt8(ascii: "\n") { place += 1 }
        scratch.append(UInt8(ascii: "\n"))
      case 0:
        log.report(
          "unexpected-null-character", at: from,
          "A NUL character is not allowed in a page", browsers: "drop or replace it")
        if inAttribute || !dropsNull { scratch.append(contentsOf: [0xEF, 0xBF, 0xBD]) }
      case UInt8(ascii: "<") where skipsEmptyTags && place < end && bytes[place] == UInt8(ascii: "/") && !isTail(from):
        place = from + 3
      default:
        scratch.append(byte)
      }
      if contentOffset < 0, scratch.count > before, !scratch[before].isASCIIWhitespace { contentOffset = from }
    }
  }

  /// Whether the `</` at a position ends the markup, and is therefore text.
  private func isTail(_ place: Int) -> Bool { place + 2 >= bytes.count }
}
