internal import MirrorSupport

/// Reads text. For text between tags (the data state), ``next()`` calls ``readText()``. For the
/// text of an element that contains only text, ``TreeBuilder/insertRawText(decoding:)`` calls
/// ``readRaw(to:decoding:)``.
extension Tokenizer {
  // MARK: - Data

  /// Reads text up to the next tag, comment or other markup.
  ///
  /// - Returns: `false` if no text remains, for example because all of it was `</>` or dropped
  ///   NULs.
  mutating func readText() -> Bool {
    let start = position
    var cursor = start
    var isPlain = true
    while cursor < bytes.count {
      let byte = bytes[cursor]
      if byte > 0x3C {
        cursor &+= 1
        continue
      }
      if byte == UInt8(ascii: "<") {
        if opensMarkup(at: cursor) { break }
        if cursor + 2 < bytes.count, bytes[cursor + 1] == UInt8(ascii: "/") {
          isPlain = false
          isIrregular = true
          log.report("missing-end-tag-name", at: cursor, "`</>` has no tag name", browsers: "skip it")
        } else {
          log.report(
            "invalid-first-character-of-tag-name", at: cursor, "A `<` does not begin a tag", browsers: "read it as text"
          )
        }
      } else if byte == UInt8(ascii: "&") || byte == 0x0D || byte == 0 {
        isPlain = false
      }
      cursor &+= 1
    }
    position = cursor
    return finishText(from: start, to: cursor, isPlain: isPlain, decoding: true, skipsEmptyTags: true)
  }

  /// Reads text up to `end` without recognising tags.
  ///
  /// - Parameter decoding: whether character references are resolved, as in the RCDATA state
  ///   (13.2.5.2).
  mutating func readRaw(to end: Int, decoding: Bool) {
    let start = position
    var isPlain = true
    for cursor in start..<end {
      let byte = bytes[cursor]
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
    var cursor = position
    while cursor < bytes.count {
      if bytes[cursor] == UInt8(ascii: "<"), isEndTag(at: cursor, of: name) { return cursor }
      cursor &+= 1
    }
    return cursor
  }

  /// The end of the text of a `script`. After `<!-- <script>` in this text, the next `</script>`
  /// belongs to the text and does not close the element (13.2.5.15 to 13.2.5.31).
  func endOfScript() -> Int {
    enum State { case data, escaped, doubleEscaped }
    var state = State.data
    var cursor = position
    while cursor < bytes.count {
      let byte = bytes[cursor]
      if byte == UInt8(ascii: "<") {
        if state != .doubleEscaped, isEndTag(at: cursor, of: "script") { return cursor }
        if state == .data, matches("<!--", at: cursor) {
          state = .escaped
          // Do not skip the dashes: they can also begin `-->`, since `<!-->` opens and closes a
          // comment.
          cursor &+= 2
          continue
        }
        if state == .escaped, isTagName("script", at: cursor + 1) {
          state = .doubleEscaped
        } else if state == .doubleEscaped, matches("</", at: cursor), isTagName("script", at: cursor + 2) {
          state = .escaped
        }
      } else if byte == UInt8(ascii: "-"), state != .data, matches("-->", at: cursor) {
        state = .data
        cursor &+= 2
      }
      cursor &+= 1
    }
    return cursor
  }

  private func isEndTag(at cursor: Int, of name: String) -> Bool {
    cursor + 1 < bytes.count && bytes[cursor + 1] == UInt8(ascii: "/") && isTagName(name, at: cursor + 2)
  }

  /// Whether the bytes at `start` are a tag's name in upper or lower case, followed by a byte that
  /// ends a tag's name.
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
    for cursor in 0..<length where bytes[start + cursor] != expected.utf8Start[cursor] { return false }
    return true
  }

  // MARK: - Strings

  @inline(__always) func string(_ start: Int, _ end: Int) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
  }

  /// Decodes a range of the markup into ``scratch``: resolves references, replaces CR LF and CR by
  /// LF, drops NUL or replaces it by U+FFFD (see ``dropsNull``), and drops `</>` if
  /// `skipsEmptyTags`. A negative ``contentOffset`` becomes the offset of the first character that
  /// is not white space, or stays negative if there is none.
  mutating func decode(_ start: Int, _ end: Int, references: Bool, inAttribute: Bool, skipsEmptyTags: Bool = false) {
    scratch.removeAll(keepingCapacity: true)
    var cursor = start
    while cursor < end {
      let byte = bytes[cursor]
      let from = cursor
      let before = scratch.count
      cursor += 1
      switch byte {
      case UInt8(ascii: "&") where references:
        if let match = self.references.match(bytes, at: from, end: end, inAttribute: inAttribute) {
          scratch.append(contentsOf: UTF8.encode(match.first) ?? .init())
          if let second = match.second { scratch.append(contentsOf: UTF8.encode(second) ?? .init()) }
          cursor = from + match.length
        } else {
          scratch.append(byte)
        }
      case UInt8(ascii: "\r"):
        if cursor < end, bytes[cursor] == UInt8(ascii: "\n") { cursor += 1 }
        scratch.append(UInt8(ascii: "\n"))
      case 0:
        log.report(
          "unexpected-null-character", at: from,
          "A NUL character is not allowed in a page", browsers: "drop or replace it")
        if inAttribute || !dropsNull { scratch.append(contentsOf: [0xEF, 0xBF, 0xBD]) }
      case UInt8(ascii: "<")
      where skipsEmptyTags && cursor < end && bytes[cursor] == UInt8(ascii: "/") && !isTail(from):
        cursor = from + 3
      default:
        scratch.append(byte)
      }
      if contentOffset < 0, scratch.count > before, !scratch[before].isASCIIWhitespace { contentOffset = from }
    }
  }

  /// Whether the `</` at a position ends the markup, and is therefore text.
  private func isTail(_ cursor: Int) -> Bool { cursor + 2 >= bytes.count }
}
