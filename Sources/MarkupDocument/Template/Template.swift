/// The strings of a template, read once: the static elements between which its slots stand.
///
/// It says nothing of a page by itself: what a tag becomes depends on where it stands. It says where, in the markup of an
/// instance, the tags are; whoever parses that markup can then find the nodes that they became, its *anchors*, and from
/// the anchors the nodes of every slot.
///
/// Only strings that nest by themselves are read: each element is closed by its own end tag, in the order in which they
/// were opened, and every slot stands between nodes, in a tag between attributes, or in a quoted value. Others are
/// ``unreadable``: instances of such a template are looked at as a whole.
package final class Template: Sendable {
  /// A place in the strings.
  package struct Place: Comparable, Sendable {
    package var part: Int
    /// In UTF-8 bytes.
    package var offset: Int

    package init(part: Int, offset: Int) {
      self.part = part
      self.offset = offset
    }

    package static func < (a: Place, b: Place) -> Bool { (a.part, a.offset) < (b.part, b.offset) }
  }

  /// A static element or comment by which slots are found.
  package struct Anchor: Sendable {
    /// The static element that it stands in; `nil` at the top of the template.
    package var parent: Int?
    /// At the `<`.
    package var start: Place
    /// Behind the start tag.
    package var contentStart: Place
    /// At the end tag.
    package var contentEnd: Place
    /// Behind the end tag. An element without content ends with its start tag.
    package var end: Place
    /// Whether its content is not addressed piece by piece: raw text, and what stands in a `template`.
    package var isSealed: Bool
    /// Whether its content is text up to the end tag, with no markup in it.
    package var isRaw: Bool
  }

  /// What stands between two static siblings, or a static sibling and the end of their parent, where that has slots.
  package struct Gap: Sendable {
    /// `nil` at the top of the template: the gap may then go on outside of it.
    package var parent: Int?
    package var left: Int?
    package var right: Int?
    package var start: Place
    package var end: Place
    package var slots: Range<Int>

    fileprivate func texts(in parts: [String]) -> (before: String, after: String)? {
      guard slots.count == 1, start.part == slots.lowerBound, end.part == slots.upperBound else { return nil }
      return (
        String(Substring(parts[start.part].utf8.dropFirst(start.offset))),
        String(Substring(parts[end.part].utf8.prefix(end.offset)))
      )
    }
  }

  package enum Position: Sendable {
    /// In the start tag of an anchor.
    case tag(Int)
    case gap(Int)
  }

  /// What is met on the way through a part.
  package enum Event: Sendable {
    case open(Int, offset: Int)
    case close(Int)
    case leaf(Int, offset: Int)
  }

  package let isReadable: Bool
  /// In document order.
  package let anchors: [Anchor]
  package let gaps: [Gap]
  /// By gap, what the strings have in it before its slot and behind it, where it has one slot only.
  package let texts: [(before: String, after: String)?]
  /// By slot.
  package let positions: [Position]
  /// By part.
  package let events: [[Event]]
  /// The anchor with which the template begins, or ends, if it does so with one.
  package let first: Int?
  package let last: Int?
  /// Whether the template is one element and nothing else.
  package let isSingleElement: Bool
  /// Whether the template is one element with blank text and comments around it: all that LiveView allows of a component.
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

  /// The anchor and those around it, innermost first.
  package func chain(from anchor: Int?) -> some Sequence<Int> {
    sequence(state: anchor) { next -> Int? in
      defer { next = next.flatMap { self.anchors[$0].parent } }
      return next
    }
  }
}
