internal import MirrorSupport

/// Markup that begins with `<!`: comments, bogus comments, doctypes and CDATA sections (13.2.5.41
/// to 13.2.5.71). ``next()`` calls ``readDeclaration()`` at each `<!`.
extension Tokenizer {
  /// Reads a comment, a CDATA section or a doctype.
  ///
  /// - Returns: `nil` if the markup makes no token: a doctype, or an empty CDATA section.
  mutating func readDeclaration() -> Kind? {
    let start = position
    if matches("<!--", at: start) {
      readComment(from: start + 4)
      return .comment
    }
    if isName("doctype", at: start + 2) {
      // 13.2.6.4.7: a doctype in a body is ignored. The first `>` ends it, even inside a quoted
      // identifier.
      let end = firstIndex(of: UInt8(ascii: ">"), from: start)
      position = min(end + 1, bytes.count)
      isIrregular = true
      if end == bytes.count { isCut = true }
      log.report("unexpected-doctype", at: start, "A doctype is not allowed inside a page", browsers: "skip it")
      return nil
    }
    if readsCDATA, matches("<![CDATA[", at: start) {
      return readCDATA(from: start + 9) ? .text : nil
    }
    readBogusComment(from: start + 2)
    return .comment
  }

  /// Reads a comment, which ends at `-->` or `--!>`. `<!-->` and `<!--->` are complete, empty
  /// comments.
  private mutating func readComment(from start: Int) {
    offset = position
    for ending in [">", "->"] as [StaticString] where matches(ending, at: start) {
      log.report(
        "abrupt-closing-of-empty-comment", at: offset,
        "A comment ends directly after its `<!--`", browsers: "read it as an empty comment")
      position = start + ending.utf8CodeUnitCount
      text = ""
      return
    }
    var cursor = start
    while true {
      cursor = firstIndex(of: UInt8(ascii: "-"), from: cursor)
      guard cursor < bytes.count else { break }
      if matches("-->", at: cursor) {
        position = cursor + 3
        setComment(start, cursor)
        return
      }
      if matches("--!>", at: cursor) {
        log.report(
          "incorrectly-closed-comment", at: cursor, "A comment is closed by `--!>`", browsers: "accept it as `-->`")
        position = cursor + 4
        setComment(start, cursor)
        return
      }
      cursor += 1
    }
    log.report(
      "eof-in-comment", at: offset, "A comment is not closed", browsers: "read the rest of the markup as its text")
    position = bytes.count
    isCut = true
    var end = bytes.count
    for ending in ["--!", "--", "-"] as [StaticString]
    where end - ending.utf8CodeUnitCount >= start && matches(ending, at: end - ending.utf8CodeUnitCount) {
      end -= ending.utf8CodeUnitCount
      break
    }
    setComment(start, end)
  }

  /// Reads a bogus comment (13.2.5.41): unknown markup up to the next `>` becomes a comment.
  mutating func readBogusComment(from start: Int) {
    offset = position
    log.report(
      "incorrectly-opened-comment", at: offset,
      "Markup after `<!`, `<?` or `</` is not valid", browsers: "read it as a comment")
    let end = firstIndex(of: UInt8(ascii: ">"), from: start)
    position = min(end + 1, bytes.count)
    if end == bytes.count { isCut = true }
    setComment(start, end)
  }

  /// Sets ``text`` to the data of a comment or processing instruction. A NUL in it always becomes
  /// U+FFFD.
  mutating func setComment(_ start: Int, _ end: Int) {
    let isPlain = !bytes[start..<end].contains { $0 == 0 || $0 == 0x0D }
    if isPlain {
      text = string(start, end)
      return
    }
    let dropped = dropsNull
    dropsNull = false
    decode(start, end, references: false, inAttribute: false)
    dropsNull = dropped
    text = String(decoding: scratch, as: UTF8.self)
  }

  /// Reads a CDATA section up to `]]>`, as text.
  ///
  /// - Returns: whether the section has any bytes.
  private mutating func readCDATA(from start: Int) -> Bool {
    var end = start
    while end < bytes.count, !(bytes[end] == UInt8(ascii: "]") && matches("]]>", at: end)) { end += 1 }
    position = start
    if end == bytes.count { isCut = true }
    readRaw(to: end, decoding: false)
    position = min(end + 3, bytes.count)
    return start < end
  }

  func firstIndex(of byte: UInt8, from start: Int) -> Int {
    var cursor = start
    while cursor < bytes.count, bytes[cursor] != byte { cursor &+= 1 }
    return cursor
  }
}
