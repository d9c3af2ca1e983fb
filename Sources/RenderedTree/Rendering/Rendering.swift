/// The plain markup of a tree: the statics and the values of the slots, concatenated, without the
/// attributes that LiveView's client adds. ``spans`` records the entry or component that each range
/// of the markup comes from. ``Renderer`` makes a rendering, and `Page` is parsed from its markup
/// and spans.
package struct Rendering: Sendable {
  /// The entry or component that a range of markup comes from.
  package enum Origin: Hashable, Sendable {
    case entry(list: Int, serial: Int)
    case component(Int)
  }

  /// A range of markup with an origin. Spans nest.
  package struct Span: Sendable {
    package var origin: Origin
    package var range: Range<Int>
    /// The position of the innermost enclosing span in ``Rendering/spans``.
    package var parent: Int?
    /// The offset of a component's start tag; `nil` for an entry, and if the component's template
    /// is not a single element.
    package var tag: Int?
    /// Whether the span was written without its content.
    package var isSkipped = false
    /// Whether LiveView's client does not find the component's root, because it takes a comment for
    /// the root.
    package var isHidden = false
  }

  /// The root element of a fragment that the server marked as a single element.
  package struct Root: Sendable {
    /// The identity of the element. See ``Fragment/root``.
    package var identity: Int
    /// From the start tag to the end of the fragment.
    package var range: Range<Int>
    /// How much of the fragment the update names.
    package var extent: Extent
    /// Whether the element was written without its content.
    package var isSkipped = false
  }

  /// How much of a fragment an update names.
  package enum Extent: Sendable {
    case nothing
    case parts
    /// The fragment was sent whole. If it equals the previous one, it keeps its identity, but
    /// LiveView's client treats it as new.
    case all
  }

  /// The number of fragments, components and entries that were written.
  package var fragments = 0
  /// The markup as UTF-8.
  package var markup: [UInt8] = []
  /// In order of their start, outer spans first.
  package var spans: [Span] = []
  /// In order of their start, outer roots first. Does not contain the roots of components, which
  /// are in ``spans``.
  package var roots: [Root] = []
  /// Whether LiveView's client takes a comment for the root of a component or fragment.
  package var hidesRoots = false
  /// The ranges that the slots of the update have written. `slot` is a position in
  /// ``TouchedSlots/slots``.
  package var written: [(slot: Int, range: Range<Int>)] = []
  /// The operations of the rendered streams, in order of the markup.
  package var streams: [StreamOperation] = []

  /// An empty rendering.
  package init() {}

  /// The components in the markup.
  package var components: Set<Int> {
    var components: Set<Int> = []
    for case .component(let cid) in spans.lazy.map(\.origin) { components.insert(cid) }
    return components
  }
}
