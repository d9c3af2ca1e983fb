/// The plain markup of a tree, statics and dynamics joined and nothing added, with where everything in it came from.
package struct Rendering: Sendable {
  /// What the wire says of a stretch of markup: that it is this entry, or this component.
  package enum Origin: Hashable, Sendable {
    case entry(list: Int, serial: Int)
    case component(Int)
  }

  /// A stretch of markup with an origin. Stretches nest.
  package struct Span: Sendable {
    package var origin: Origin
    package var range: Range<Int>
    /// The innermost stretch around this one, as a position in ``Rendering/spans``.
    package var parent: Int?
    /// Where the tag of a component begins whose template is one element; `nil` otherwise.
    package var tag: Int?
    /// Whether it was written without its content.
    package var isSkipped = false
  }

  /// An element that the server has called the one element of a fragment.
  package struct Root: Sendable {
    /// See ``Fragment/root``.
    package var identity: Int
    /// From its tag to the end of the fragment.
    package var range: Range<Int>
    /// What the update says of the fragment.
    package var news: News
    /// Whether it was written without its content.
    package var isSkipped = false
  }

  /// What an update says of a fragment.
  package enum News: Sendable {
    case nothing
    case parts
    /// It was sent whole. If it says what was there before, it has kept its identity; to LiveView's client it is a new one.
    case all
  }

  /// How many fragments, components and entries were written.
  package var fragments = 0
  /// UTF-8.
  package var markup: [UInt8] = []
  /// In order of their start, outer ones first.
  package var spans: [Span] = []
  /// In order of their start, outer ones first; none of components, which are among ``spans``.
  package var roots: [Root] = []
  /// Where the slots of the update were written, by their position in ``TouchedSlots/slots``.
  package var written: [(slot: Int, range: Range<Int>)] = []
  /// What the streams that were rendered ask of the document, in order of the markup.
  package var streams: [StreamOperation] = []

  /// Nothing.
  package init() {}

  /// The components that stand in the markup.
  package var components: Set<Int> {
    var components: Set<Int> = []
    for case .component(let cid) in spans.lazy.map(\.origin) { components.insert(cid) }
    return components
  }
}
