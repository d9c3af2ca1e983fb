/// The strings of a template, read once: its static elements, and the positions of its slots among
/// them. `TemplateTable` keeps the templates of a view, and scoped updates find slots with them.
///
/// The strings alone do not determine the nodes of a page, since the effect of a tag depends on its
/// surroundings. But in the markup of an instance, the offset of each tag follows from the strings
/// and the lengths of the slots. After this markup is parsed, the offsets lead to the nodes of the
/// static elements, the *anchors*, and the anchors around a slot lead to the nodes of the slot.
///
/// A template is readable only if its tags nest: each element is closed by its own end tag, except
/// for void elements and self-closing tags. Each slot must be between nodes, in raw text, in a
/// quoted value, or in a start tag outside of a value. If ``isReadable`` is `false`, an instance of
/// the template is handled as a whole.
package final class Template: Sendable {
  /// A position in the strings.
  package struct StringPosition: Comparable, Sendable {
    /// The index of the string.
    package var part: Int
    /// The offset in the string in UTF-8 bytes.
    package var offset: Int

    /// The position of a byte in a string.
    package init(part: Int, offset: Int) {
      self.part = part
      self.offset = offset
    }

    /// By string, then by offset.
    package static func < (a: StringPosition, b: StringPosition) -> Bool { (a.part, a.offset) < (b.part, b.offset) }
  }

  /// A static element or comment from which slots are found.
  package struct Anchor: Sendable {
    /// The anchor of the parent element; `nil` at the top of the template.
    package var parent: Int?
    /// The position of the `<`.
    package var start: StringPosition
    /// The position after the start tag or comment.
    package var contentStart: StringPosition
    /// The position of the end tag.
    package var contentEnd: StringPosition
    /// The position after the end tag. For an element without content, this is the end of its start
    /// tag.
    package var end: StringPosition
    /// Whether parts of the content cannot be updated on their own: raw text, and the content of a
    /// `template`.
    package var isSealed: Bool
    /// Whether the content is text without markup, up to the end tag.
    package var isRaw: Bool
  }

  /// A range with slots between two static siblings, or between a static sibling and the start or
  /// end of the parent.
  package struct Gap: Sendable {
    /// The anchor of the parent; `nil` at the top of the template, where the gap may continue
    /// outside of the instance.
    package var parent: Int?
    /// The anchor at which the gap starts; `nil` if the gap starts with the parent's content.
    package var left: Int?
    /// The anchor at which the gap ends; `nil` if the gap ends with the parent's content.
    package var right: Int?
    /// The position at which the gap starts.
    package var start: StringPosition
    /// The position at which the gap ends.
    package var end: StringPosition
    /// The slots in the gap.
    package var slots: Range<Int>

    fileprivate func texts(in parts: [String]) -> (before: String, after: String)? {
      guard slots.count == 1, start.part == slots.lowerBound, end.part == slots.upperBound else { return nil }
      return (
        String(Substring(parts[start.part].utf8.dropFirst(start.offset))),
        String(Substring(parts[end.part].utf8.prefix(end.offset)))
      )
    }
  }

  /// The position of a slot.
  package enum Position: Sendable {
    /// In the start tag of the anchor with this index.
    case tag(Int)
    /// In the gap with this index.
    case gap(Int)
  }

  /// The start or end of an anchor in one of the strings. The number is the anchor's index, and
  /// `offset` is the position of its `<` in the string. An anchor without content and end tag is a
  /// leaf. If the start tag has slots, a `tagEnd` follows the `open` or `leaf`; its `offset` is the
  /// position after the `>` of the start tag.
  package enum Event: Sendable {
    case open(Int, offset: Int)
    case close(Int)
    case leaf(Int, offset: Int)
    case tagEnd(Int, offset: Int)
  }

  /// Whether the tags nest as described above. If not, all other properties are empty, `nil` or
  /// `false`.
  package let isReadable: Bool
  /// The anchors in document order.
  package let anchors: [Anchor]
  /// The gaps in the order of their slots.
  package let gaps: [Gap]
  /// By gap, the static text before and after its slot; `nil` for a gap with several slots.
  package let texts: [(before: String, after: String)?]
  /// The positions of the slots, by slot.
  package let positions: [Position]
  /// For each string, the starts and ends of anchors in it, in document order.
  package let events: [[Event]]
  /// The anchor with which the template begins; `nil` if it begins with a slot or a text.
  package let first: Int?
  /// The anchor with which the template ends; `nil` if it ends with a slot or a text.
  package let last: Int?
  /// Whether the template is one element and nothing else.
  package let isSingleElement: Bool
  /// Whether the template is one element, with only blank text and comments around it. LiveView
  /// allows no other template for a component.
  package let hasSingleRoot: Bool

  /// - Complexity: O(*bytes*).
  package init(_ parts: [String], dialect: Dialect) {
    var reader = TemplateReader(dialect: dialect)
    isReadable = reader.read(parts)
    guard isReadable else {
      (anchors, gaps, texts, positions, events, first, last) = ([], [], [], [], [], nil, nil)
      (isSingleElement, hasSingleRoot) = (false, false)
      return
    }
    let layout = TemplateLayout(reader.elements, slots: reader.slots, parts: parts)
    anchors = layout.anchors
    gaps = layout.gaps
    texts = layout.gaps.map { $0.texts(in: parts) }
    positions = layout.positions
    events = layout.events
    first = layout.first
    last = layout.last
    isSingleElement = layout.first != nil && layout.first == layout.last && layout.isFirstElement
    hasSingleRoot = layout.hasSingleRoot
  }

  /// An anchor and its ancestors, innermost first.
  package func chain(from anchor: Int?) -> some Sequence<Int> {
    sequence(state: anchor) { next -> Int? in
      defer { next = next.flatMap { self.anchors[$0].parent } }
      return next
    }
  }
}
