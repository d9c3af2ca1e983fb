/// Finds the tags in the strings of a template, and where the slots stand among them.
///
/// It knows less than the tokenizer on purpose: what is unusual makes a template unreadable, and unreadable templates cost
/// time and nothing else.
struct TemplateReader {
  struct Node {
    var parent: Int?
    var start: Template.Place
    var contentStart: Template.Place
    var contentEnd: Template.Place
    var end: Template.Place
    var isSealed = false
    var isRaw = false
    var isComment = false
  }

  /// Where a slot stands: in the start tag of an element, or in the content of one.
  enum SlotPlace {
    case tag(Int)
    case content(Int?)
  }

  private enum State {
    case content
    /// In a start tag, between attributes.
    case tag
    case value(quote: UInt8)
    /// In an element whose text is no markup, up to its end tag.
    case raw
  }

  let dialect: Dialect
  private(set) var elements: [Node] = []
  private(set) var slots: [SlotPlace] = []
  private var state = State.content
  private var open: [(element: Int, name: [UInt8])] = []
  private var part = 0

  init(dialect: Dialect) { self.dialect = dialect }

  /// Whether all of it was understood.
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

  private func place(_ offset: Int) -> Template.Place { Template.Place(part: part, offset: offset) }

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

  /// A comment of the plain kind: no dashes in it but its own, and no slot.
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
        parent: open.last?.element, start: place(start), contentStart: place(dash + 3),
        contentEnd: place(dash + 3), end: place(dash + 3), isComment: true))
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
    elements[last.element].contentEnd = place(start)
    elements[last.element].end = place(end + 1)
    return end + 1
  }

  // MARK: - Tags

  private mutating func readStartTag(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    let name = self.name(bytes, from: start + 1)
    elements.append(
      Node(
        parent: open.last?.element, start: place(start), contentStart: place(start), contentEnd: place(start),
        end: place(start)))
    open.append((elements.count - 1, name))
    state = .tag
    return start + 1 + name.count
  }

  private func name(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> [UInt8] {
    var name: [UInt8] = []
    for byte in bytes[start...] {
      guard !byte.isASCIIWhitespace, byte != UInt8(ascii: "/"), byte != UInt8(ascii: ">") else { break }
      name.append(dialect == .html ? byte.lowercasedASCII : byte)
    }
    return name
  }

  /// One step in a start tag, outside of a value.
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

  /// A name, and the opening quote of its value if it has one. A value without quotes must stand here whole.
  private mutating func readAttribute(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var place = start
    while place < bytes.count, !bytes[place].isASCIIWhitespace, !"=>/\"'<".utf8.contains(bytes[place]) { place += 1 }
    guard place > start else { return nil }
    // At the end of the part comes a slot: what the name is then, the whole tag will say.
    guard place < bytes.count else { return place }
    guard bytes[place] == UInt8(ascii: "=") else { return "\"'<".utf8.contains(bytes[place]) ? nil : place }
    place += 1
    guard place < bytes.count else { return nil }
    if bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "'") {
      state = .value(quote: bytes[place])
      return place + 1
    }
    let value = place
    while place < bytes.count, !bytes[place].isASCIIWhitespace, !">\"'=<`".utf8.contains(bytes[place]) { place += 1 }
    guard place > value, place < bytes.count, bytes[place] == UInt8(ascii: ">") || bytes[place].isASCIIWhitespace else {
      return nil
    }
    return place
  }

  private mutating func endTag(at end: Int, isSelfClosing: Bool) -> Int? {
    guard let (element, name) = open.last else { return nil }
    elements[element].contentStart = place(end)
    elements[element].contentEnd = place(end)
    elements[element].end = place(end)
    state = .content
    let tag = dialect == .html ? KnownTagTable.shared.tag(named: name) : .other
    if isSelfClosing || (dialect == .html && tag.isVoid) {
      // What the tag really is, empty or open, is seen when the instance is found in its page.
      open.removeLast()
    } else if tag == .plaintext {
      return nil
    } else if tag.holdsNoMarkup {
      elements[element].isSealed = true
      elements[element].isRaw = true
      state = .raw
    } else if tag == .template {
      elements[element].isSealed = true
    }
    return end
  }

  // MARK: - Raw text

  /// Up to the end tag, or to the end of the part. A comment in a script can hide its end tag: such are not read.
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
