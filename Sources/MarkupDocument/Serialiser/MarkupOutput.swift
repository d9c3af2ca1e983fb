/// Writes nodes as markup, in document order: the start of each node, its content and its end.
/// ``NodeTree/markup(of:dialect:)`` and the views of elements write with it.
package struct MarkupOutput {
  /// The dialect in which nodes are written.
  package let dialect: Dialect
  /// The markup so far, as UTF-8.
  package var bytes: [UInt8] = []
  /// A cache of the last tag lookup: the start of an element, its text and its end look up the same
  /// name.
  private var lastTag = (name: "", tag: KnownTag.other)

  /// An empty output.
  package init(dialect: Dialect) {
    self.dialect = dialect
  }

  /// The markup so far.
  package var string: String { String(decoding: bytes, as: UTF8.self) }

  /// Writes a node up to its content. A text is escaped; for raw text, call ``write(text:isRaw:)``.
  ///
  /// - Parameter number: an attribute to write before those of an element; `nil` for none.
  /// - Returns: `true` if content and ``close(_:)`` are to follow; `false` if the node is complete.
  package mutating func open(_ content: NodeContent, number: (name: StaticString, value: Int)? = nil) -> Bool {
    switch content {
    case .root: return true
    case .text(let text):
      write(text: text, isRaw: false)
      return false
    case .comment(let comment):
      write("<!--")
      write(comment)
      write("-->")
      return false
    case .processingInstruction(let instruction):
      write("<?")
      write(instruction.target)
      bytes.append(UInt8(ascii: " "))
      write(instruction.data)
      write("?>")
      return false
    case .element(let element):
      bytes.append(UInt8(ascii: "<"))
      write(element.tag)
      if let number { write(" \(number.name)=\"\(number.value)\"") }
      for attribute in element.attributes {
        bytes.append(UInt8(ascii: " "))
        write(attribute.name)
        bytes.append(UInt8(ascii: "="))
        bytes.append(UInt8(ascii: "\""))
        escape(attribute.value, inAttribute: true)
        bytes.append(UInt8(ascii: "\""))
      }
      bytes.append(UInt8(ascii: ">"))
      return hasEndTag(element)
    }
  }

  /// Writes a text.
  ///
  /// - Parameter isRaw: whether the text is written without escaping, see ``holdsRawText(_:)``.
  package mutating func write(text: String, isRaw: Bool) {
    if isRaw { write(text) } else { escape(text, inAttribute: false) }
  }

  /// Whether texts in a node are written without escaping, as those of a `script`.
  package mutating func holdsRawText(_ content: NodeContent) -> Bool {
    guard dialect.hasHTMLElements, case .element(let element) = content, element.namespace == .html else {
      return false
    }
    return knownTag(of: element).holdsRawText
  }

  /// Whether an element has an end tag. In `html`, void elements do not.
  package mutating func hasEndTag(_ element: Element) -> Bool {
    !dialect.hasHTMLElements || element.namespace != .html || !knownTag(of: element).isVoid
  }

  /// The tag of an element; ``KnownTag/other`` for an unknown name.
  private mutating func knownTag(of element: Element) -> KnownTag {
    if element.tag != lastTag.name { lastTag = (element.tag, KnownTagTable.shared.tag(named: element.tag.utf8)) }
    return lastTag.tag
  }

  /// Writes an extra line feed after the start tag, if the parser would drop the one with which the
  /// first child begins. To be called between the start of an element and its first child.
  package mutating func startContent(_ content: NodeContent, first: @autoclosure () -> NodeContent) {
    guard dialect.hasHTMLElements, case .element(let element) = content, element.namespace == .html,
      knownTag(of: element).dropsLeadingLineFeed, case .text(let text) = first(), text.utf8.first == UInt8(ascii: "\n")
    else { return }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Writes the end tag of an element for which ``open(_:number:)`` returned `true`. Writes nothing
  /// for the root.
  package mutating func close(_ content: NodeContent) {
    guard case .element(let element) = content else { return }
    bytes.append(UInt8(ascii: "<"))
    bytes.append(UInt8(ascii: "/"))
    write(element.tag)
    bytes.append(UInt8(ascii: ">"))
  }

  /// Writes a name or a text without escaping. `withUTF8` allows one copy of the string's memory;
  /// appending the `utf8` view would copy it byte by byte.
  private mutating func write(_ string: String) {
    var string = string
    string.withUTF8 { bytes.append(contentsOf: $0) }
  }

  /// Writes a text or an attribute's value by the steps of "escaping a string" (13.3), with one
  /// addition: a carriage return, which only a reference can have made, is written as a reference.
  /// The parser would read a bare one as a line feed.
  package mutating func escape(_ text: String, inAttribute: Bool) {
    var text = text
    text.withUTF8 { utf8 in
      var written = 0
      var cursor = 0
      while cursor < utf8.count {
        cursor += Self.plainCount(UnsafeBufferPointer(rebasing: utf8[cursor...]))
        if cursor == utf8.count { break }
        let byte = utf8[cursor]
        var escaped: StaticString?
        var length = 1
        switch byte {
        case UInt8(ascii: "&"): escaped = "&amp;"
        case UInt8(ascii: "<"): escaped = "&lt;"
        case UInt8(ascii: ">"): escaped = "&gt;"
        case UInt8(ascii: "\"") where inAttribute: escaped = "&quot;"
        case UInt8(ascii: "\r"): escaped = "&#13;"
        case 0xC2 where cursor + 1 < utf8.count && utf8[cursor + 1] == 0xA0:
          escaped = "&nbsp;"
          length = 2
        default: break
        }
        if let escaped {
          bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[written..<cursor]))
          bytes.append(contentsOf: UnsafeBufferPointer(start: escaped.utf8Start, count: escaped.utf8CodeUnitCount))
          written = cursor + length
        }
        cursor += length
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[written...]))
    }
  }
}

extension MarkupOutput {
  /// The number of bytes before the first one that may have to be escaped. Tests eight bytes at a
  /// time, then single bytes.
  private static func plainCount(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let raw = UnsafeRawBufferPointer(bytes)
    var cursor = 0
    while cursor + 8 <= raw.count, !mayEscape(raw.loadUnaligned(fromByteOffset: cursor, as: UInt64.self)) {
      cursor += 8
    }
    while cursor < raw.count, !mayEscape(raw[cursor]) { cursor += 1 }
    return cursor
  }

  private static func mayEscape(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "\r"), 0xC2: true
    default: false
    }
  }

  /// Whether one of eight bytes is `&`, `"`, `<`, `>`, a carriage return or 0xC2.
  ///
  /// `&` and `"` differ in one bit, and so do `<` and `>`. This bit is masked, so that one
  /// comparison finds both. XOR makes a matching byte zero. A zero byte is found by its highest
  /// bit, which is clear before 1 is subtracted and set afterwards.
  private static func mayEscape(_ bytes: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = (bytes & ~(ones &* 0x04)) ^ (ones &* 0x22)
    let angles = (bytes & ~(ones &* 0x02)) ^ (ones &* 0x3C)
    let returns = bytes ^ (ones &* 0x0D)
    let leads = bytes ^ (ones &* 0xC2)
    let zeros =
      (quotes &- ones) & ~quotes | (angles &- ones) & ~angles | (returns &- ones) & ~returns | (leads &- ones) & ~leads
    return zeros & (ones &* 0x80) != 0
  }
}
