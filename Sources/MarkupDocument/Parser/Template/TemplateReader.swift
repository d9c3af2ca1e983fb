internal import MirrorSupport

/// Finds the tags in the strings of a template, and the positions of the slots among them.
/// ``Template`` makes one, and calls ``read(_:)`` once.
///
/// The reader deliberately knows less than the tokenizer. Unusual markup makes a template
/// unreadable. Updates then take more time, but their result is the same.
struct TemplateReader {
  struct Node {
    var parent: Int?
    var start: Template.StringPosition
    var contentStart: Template.StringPosition
    var contentEnd: Template.StringPosition
    var end: Template.StringPosition
    var isSealed = false
    var isRaw = false
    var isComment = false
  }

  /// The position of a slot.
  enum SlotContainer {
    /// In the start tag of an element.
    case tag(Int)
    /// In the content of an element, or at the top of the template if `nil`.
    case content(Int?)
  }

  private enum State {
    case content
    /// In a start tag, outside of a quoted value.
    case tag
    case value(quote: UInt8)
    /// In an element that contains only text, up to its end tag.
    case raw
  }

  let dialect: Dialect
  private(set) var elements: [Node] = []
  private(set) var slots: [SlotContainer] = []
  private var state = State.content
  private var open: [(element: Int, name: [UInt8])] = []
  private var part = 0

  init(dialect: Dialect) { self.dialect = dialect }

  /// Reads the strings of a template.
  ///
  /// - Returns: whether the template is readable.
  mutating func read(_ parts: [String]) -> Bool {
    for (index, part) in parts.enumerated() {
      self.part = index
      var part = part
      let isRead = part.withUTF8 { read($0) }
      guard isRead else { return false }
      if index < parts.count - 1, !readSlot() { return false }
    }
    if case .content = state { return open.isEmpty }
    return false
  }

  private mutating func readSlot() -> Bool {
    switch state {
    case .content, .raw: slots.append(.content(open.last?.element))
    case .tag, .value:
      guard let element = open.last?.element else { return false }
      slots.append(.tag(element))
    }
    return true
  }

  private func position(_ offset: Int) -> Template.StringPosition {
    Template.StringPosition(part: part, offset: offset)
  }

