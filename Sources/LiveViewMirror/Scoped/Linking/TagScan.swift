internal import MarkupDocument
internal import RenderedTree

/// Follows a start tag through its strings and slots to the `>` that ends it. A slot with a quote
/// can end the tag earlier or later than the template says. The template then does not describe the
/// nodes after it. The ``Linker`` makes one for each start tag with slots.
struct TagScan {
  /// The states of the WHATWG's tokenizer (13.2.5.8 to 13.2.5.40).
  private enum State {
    case name
    case space
    case slash
    case attribute
    case afterAttribute
    case equals
    case value
    case quoted(UInt8)
    case end
  }

  private var state = State.name
  private var isSelfClosing = false
  /// Whether there are bytes after the end of the tag, or a slot cannot be followed.
  private var isBroken = false

  /// Whether the tag of an anchor ends where the strings of its template say.
  ///
  /// - Complexity: O(*bytes of the tag*).
  static func isWhole(_ anchor: Int, of template: Template, _ statics: Statics, _ slots: [Slot]) -> Bool {
    let (start, end) = (template.anchors[anchor].start, template.anchors[anchor].contentStart)
    var scan = TagScan()
    for part in start.part...end.part {
      var bytes = statics.parts[part].utf8[...]
      if part == end.part { bytes = bytes.prefix(end.offset) }
      if part == start.part { bytes = bytes.dropFirst(start.offset + 1) }
      scan.read(bytes)
      guard part < end.part, part < slots.count else { continue }
      scan.read(slots[part])
      if scan.isBroken { return false }
    }
    guard case .end = scan.state, !scan.isBroken else { return false }
    return scan.isSelfClosing == template.isSelfClosing(anchor, statics)
  }

  private mutating func read(_ slot: Slot) {
    switch slot {
    case .text(let text): read(text.utf8[...])
    case .component: isBroken = true
    case .fragment(let fragment): read(fragment.statics, fragment.slots)
    case .comprehension(let comprehension):
      if comprehension.stream != nil { isBroken = true }
      for entry in comprehension.entries { read(comprehension.statics, entry.slots) }
    }
  }

  private mutating func read(_ statics: Statics, _ slots: [Slot]) {
    for (part, string) in statics.parts.enumerated() {
      read(string.utf8[...])
      if part < slots.count { read(slots[part]) }
    }
  }

  private mutating func read(_ bytes: Substring.UTF8View) {
    for byte in bytes {
      if case .end = state {
        isBroken = true
        return
      }
      state = next(byte)
    }
  }

  private mutating func next(_ byte: UInt8) -> State {
    switch (state, byte) {
    case (.quoted(let quote), _): return byte == quote ? .space : state
    case (.slash, UInt8(ascii: ">")):
      isSelfClosing = true
      return .end
    case (_, UInt8(ascii: ">")): return .end
    case (.value, _): return byte.isSpace ? .space : .value
    case (.equals, UInt8(ascii: "\"")), (.equals, UInt8(ascii: "'")): return .quoted(byte)
    case (.equals, _): return byte.isSpace ? .equals : .value
    case (_, UInt8(ascii: "/")): return .slash
    case (.name, _): return byte.isSpace ? .space : .name
    case (.attribute, UInt8(ascii: "=")), (.afterAttribute, UInt8(ascii: "=")): return .equals
    case (.attribute, _), (.afterAttribute, _):
      if byte.isSpace { return .afterAttribute }
      return .attribute
    case (.space, _), (.slash, _): return byte.isSpace ? .space : .attribute
    case (.end, _): return .end
    }
  }
}

extension Template {
  /// Whether the start tag of an anchor ends in `/>`.
  func isSelfClosing(_ anchor: Int, _ statics: Statics) -> Bool {
    let end = anchors[anchor].contentStart
    return statics.parts[end.part].utf8.prefix(end.offset).suffix(2).elementsEqual("/>".utf8)
  }
}

extension UInt8 {
  /// Tab, line feed, form feed, carriage return and space.
  fileprivate var isSpace: Bool { self == 0x20 || (self <= 0x0D && self >= 0x09 && self != 0x0B) }
}
