internal import MirrorSupport

/// Elements, components and their slots. ``read(into:)`` calls ``element(into:)`` at each start
/// tag. If an end tag does not have the name of its start tag, the template is not read.
extension HEExParser {
  private struct Attribute {
    var name: ArraySlice<UInt8>
    var range: Range<Int>
    /// The value with its quotes or braces.
    var value: Range<Int>?

    func isNamed(_ text: StaticString) -> Bool { text.withUTF8Buffer { $0.elementsEqual(name) } }
  }

  mutating func element(into body: inout Body) throws(Failure) {
    let (start, startLine) = (index, line)
    move(to: index + 1)
    let name = try name()
    var attributes: [Attribute] = []
    while true {
      skipBlanks()
      guard index < end else { throw Failure() }
      if isAt(">") || isAt("/>") { break }
      attributes.append(try attribute())
    }
    let isClosed = isAt("/>")
    move(to: index + (isClosed ? 2 : 1))
    let tag = Tag(name: name, line: startLine, range: start..<index, isClosed: isClosed)

    let special = attributes.filter { $0.name.first == UInt8(ascii: ":") }
    attributes.removeAll { $0.name.first == UInt8(ascii: ":") }
    switch name.first {
    case UInt8(ascii: ":"):
      try content(of: tag)
    case _ where special.contains { $0.isNamed(":type") }:
      // Another module compiles an element with `:type`, so its markup is unknown. Only that of a
      // script or style is known: LiveView leaves nothing of it in the page.
      var ignored = Body()
      try read(tag, attributes, into: &ignored)
      if !["script", "style"].contains(String(decoding: name, as: UTF8.self)) { body.addUnknown() }
    default:
      let block = [":for", ":if", ":key"].lazy.compactMap { (name: StaticString) in special.first { $0.isNamed(name) } }
      guard let block = block.first else { return try read(tag, attributes, into: &body) }
      var inner = Body()
      try read(tag, attributes, into: &inner)
      inner.statics.end()
      body.addSlot(block.range, [inner])
    }
  }

  private struct Tag {
    var name: ArraySlice<UInt8>
    var line: Int
    var range: Range<Int>
    /// Whether it ends with `/>`.
    var isClosed: Bool

    var isComponent: Bool { name.first.map { $0 == UInt8(ascii: ".") || $0 >= 0x41 && $0 <= 0x5A } ?? false }
    var isVoid: Bool { HEExParser.voidElements.contains(String(decoding: name, as: UTF8.self)) }
  }

  /// The void elements of LiveView's own list, which differs from the list in the HTML standard.
  private static let voidElements: Set = [
    "area", "base", "br", "col", "hr", "img", "input", "link", "meta", "param", "command", "keygen", "source",
  ]

  private mutating func read(_ tag: Tag, _ attributes: [Attribute], into body: inout Body) throws(Failure) {
    if tag.isComponent {
      try content(of: tag)
      return body.addSlot(tag.range)
    }
    body.statics.append("<".utf8)
    body.statics.append(tag.name)
    body.statics.lines.append(tag.line)
    var keepsBraces = false
    for attribute in attributes {
      if attribute.isNamed("phx-no-curly-interpolation") {
        keepsBraces = true
      } else if !attribute.isNamed("phx-no-format") {
        write(attribute, to: &body)
      }
    }
    body.statics.append(">".utf8)
    if tag.isVoid { return }
    if !tag.isClosed {
      if tag.name.elementsEqual("script".utf8) { return try copy(through: "</script>", into: &body) }
      if tag.name.elementsEqual("style".utf8) { return try copy(through: "</style>", into: &body) }
      let outer = readsBraces
      if keepsBraces { readsBraces = false }
      try read(into: &body)
      readsBraces = outer
      try readEnd(of: tag)
    }
    body.statics.append("</".utf8)
    body.statics.append(tag.name)
    body.statics.append(">".utf8)
  }

  /// Reads the content of a component, or of one of its slots.
  private mutating func content(of tag: Tag) throws(Failure) {
    if tag.isClosed { return }
    let body = try body()
    try readEnd(of: tag)
    let isSlot = tag.name.first == UInt8(ascii: ":")
    let name = isSlot ? String(decoding: tag.name.dropFirst(), as: UTF8.self) : "inner_block"
    contents.append(HEExTemplate.Content(name: name, line: tag.line, body: body))
  }

  private mutating func readEnd(of tag: Tag) throws(Failure) {
    guard isAt("</") else { throw Failure() }
    move(to: index + 2)
    guard bytes[index..<end].starts(with: tag.name) else { throw Failure() }
    move(to: index + tag.name.count)
    guard isAt(">") else { throw Failure() }
    move(to: index + 1)
  }

  private mutating func name() throws(Failure) -> ArraySlice<UInt8> {
    let name = bytes[index..<end].prefix { !$0.isASCIIWhitespace && !"\"'>/=".utf8.contains($0) }
    if name.isEmpty { throw Failure() }
    move(to: name.endIndex)
    return name
  }

  private mutating func attribute() throws(Failure) -> Attribute {
    let start = index
    if isAt("{") {
      move(to: try endOfBraces(from: index))
      return Attribute(name: [], range: start..<index, value: start..<index)
    }
    let name = try name()
    let nameEnd = index
    skipBlanks()
    guard isAt("=") else { return Attribute(name: name, range: start..<nameEnd) }
    move(to: index + 1)
    skipBlanks()
    let value = index
    if isAt("{") {
      move(to: try endOfBraces(from: index))
    } else {
      guard index < end, isAt("\"") || isAt("'"), let close = bytes[index + 1..<end].firstIndex(of: bytes[index])
      else { throw Failure() }
      move(to: close + 1)
    }
    return Attribute(name: name, range: start..<index, value: value..<index)
  }

  // MARK: - Attributes

  private func write(_ attribute: Attribute, to body: inout Body) {
    guard let value = attribute.value else {
      body.statics.append(" ".utf8)
      return body.statics.append(attribute.name)
    }
    let isExpression = bytes[value.lowerBound] == UInt8(ascii: "{")
    if attribute.name.isEmpty || isExpression {
      HEExAttribute(name: attribute.name, range: attribute.range, code: value.lowerBound + 1..<value.upperBound - 1)
        .write(bytes, to: &body)
    } else if attribute.isNamed("phx-hook"), bytes[value.lowerBound + 1] == UInt8(ascii: ".") {
      // LiveView adds the module's name to a hook whose name begins with a dot.
      body.addUnknown()
    } else {
      body.statics.append(" ".utf8)
      body.statics.append(attribute.name)
      body.statics.append("=".utf8)
      body.statics.append(bytes[value])
    }
  }
}
