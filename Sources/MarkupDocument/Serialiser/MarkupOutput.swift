/// The bytes of a serialisation: nodes one after the other, each with its start, its content and its end.
package struct MarkupOutput {
  package let dialect: Dialect
  package var bytes: [UInt8] = []
  /// The tag that was looked up last: an element, its text and its end ask for the same one.
  private var lastTag = (name: "", tag: KnownTag.other)

  package init(dialect: Dialect) {
    self.dialect = dialect
  }

  package var string: String { String(decoding: bytes, as: UTF8.self) }

  /// Writes a node up to its content; false when it has none to come. A text is written as one that is not raw.
  package mutating func open(_ content: NodeContent) -> Bool {
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

  /// Writes a text; `isRaw` where its parent is an element that ``holdsRawText(_:)``.
  package mutating func write(text: String, isRaw: Bool) {
    if isRaw { write(text) } else { escape(text, inAttribute: false) }
  }

  /// Whether texts in a node are written as they are, as those of a `script`.
  package mutating func holdsRawText(_ content: NodeContent) -> Bool {
    guard dialect == .html, case .element(let element) = content, element.namespace == .html else { return false }
    return knownTag(of: element).holdsRawText
  }

  package mutating func hasEndTag(_ element: Element) -> Bool {
    dialect == .native || element.namespace != .html || !knownTag(of: element).isVoid
  }

  /// The tag as the rules know it; ``KnownTag/other`` for a name that they do not.
  private mutating func knownTag(of element: Element) -> KnownTag {
    if element.tag != lastTag.name { lastTag = (element.tag, KnownTagTable.shared.tag(named: element.tag.utf8)) }
    return lastTag.tag
  }

  /// Between the start of an element and its first child.
  package mutating func startContent(_ content: NodeContent, first: @autoclosure () -> NodeContent) {
    guard dialect == .html, case .element(let element) = content, element.namespace == .html,
      knownTag(of: element).dropsLeadingLineFeed, case .text(let text) = first(), text.utf8.first == UInt8(ascii: "\n")
    else { return }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Writes the end tag of an element that ``open(_:in:)`` said has one.
  package mutating func close(_ content: NodeContent) {
    guard case .element(let element) = content else { return }
    bytes.append(UInt8(ascii: "<"))
    bytes.append(UInt8(ascii: "/"))
    write(element.tag)
    bytes.append(UInt8(ascii: ">"))
  }

  /// A name or a text as it is. The bytes of a string are appended from their memory: its `utf8` is a collection of another
  /// kind, whose bytes are copied in a call for each.
  private mutating func write(_ string: String) {
    var string = string
    string.withUTF8 { bytes.append(contentsOf: $0) }
  }

  /// 13.3 "escaping a string". A carriage return, which only a reference can have made, is written as one again: the
  /// standard leaves it bare, and it would be read as a line feed.
  package mutating func escape(_ text: String, inAttribute: Bool) {
    var text = text
    text.withUTF8 { utf8 in
      var written = 0
      var place = 0
      while place < utf8.count {
        place += Self.plainCount(UnsafeBufferPointer(rebasing: utf8[place...]))
        if place == utf8.count { break }
        let byte = utf8[place]
        var escaped: StaticString?
        var length = 1
        switch byte {
        case UInt8(ascii: "&"): escaped = "&amp;"
        case UInt8(ascii: "<"): escaped = "&lt;"
        case UInt8(ascii: ">"): escaped = "&gt;"
        case UInt8(ascii: "\"") where inAttribute: escaped = "&quot;"
        case UInt8(ascii: "\r"): escaped = "&#13;"
        case 0xC2 where place + 1 < utf8.count && utf8[place + 1] == 0xA0:
          escaped = "&nbsp;"
          length = 2
        default: break
        }
        if let escaped {
          bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[written..<place]))
          bytes.append(contentsOf: UnsafeBufferPointer(start: escaped.utf8Start, count: escaped.utf8CodeUnitCount))
          written = place + length
        }
        place += length
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[written...]))
    }
  }
}

extension MarkupOutput {
  /// How many bytes stand before the first that may have to be escaped, in steps of eight and then of one.
  private static func plainCount(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let raw = UnsafeRawBufferPointer(bytes)
    var place = 0
    while place + 8 <= raw.count, !mayEscape(raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)) { place += 8 }
    while place < raw.count, !mayEscape(raw[place]) { place += 1 }
    return place
  }

  private static func mayEscape(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "\r"), 0xC2: true
    default: false
    }
  }

  /// Whether one of eight bytes is `&`, `"`, `<`, `>`, a carriage return or 0xC2. The members of the first two pairs differ in
  /// one bit, which is masked. A byte is zero where 1 taken from it sets the highest bit and it did not have it.
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