  private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var position = 0
    while position < bytes.count {
      let next: Int?
      switch state {
      case .content: next = readContent(bytes, from: position)
      case .tag: next = readTag(bytes, from: position)
      case .value(let quote):
        next = bytes[position...].firstIndex(of: quote).map { $0 + 1 }
        if next == nil { return true }
        state = .tag
      case .raw: next = readRaw(bytes, from: position)
      }
      guard let next else { return false }
      position = next
    }
    return true
  }

  // MARK: - Content

  private mutating func readContent(_ bytes: UnsafeBufferPointer<UInt8>, from position: Int) -> Int? {
    guard let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) else { return bytes.count }
    guard start + 1 < bytes.count else { return nil }
    switch bytes[start + 1] {
    case UInt8(ascii: "/"): return readEndTag(bytes, from: start)
    case UInt8(ascii: "!"): return readComment(bytes, from: start)
    case let byte where byte.isASCIILetter: return readStartTag(bytes, from: start)
    default: return nil
    }
  }

  /// Reads a plain comment: one without `--` inside, and without a slot.
  private mutating func readComment(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard bytes.count >= start + 7, bytes[start + 2] == UInt8(ascii: "-"), bytes[start + 3] == UInt8(ascii: "-"),
      // `<!-->` and `<!--->` end at once, whatever follows (13.2.5.43 and .44).
      bytes[start + 4] != UInt8(ascii: ">"),
      bytes[start + 4] != UInt8(ascii: "-") || bytes[start + 5] != UInt8(ascii: ">"),
      let dash = bytes[(start + 4)...].indices.first(where: {
        bytes[$0] == UInt8(ascii: "-") && $0 + 1 < bytes.count && bytes[$0 + 1] == UInt8(ascii: "-")
      }),
      dash + 2 < bytes.count, bytes[dash + 2] == UInt8(ascii: ">")
    else { return nil }
    elements.append(
      Node(
        parent: open.last?.element, start: position(start), contentStart: position(dash + 3),
        contentEnd: position(dash + 3), end: position(dash + 3), isComment: true))
    return dash + 3
  }

  private mutating func readEndTag(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    let name = self.name(bytes, from: start + 2)
    var end = start + 2 + name.count
    while end < bytes.count, bytes[end].isASCIIWhitespace { end += 1 }
    guard end < bytes.count, bytes[end] == UInt8(ascii: ">"), let last = open.last, last.name == name else {
      return nil
    }
    open.removeLast()
    elements[last.element].contentEnd = position(start)
    elements[last.element].end = position(end + 1)
    return end + 1
  }

  // MARK: - Tags

  private mutating func readStartTag(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    let name = self.name(bytes, from: start + 1)
    elements.append(
      Node(
        parent: open.last?.element, start: position(start), contentStart: position(start), contentEnd: position(start),
        end: position(start)))
    open.append((elements.count - 1, name))
    state = .tag
    return start + 1 + name.count
  }

  private func name(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> [UInt8] {
    var name: [UInt8] = []
    for byte in bytes[start...] {
      guard !byte.isASCIIWhitespace, byte != UInt8(ascii: "/"), byte != UInt8(ascii: ">") else { break }
      name.append(dialect.foldsCase ? byte.lowercasedASCII : byte)
    }
    return name
  }

  /// Reads one step in a start tag, outside of a quoted value: white space, an attribute or the end
  /// of the tag.
  private mutating func readTag(_ bytes: UnsafeBufferPointer<UInt8>, from position: Int) -> Int? {
    switch bytes[position] {
    case UInt8(ascii: ">"): return endTag(at: position + 1, isSelfClosing: false)
    case UInt8(ascii: "/"):
      guard position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: ">") else { return nil }
      return endTag(at: position + 2, isSelfClosing: true)
    case let byte where byte.isASCIIWhitespace: return position + 1
    default: return readAttribute(bytes, from: position)
    }
  }

  /// Reads the name of an attribute, and the opening quote of its value. An unquoted value is read
  /// too, and must be complete.
  private mutating func readAttribute(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var cursor = start
    while cursor < bytes.count, !bytes[cursor].isASCIIWhitespace, !"=>/\"'<".utf8.contains(bytes[cursor]) {
      cursor += 1
    }
    guard cursor > start else { return nil }
    // A slot follows and may continue the attribute's name, so the template does not determine this
    // name. It is found later, in the tag of an instance.
    guard cursor < bytes.count else { return cursor }
    if "\"'<".utf8.contains(bytes[cursor]) { return nil }
    // White space may be around the equals sign.
    let name = cursor
    cursor = bytes[cursor...].firstIndex { !$0.isASCIIWhitespace } ?? bytes.count
    guard cursor < bytes.count, bytes[cursor] == UInt8(ascii: "=") else { return name }
    cursor = bytes[(cursor + 1)...].firstIndex { !$0.isASCIIWhitespace } ?? bytes.count
    guard cursor < bytes.count else { return nil }
    if bytes[cursor] == UInt8(ascii: "\"") || bytes[cursor] == UInt8(ascii: "'") {
      state = .value(quote: bytes[cursor])
      return cursor + 1
    }
    let value = cursor
    while cursor < bytes.count, !bytes[cursor].isASCIIWhitespace, !">\"'=<`".utf8.contains(bytes[cursor]) {
      cursor += 1
    }
    guard cursor > value, cursor < bytes.count, bytes[cursor] == UInt8(ascii: ">") || bytes[cursor].isASCIIWhitespace
    else {
      return nil
    }
    return cursor
  }

  private mutating func endTag(at end: Int, isSelfClosing: Bool) -> Int? {
    guard let (element, name) = open.last else { return nil }
    elements[element].contentStart = position(end)
    elements[element].contentEnd = position(end)
    elements[element].end = position(end)
    state = .content
    let tag = dialect.hasHTMLElements ? KnownTagTable.shared.tag(named: name) : .other
    if isSelfClosing || tag.isVoid {
      // In HTML, `<div/>` leaves the element open. `Linker` detects this in the page of an
      // instance.
      open.removeLast()
    } else if tag == .plaintext {
      return nil
    } else if tag.containsOnlyText {
      elements[element].isSealed = true
      elements[element].isRaw = true
      state = .raw
    } else if tag == .template {
      elements[element].isSealed = true
    }
    return end
  }

  // MARK: - Raw text

  /// Reads raw text up to its end tag or the end of the part. Text with `<!` is not readable, since
  /// a comment in a script can hide the script's end tag.
  private mutating func readRaw(_ bytes: UnsafeBufferPointer<UInt8>, from position: Int) -> Int? {
    guard let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) else { return bytes.count }
    guard start + 1 < bytes.count, bytes[start + 1] != UInt8(ascii: "!") else { return nil }
    guard bytes[start + 1] == UInt8(ascii: "/"), let last = open.last, name(bytes, from: start + 2) == last.name else {
      return start + 1
    }
    state = .content
    return readEndTag(bytes, from: start)
  }
}
