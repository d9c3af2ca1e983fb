internal import MirrorSupport

/// Divides a HEEx template into statics and slots as `Phoenix.LiveView.TagEngine` does (LiveView
/// 1.0 to 1.2), so that they can be compared with those of a page. It does not read Elixir: an
/// expression ends where LiveView's tokenizer ends it, at the brace that closes it or at `%>`.
///
/// ``TemplateFile`` parses a template with it. Only ``move(to:)`` changes ``index``, so ``line`` is
/// always the line of the byte at ``index``.
struct HEExParser {
  /// The markup is malformed, or contains what the parser does not know.
  struct Failure: Error {}

  /// The bytes of the whole file.
  let bytes: [UInt8]
  /// The place of the next byte.
  private(set) var index: Int
  /// The end of the template.
  let end: Int
  private(set) var line: Int
  /// The contents of the components that are read so far.
  var contents: [HEExTemplate.Content] = []
  /// Whether `{` begins an expression.
  var readsBraces = true
  private var depth = 0

  typealias Body = HEExTemplate.Body

  private init(_ bytes: [UInt8], _ range: Range<Int>, line: Int) {
    (self.bytes, index, end, self.line) = (bytes, range.lowerBound, range.upperBound, line)
  }

  /// The template in a part of a file; `nil` if it cannot be read.
  ///
  /// - Parameters:
  ///   - line: the line of the first byte.
  ///   - start: the line of `~H`.
  /// - Complexity: O(*bytes*).
  static func template(in bytes: [UInt8], _ range: Range<Int>, line: Int, from start: Int) -> HEExTemplate? {
    var parser = HEExParser(bytes, range, line: line)
    guard let root = try? parser.body(), parser.index == parser.end else { return nil }
    return HEExTemplate(line: start, root: root, contents: parser.contents)
  }

  // MARK: - Bytes

  func isAt(_ text: StaticString, _ place: Int? = nil) -> Bool {
    text.withUTF8Buffer { bytes[(place ?? index)..<end].starts(with: $0) }
  }

  mutating func move(to place: Int) {
    for byte in bytes[index..<place] where byte == UInt8(ascii: "\n") { line += 1 }
    index = place
  }

  /// The place of the next occurrence of a text.
  private func place(of text: StaticString, from start: Int) throws(Failure) -> Int {
    guard let place = (start..<max(start, end)).first(where: { isAt(text, $0) }) else { throw Failure() }
    return place
  }

  mutating func skipBlanks() {
    while index < end, bytes[index].isASCIIWhitespace { move(to: index + 1) }
  }

  // MARK: - Markup

  /// The markup up to an end tag, to the next clause of a block, or to the end of the template.
  mutating func body() throws(Failure) -> Body {
    var body = Body()
    try read(into: &body)
    body.statics.end()
    return body
  }

