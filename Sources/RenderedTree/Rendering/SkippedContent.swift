/// The content that LiveView's client leaves out of a page's markup (`data-phx-skip`). For a
/// component or function component that a diff does not name, the client writes the root element
/// with its `id` only, and keeps the existing element (`modifyRoot`, LiveView 1.0 to 1.2). Full
/// updates render with it if the page depends on what the client leaves out.
package struct SkippedContent {
  /// The components whose content is left out.
  package var components: Set<Int>
  /// Whether the content of function components that the update does not name is left out.
  package var functionComponents: Bool

  package init(components: Set<Int>, functionComponents: Bool) {
    self.components = components
    self.functionComponents = functionComponents
  }
}

extension Rendering {
  /// The lengths of a rendering's lists at one moment.
  struct Mark {
    fileprivate let markup, spans, roots, written, streams: Int

    init(_ rendering: Rendering) {
      markup = rendering.markup.count
      spans = rendering.spans.count
      roots = rendering.roots.count
      written = rendering.written.count
      streams = rendering.streams.count
    }
  }

  /// Removes everything that was written since a mark, except for the tag and `id` of the first
  /// element, and the comments around it.
  ///
  /// - Parameter tag: the offset of the element, or of the comment that the client takes for it,
  ///   relative to the mark.
  /// - Complexity: O(*bytes since the mark*).
  mutating func empty(to mark: Mark, tag: Int) {
    let start = min(mark.markup + tag, markup.count)
    let element = EmptiedElement(markup[start...])
    markup.removeSubrange(start...)
    markup += element.markup
    spans.removeSubrange(mark.spans...)
    roots.removeSubrange(mark.roots...)
    written.removeSubrange(mark.written...)
    streams.removeSubrange(mark.streams...)
  }
}

extension Rendering {
  /// The offsets of the roots' tags that may have an `id` which the client does not find, because
  /// it reads ` id="…"` only.
  ///
  /// - Complexity: O(*bytes of the tags*)
  package var hiddenIDs: Set<Int> {
    let tags = spans.compactMap(\.tag) + roots.map(\.range.lowerBound)
    return Set(tags.lazy.filter { EmptiedElement.mayHideID(in: markup[$0...]) })
  }
}

extension Statics {
  /// The byte offset of the start tag that the last end tag closes, as in the template of every
  /// live component; `nil` if the markup is not a single element.
  ///
  /// - Complexity: O(*white space and comments around the element*).
  var rootTag: Int? {
    guard let first = parts.first, let last = parts.last, let tag = first.firstTag else { return nil }
    // The end tag and a comment after it are short, so the last 1,024 bytes suffice. Copying all
    // markup would cost as much as writing it.
    let name = EmptiedElement.name(Array(first.utf8.dropFirst(tag).prefix(64))[...])
    let tail = Array(last.utf8.suffix(1_024))
    let closed = tail[..<EmptiedElement.end(of: tail[...])]
    if closed.suffix(name.count + 3).elementsEqual(Array("</".utf8) + name + [UInt8(ascii: ">")]) { return tag }
    guard EmptiedElement.voidTags.contains(String(decoding: name, as: UTF8.self)) else { return nil }
    // A void element: only the rest of its own tag may follow.
    let rest = parts.count == 1 ? closed.dropFirst(tag + 1) : closed
    return rest.last == UInt8(ascii: ">") && !rest.contains(UInt8(ascii: "<")) ? tag : nil
  }
}

/// The first element of some markup, without its content.
private struct EmptiedElement {
  private(set) var markup: [UInt8] = []

  /// - Parameter source: begins with the element's start tag.
  init(_ source: ArraySlice<UInt8>) {
    let name = Self.name(source)
    markup = [UInt8(ascii: "<")] + name
    if let id = Self.id(in: source) { markup += Array(" id=\"".utf8) + id + [UInt8(ascii: "\"")] }
    markup += " data-phx-skip>".utf8
    if !Self.voidTags.contains(String(decoding: name, as: UTF8.self)) {
      markup += Array("</".utf8) + name + [UInt8(ascii: ">")]
    }
    markup += source[Self.end(of: source)...]
  }

  static let voidTags: Set = [
    "area", "base", "br", "col", "command", "embed", "hr", "img", "input", "keygen", "link", "meta", "param", "source",
    "track", "wbr",
  ]

  /// The name of the tag with which the markup begins.
  static func name(_ source: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    source.dropFirst().prefix { !" \n\t\r\u{0C}/>".utf8.contains($0) }
  }

  /// Whether a tag may have an `id` that ``id(in:)`` does not find, or whose value has a double
  /// quote, which the emptied tag would not keep.
  static func mayHideID(in source: ArraySlice<UInt8>) -> Bool {
    if let id = id(in: source) { return id.contains(UInt8(ascii: "\"")) }
    let tag = source.prefix { $0 != UInt8(ascii: ">") }
    return zip(tag, tag.dropFirst()).contains { $0 | 0x20 == UInt8(ascii: "i") && $1 | 0x20 == UInt8(ascii: "d") }
  }

  /// The quoted value of the tag's `id`, if it has one.
  private static func id(in source: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var place = source.startIndex
    while place < source.endIndex, source[place] != UInt8(ascii: ">") {
      guard source[place] == UInt8(ascii: "=") else {
        place += 1
        continue
      }
      let isID = source[..<place].suffix(3).elementsEqual(" id".utf8)
      place += 1
      guard place < source.endIndex, source[place] == UInt8(ascii: "\"") || source[place] == UInt8(ascii: "'") else {
        continue
      }
      let value = source[(place + 1)...].prefix { $0 != source[place] }
      if isID { return value }
      place = min(value.endIndex + 1, source.endIndex)
    }
    return nil
  }

  /// The index after the last tag. Comments and text may follow.
  static func end(of source: ArraySlice<UInt8>) -> Int {
    var place = source.endIndex
    while place > source.startIndex {
      let rest = source[..<place]
      if rest.last != UInt8(ascii: ">") {
        place -= 1
      } else if rest.suffix(3).elementsEqual("-->".utf8) {
        place -= 3
        while place > source.startIndex, !source[..<place].suffix(4).elementsEqual("<!--".utf8) { place -= 1 }
        place = max(source.startIndex, place - 4)
      } else {
        return place
      }
    }
    return source.endIndex
  }
}
