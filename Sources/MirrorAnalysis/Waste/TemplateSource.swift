package import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// The place of a slot in the templates of the app. ``WasteReport``, ``CostTotals`` and ``Insight``
/// show it.
package struct TemplateSource: Sendable, Hashable {
  /// The file and line; `nil` if the app has no debug annotations there.
  package var location: SourceLocation?
  /// The function component, or function, whose template has the slot:
  /// `MyAppWeb.CoreComponents.button`; `nil` if the app has no debug annotations there.
  package var function: String?
  /// The tag of the element around the slot, if ``location`` is the line of that element. `nil` if
  /// the slot is in the start tag itself.
  package var element: String?

  /// `at shop.ex:164`, or "inside `<section>` at shop.ex:161"; `nil` without a line.
  package var place: String? {
    guard let location else { return nil }
    let line = "at \(location.file.split(separator: "/").last ?? ""):\(location.line)"
    return element.map { "inside `<\($0)>` \(line)" } ?? line
  }

  /// Whether the line is before another one, by file and number. A source without a line is last.
  /// `nil` for the same line.
  func precedes(_ other: Self) -> Bool? {
    if location == other.location { return nil }
    guard let location else { return false }
    guard let next = other.location else { return true }
    return (location.file, location.line) < (next.file, next.line)
  }
}

/// The debug annotations in the strings of one template, read for each of its slots.
/// ``TemplateSources`` reads each template once.
///
/// - `<!-- @caller lib/x.ex:12 (app) -->` before the call of a function component
///   (`debug_heex_annotations`, LiveView ≥ 1.0)
/// - `<!-- <Mod.fun> lib/x.ex:8 (app) -->` … `<!-- </Mod.fun> -->` around the output of a function
///   (the same option)
/// - `data-phx-loc="12"` in start tags (`debug_attributes`, LiveView ≥ 1.1)
struct AnnotatedTemplate {
  /// The annotations around one slot.
  struct Position {
    /// The line of the nearest annotation in this template.
    var line: Int?
    /// The file of that line, if the same annotation has it.
    var file: String?
    /// The tag of the element that has the line, if the slot is in its content.
    var element: String?
    /// The innermost function around the slot.
    var function: String?
    /// The file of ``function``.
    var functionFile: String?
  }

  /// The annotations around each slot, in the order of the slots.
  private(set) var positions: [Position] = []
  /// The first annotation of the template, if it is before the first slot. For the template of a
  /// list, this is the line of an entry.
  private(set) var beginning = Position()
  /// The function whose output the template is.
  private(set) var whole = Position()
  /// Whether the template has any annotation.
  private(set) var isAnnotated = false

  private enum Open {
    case element(name: Substring, line: Int?)
    case function(name: String, SourceLocation)
  }

  private var open: [Open] = []
  /// The last `@caller` annotation, until a tag or text follows it.
  private var caller: SourceLocation?
  /// The number of slots in the current start tag so far. Their line is known at the end of the
  /// tag, because its `data-phx-loc` may follow the slots.
  private var slotsInTag = 0
  /// The tag or comment that the text so far has begun and not ended.
  private var token = Token()

  /// The beginning of a tag or comment.
  private struct Token {
    var text = ""
    /// In a tag: the quote around the current value.
    var quote: UInt8?
    /// In a comment: the number of hyphens before the current place.
    var hyphens = 0