  mutating func read(into body: inout Body) throws(Failure) {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw Failure() }
    while index < end, !isAt("</") {
      if isAt("<%") {
        let tag = try eexTag()
        if tag.kind == .clause || tag.kind == .end { return }
        try read(tag, into: &body)
      } else if isAt("<!--") {
        try copy(through: "-->", into: &body)
      } else if isAt("<!") {
        try copy(through: ">", into: &body)
      } else if isAt("<") {
        try element(into: &body)
      } else if readsBraces, isAt("{") {
        let start = index
        move(to: try endOfBraces(from: index))
        body.addSlot(start..<index)
      } else {
        body.statics.append(bytes[index])
        move(to: index + 1)
      }
    }
  }

  private static let maximumDepth = 128

  /// Copies a comment, or the content of a script or style, up to and including `closing`. Only
  /// EEx's tags are read in it.
  mutating func copy(through closing: StaticString, into body: inout Body) throws(Failure) {
    while !isAt(closing) {
      guard index < end else { throw Failure() }
      if isAt("<%") {
        let tag = try eexTag()
        guard tag.kind == .expression || tag.kind == .comment else { throw Failure() }
        try read(tag, into: &body)
      } else {
        body.statics.append(bytes[index])
        move(to: index + 1)
      }
    }
    let place = index + closing.utf8CodeUnitCount
    body.statics.append(bytes[index..<place])
    move(to: place)
  }

  /// The place after the brace that closes the one at `start`. As in LiveView, braces in strings
  /// count, too.
  func endOfBraces(from start: Int) throws(Failure) -> Int {
    var (open, place) = (0, start)
    while place < end {
      switch bytes[place] {
      case UInt8(ascii: "\\") where place + 1 < end && "{}".utf8.contains(bytes[place + 1]): place += 1
      case UInt8(ascii: "{"): open += 1
      case UInt8(ascii: "}"):
        open -= 1
        if open == 0 { return place + 1 }
      default: break
      }
      place += 1
    }
    throw Failure()
  }

  // MARK: - Tags of EEx

  private struct EExTag {
    enum Kind { case comment, expression, block, clause, end }
    var kind: Kind
    /// Whether its value is a slot.
    var isOutput: Bool
    /// The whole tag, from `<%` to `%>`.
    var code: Range<Int>
  }

  /// The tag at ``index``. The parser does not move.
  private func eexTag() throws(Failure) -> EExTag {
    guard isAt("<%") else { throw Failure() }
    if isAt("<%!--") {
      return EExTag(kind: .comment, isOutput: false, code: index..<(try place(of: "--%>", from: index + 5) + 4))
    }
    let close = try place(of: "%>", from: index + 2)
    let range = index..<close + 2
    if isAt("<%#") { return EExTag(kind: .comment, isOutput: false, code: range) }
    if isAt("<%%") || isAt("<%|") || isAt("<%/") { throw Failure() }
    let isOutput = isAt("<%=")
    let code = bytes[index + (isOutput ? 3 : 2)..<close].trimmingBlanks
    return EExTag(kind: Self.kind(of: String(decoding: code, as: UTF8.self)), isOutput: isOutput, code: range)
  }

  /// Determines the kind as EEx's tokenizer does: by the last and the first word.
  private static func kind(of code: String) -> EExTag.Kind {
    if code.hasPrefix("end"), !(code.dropFirst(3).first.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false) {
      return .end
    }
    if ["else", "after", "catch", "rescue"].contains(code) { return .clause }
    if code.hasSuffix("->") { return code.contains("fn ") || code.contains("fn(") ? .block : .clause }
    return [" do", "\tdo", "\ndo", ")do"].contains(where: code.hasSuffix) ? .block : .expression
  }

  private mutating func read(_ tag: EExTag, into body: inout Body) throws(Failure) {
    move(to: tag.code.upperBound)
    switch tag.kind {
    case .comment: return
    case .expression: if tag.isOutput { body.addSlot(tag.code) }
    case .block:
      var bodies: [Body] = []
      while true {
        bodies.append(try self.body())
        let next = try eexTag()
        move(to: next.code.upperBound)
        if next.kind == .end { break }
      }
      if tag.isOutput { body.addSlot(tag.code, bodies) } else { body.addUnknown() }
    case .clause, .end: throw Failure()
    }
  }
}

extension HEExTemplate.Body {
  mutating func addSlot(_ code: Range<Int>, _ bodies: [Self] = []) {
    statics.endText()
    slots.append(HEExTemplate.Slot(code: code, bodies: bodies))
  }

  /// Adds a byte that no UTF-8 has, so that the body never matches.
  mutating func addUnknown() { statics.append(0xFF) }
}

extension ArraySlice<UInt8> {
  var trimmingBlanks: Self {
    guard let first = firstIndex(where: { !$0.isASCIIWhitespace }),
      let last = lastIndex(where: { !$0.isASCIIWhitespace })
    else { return [] }
    return self[first...last]
  }
}
