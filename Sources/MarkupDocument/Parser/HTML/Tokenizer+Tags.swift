internal import MirrorSupport

/// Tags and their attributes (13.2.5.6 to 13.2.5.8, 13.2.5.32 to 13.2.5.40). ``next()`` calls
/// ``readTag(nameAt:)`` at each tag.
extension Tokenizer {
  /// Reads a tag whose name begins at `start`.
  ///
  /// - Returns: `false` if the markup ends inside the tag, which is then dropped.
  mutating func readTag(nameAt start: Int) -> Bool {
    offset = position
    attributes.removeAll()
    isSelfClosing = false
    var key = KnownTagTable.Key()
    var cursor = start
    var isPlain = true
    while cursor < bytes.count {
      let byte = bytes[cursor]
      if byte.isASCIIWhitespace || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">") { break }
      let isUppercase = byte.isASCIIUppercase && !keepsCase
      if isUppercase || byte == 0 { isPlain = false }
      key.set(isUppercase ? byte | 0x20 : byte == 0 ? 0xFF : byte, at: cursor &- start)
      cursor &+= 1
    }
    self.key = key
    tag = !keepsCase && cursor &- start <= 16 ? knownTags.tag(key) : .other
    if tag != .other {
      name = knownTags.names[Int(tag.rawValue)]
    } else {
      name = isPlain ? string(start, cursor) : lowercased(start, cursor)
    }
    let isBare = cursor < bytes.count && bytes[cursor] == UInt8(ascii: ">")
    guard let end = isBare ? cursor &+ 1 : recallAttributes(from: cursor) else {
      log.report("eof-in-tag", at: offset, "The markup ends inside a tag", browsers: "drop the tag")
      position = bytes.count
      isCut = true
      return false
    }
    position = end
    return true
  }

  /// Sets ``attributes`` and ``isSelfClosing``. If a recent tag has the same bytes after its name,
  /// its values are copied; otherwise the attributes are read. Attributes with a diagnostic are
  /// always read, so that each occurrence is reported.
  ///
  /// - Returns: the offset after the `>`, or `nil` if the markup ends inside the tag.
  private mutating func recallAttributes(from start: Int) -> Int? {
    let slot = RecentAttributes.slot(bytes, from: start)
    if let recent = recentAttributes.entry(slot, bytes, at: start) {
      attributes = recent.attributes
      isSelfClosing = recent.isSelfClosing
      return start &+ recent.length
    }
    let reported = log.diagnostics.count
    guard let end = readAttributes(from: start) else { return nil }
    if log.diagnostics.count == reported {
      recentAttributes.set(
        slot,
        .init(start: start, length: end &- start, attributes: attributes, isSelfClosing: isSelfClosing))
    }
    return end
  }

  /// Reads attributes up to the `>` of the tag.
  ///
  /// - Returns: the offset after the `>`, or `nil` if the markup ends inside the tag.
  private mutating func readAttributes(from start: Int) -> Int? {
    var cursor = start
    while cursor < bytes.count {
      let byte = bytes[cursor]
      if byte == UInt8(ascii: ">") {
        if attributes.count > Self.fewAttributes { dropDuplicates() }
        return cursor &+ 1
      }
      if byte.isASCIIWhitespace {
        cursor &+= 1
      } else if byte == UInt8(ascii: "/") {
        cursor &+= 1
        if cursor < bytes.count {
          isSelfClosing = bytes[cursor] == UInt8(ascii: ">")
          if !isSelfClosing { report(unexpected: byte, at: cursor - 1, "in a tag") }
        }
      } else {
        cursor = readAttribute(from: cursor)
      }
    }
    return nil
  }

  /// Reads the name of an attribute and, if present, its value.
  ///
  /// - Returns: the offset after the attribute.
  private mutating func readAttribute(from start: Int) -> Int {
    var cursor = start
    var isPlain = true
    repeat {
      let byte = bytes[cursor]
      if byte == 0 || (byte.isASCIIUppercase && !keepsCase) { isPlain = false }
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "<") {
        report(unexpected: byte, at: cursor, "in the name of an attribute")
      }
      cursor &+= 1
    } while cursor < bytes.count && !endsAttributeName(bytes[cursor])
    let attribute = isPlain ? string(start, cursor) : lowercased(start, cursor)

    var equals = cursor
    while equals < bytes.count, bytes[equals].isASCIIWhitespace { equals &+= 1 }
    guard equals < bytes.count, bytes[equals] == UInt8(ascii: "=") else {
      add(attribute, "", at: start)
      return cursor
    }
    cursor = equals &+ 1
    while cursor < bytes.count, bytes[cursor].isASCIIWhitespace { cursor &+= 1 }
    guard cursor < bytes.count else { return cursor }
    let quote = bytes[cursor]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      let end = endOfQuotedValue(from: cursor &+ 1, quote: quote)
      guard end.cursor < bytes.count else { return end.cursor }
      add(attribute, value(cursor &+ 1, end.cursor, isPlain: end.isPlain), at: start)
      cursor = end.cursor &+ 1
      if cursor < bytes.count, bytes[cursor].isASCIIAlphanumeric {
        log.report(
          "missing-whitespace-between-attributes", at: cursor,
          "Two attributes are not separated by a space", browsers: "read them as if they were")
      }
    } else if quote == UInt8(ascii: ">") {
      log.report(
        "missing-attribute-value", at: cursor, "`\(attribute)` has no value after its `=`",
        browsers: "use an empty value")
      add(attribute, "", at: start)
    } else {
      let from = cursor
      while cursor < bytes.count, !bytes[cursor].isASCIIWhitespace, bytes[cursor] != UInt8(ascii: ">") { cursor &+= 1 }
      add(attribute, value(from, cursor, isPlain: false), at: start)
    }
    return cursor
  }

  private func endsAttributeName(_ byte: UInt8) -> Bool {
    byte.isASCIIWhitespace || byte == UInt8(ascii: "=") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
  }

  private func endOfQuotedValue(from start: Int, quote: UInt8) -> (cursor: Int, isPlain: Bool) {
    var cursor = start
    var isPlain = true
    while cursor < bytes.count {
      let byte = bytes[cursor]
      if byte <= 0x27 {
        if byte == quote { break }
        if byte == UInt8(ascii: "&") || byte == 0x0D || byte == 0 { isPlain = false }
      }
      cursor &+= 1
    }
    return (cursor, isPlain)
  }

  private mutating func value(_ start: Int, _ end: Int, isPlain: Bool) -> String {
    if isPlain { return string(start, end) }
    decode(start, end, references: true, inAttribute: true)
    return String(decoding: scratch, as: UTF8.self)
  }

  // MARK: - Duplicates

  /// Up to this number of attributes, each new name is compared with those before it. A tag with
  /// more attributes is checked once at its end, with a set.
  private static var fewAttributes: Int { 16 }

  /// Adds an attribute. If two attributes have the same name, the first one is kept.
  private mutating func add(_ name: String, _ value: String, at cursor: Int) {
    if attributes.count < Self.fewAttributes, attributes.contains(where: { $0.name == name }) {
      reportDuplicate(name, at: cursor)
      return
    }
    if attributes.isEmpty { attributes.reserveCapacity(2) }
    attributes.append(Element.Attribute(name, value))
  }

  private mutating func dropDuplicates() {
    var seen = Set<String>(minimumCapacity: attributes.count)
    let count = attributes.count
    attributes.removeAll { !seen.insert($0.name).inserted }
    if attributes.count < count {
      log.report(
        "duplicate-attribute", at: offset,
        "`<\(name)>` has \(count - attributes.count) duplicate attributes", browsers: "use the first one of each name")
    }
  }

  private mutating func reportDuplicate(_ attribute: String, at cursor: Int) {
    let tag = name
    log.report(
      "duplicate-attribute", at: cursor, "`<\(tag)>` has the attribute `\(attribute)` twice",
      browsers: "use the first one"
    )
  }

  private mutating func report(unexpected byte: UInt8, at cursor: Int, _ situation: String) {
    log.report(
      "unexpected-character-in-tag", at: cursor,
      "`\(Character(Unicode.Scalar(byte)))` is not expected \(situation)", browsers: "skip it or make it part of a name"
    )
  }

  // MARK: - Names

  /// A name with each NUL replaced by U+FFFD and, in `html`, ASCII letters in lower case.
  private mutating func lowercased(_ start: Int, _ end: Int) -> String {
    scratch.removeAll(keepingCapacity: true)
    for byte in bytes[start..<end] {
      if byte == 0 {
        scratch.append(contentsOf: [0xEF, 0xBF, 0xBD])
      } else {
        scratch.append(keepsCase ? byte : byte.lowercasedASCII)
      }
    }
    return String(decoding: scratch, as: UTF8.self)
  }
}