    /// Adds markup up to the end of the token.
    ///
    /// - Returns: the rest behind the end; `nil` if the token does not end there.
    mutating func read(_ markup: Substring) -> Substring? {
      let isComment = (text.isEmpty ? markup : text[...]).utf8.starts(with: "<!--".utf8)
      for place in markup.utf8.indices {
        let byte = markup.utf8[place]
        if byte == UInt8(ascii: ">"), isComment ? hyphens >= 2 : quote == nil {
          let end = markup.utf8.index(after: place)
          text += markup[..<end]
          return markup[end...]
        }
        hyphens = byte == UInt8(ascii: "-") ? hyphens + 1 : 0
        if byte == quote {
          quote = nil
        } else if quote == nil, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
          quote = byte
        }
      }
      text += markup
      return nil
    }
  }

  /// - Complexity: O(*bytes* + *slots* × *depth of the elements*).
  init(_ statics: Statics) {
    guard statics.parts.contains(where: { $0.hasBytes(of: "<!--") || $0.hasBytes(of: " data-phx-loc=\"") }) else {
      positions = Array(repeating: Position(), count: statics.slotCount)
      return
    }
    for (index, part) in statics.parts.enumerated() {
      read(part)
      if index == 0 {
        beginning.line = caller?.line ?? part.attributeLine
        beginning.file = caller?.file
      }
      guard index < statics.slotCount else { break }
      if !token.text.isEmpty { slotsInTag += 1 }
      positions.append(here)
    }
  }

  private var here: Position {
    var position = Position()
    if let caller { (position.line, position.file) = (caller.line, caller.file) }
    for item in open.reversed() {
      switch item {
      case .element(let name, let line):
        if position.line == nil, let line { (position.line, position.element) = (line, String(name.prefix(64))) }
      case .function(let name, let location):
        if position.line == nil { (position.line, position.file) = (location.line, location.file) }
        (position.function, position.functionFile) = (name, location.file)
        return position
      }
    }
    return position
  }

  /// Reads the markup between two slots.
  private mutating func read(_ markup: String) {
    var rest = markup[...]
    while true {
      if token.text.isEmpty {
        let start = rest.utf8.firstIndex(of: UInt8(ascii: "<")) ?? rest.endIndex
        if rest[..<start].utf8.contains(where: { $0 > 0x20 }) { caller = nil }
        rest = rest[start...]
      }
      guard !rest.isEmpty, let behind = token.read(rest) else { return }
      let text = token.text[...]
      token = Token()
      if text.utf8.starts(with: "<!--".utf8) {
        slotsInTag = 0
        read(comment: Substring(text.utf8.dropFirst(4).dropLast(3)))
      } else {
        read(tag: text)
      }
      rest = behind
    }
  }

  private mutating func read(comment: Substring) {
    if let location = SourceLocation(annotation: String(comment)) {
      isAnnotated = true
      let name = comment.split(separator: " ").first.map { String($0.dropFirst().dropLast()) } ?? ""
      open.append(.function(name: name, location))
      if positions.isEmpty, whole.function == nil {
        whole = Position(line: location.line, file: location.file, function: name, functionFile: location.file)
      }
      caller = nil
    } else if comment.hasPrefix(" @caller ") {
      caller = SourceLocation(annotation: "<x> " + comment.dropFirst(9))
      isAnnotated = isAnnotated || caller != nil
    } else if comment.hasPrefix(" </") {
      let last = open.lastIndex { if case .function = $0 { true } else { false } }
      if let last { open.removeSubrange(last...) }
    }
  }

  private mutating func read(tag: Substring) {
    defer { slotsInTag = 0 }
    caller = nil
    let name = tag.dropFirst().prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }
    if tag.hasPrefix("</") {
      let closed = tag.dropFirst(2).prefix { !$0.isWhitespace && $0 != ">" }
      let last = open.lastIndex { if case .element(closed, _) = $0 { true } else { false } }
      if let last { open.removeSubrange(last...) }
      return
    }
    let line = tag.attributeLine
    if line != nil { isAnnotated = true }
    if slotsInTag > 0, let line {
      let function = here
      for slot in positions.indices.suffix(slotsInTag) {
        positions[slot] = Position(
          line: line, file: nil, function: function.function, functionFile: function.functionFile)
      }
    }
    let isVoid = tag.hasSuffix("/>") || Self.voidElements.contains(name.lowercased())
    if !isVoid, open.count < Self.maximumDepth { open.append(.element(name: name, line: line)) }
  }

  /// Deeper elements are not noted, so that the work for one slot is bounded.
  private static let maximumDepth = 512
  private static let voidElements: Set = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr", "!doctype",
  ]
}

extension StringProtocol where SubSequence == Substring {
  /// The index after the first occurrence of a text. The text must be ASCII, and its first byte
  /// must occur only once in it.
  fileprivate func end(of text: String) -> Index? {
    let pattern = Array(text.utf8)
    var matched = 0
    var index = startIndex
    while index < endIndex {
      let byte = utf8[index]
      utf8.formIndex(after: &index)
      if byte == pattern[matched] {
        matched += 1
        if matched == pattern.count { return index }
      } else {
        matched = byte == pattern[0] ? 1 : 0
      }
    }
    return nil
  }

  /// The value of the first `data-phx-loc`.
  fileprivate var attributeLine: Int? {
    end(of: " data-phx-loc=\"").flatMap { Int(self[$0...].prefix { $0.isASCII && $0.isNumber }) }
  }
}
