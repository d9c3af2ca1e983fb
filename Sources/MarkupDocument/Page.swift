/// A freshly parsed page, with what the wire says of its elements: the other side of a morph.
package struct Page: Sendable {
  /// A stretch of the markup that is one entry or one component. Stretches nest.
  package struct Span: Sendable {
    package var group: Int
    package var member: Int
    package var range: Range<Int>
    /// The innermost stretch around this one, by position.
    package var parent: Int?

    package init(group: Int, member: Int, range: Range<Int>, parent: Int?) {
      self.group = group
      self.member = member
      self.range = range
      self.parent = parent
    }
  }

  package var tree: NodeTree
  package var diagnostics: [MarkupDiagnostic]
  /// The markup has more nodes than ``MarkupParser/maximumNodes``: this is only its beginning, and no page to show.
  package var isTruncated: Bool
  /// By place in the tree's storage: what the wire says the element is.
  package private(set) var origins: [NodeTree.Index: Origin] = [:]
  /// The roots of components whose markup leaves them open: what follows the component is in them.
  private(set) var openRoots: Set<NodeTree.Index> = []
  package let dialect: Dialect
  /// Elements whose content cannot be addressed piece by piece; see ``MarkupParser/Result``.
  package let irregular: Set<NodeTree.Index>
  /// Where elements end; see ``MarkupParser/Result``.
  package let ends: [Int32]
  /// Whether any element may be the container of a stream.
  package let mayHoldStreams: Bool

  /// - Parameter spans: in order of their start, outer ones first.
  /// - Complexity: O(*markup* + *elements* · log *spans*).
  package init(parsing markup: [UInt8], dialect: Dialect, spans: [Span] = [], isInView: Bool = false) {
    let result = MarkupParser.parse(markup, dialect: dialect, isInView: isInView)
    tree = result.tree
    diagnostics = result.diagnostics
    isTruncated = result.isTruncated
    irregular = result.irregular
    ends = result.ends
    mayHoldStreams = markup.contains(word: "phx-update")
    self.dialect = dialect
    if !spans.isEmpty { trace(spans) }
  }

  /// The page of a piece of markup that was read in its context.
  package init(_ piece: MarkupParser.Piece, dialect: Dialect, spans: [Span] = []) {
    tree = piece.tree
    diagnostics = piece.diagnostics
    isTruncated = false
    irregular = piece.irregular
    ends = piece.ends
    mayHoldStreams = true
    self.dialect = dialect
    if !spans.isEmpty { trace(spans) }
  }

  /// Whether a client may hold something else than the page; see ``ClientPatch``.
  ///
  /// - Complexity: O(*attributes*).
  var hasClientRules: Bool {
    tree.preorder().contains { tree[$0].element?.hasClientRules(in: dialect) ?? false }
  }

  /// The first root element of each component.
  func rootsOfComponents() -> [Int: NodeTree.Index] {
    var roots: [Int: NodeTree.Index] = [:]
    for node in tree.preorder() {
      guard tree[node].element != nil, let cid = origins[node]?.component, roots[cid] == nil else { continue }
      roots[cid] = node
    }
    return roots
  }

  /// The page with another tree; what is known of the markup stays that of the former one.
  func replacingTree(by tree: NodeTree, origins: [NodeTree.Index: Origin] = [:]) -> Page {
    var page = self
    page.tree = tree
    page.origins = origins
    return page
  }

  /// An element is what the innermost stretch around its tag is, unless its parent stands in that stretch too: then it
  /// is only a part of it.
  private mutating func trace(_ spans: [Span]) {
    /// By span, the tag of the first node that is it: most have no other.
    var first: [String?] = Array(repeating: nil, count: spans.count)
    var ordinals: [OrdinalKey: Int] = [:]
    origins.reserveCapacity(min(spans.count, tree.count))
    var search = SpanSearch(spans)
    for node in tree.preorder() {
      // A comment of an entry goes where the entry goes: it says which function wrote it. Text is found by its place.
      guard let tag = tree[node].originTag, let offset = tree.offset(of: node),
        let position = search.innermost(around: offset)
      else { continue }
      let span = spans[position]
      if let parent = offsetOfParent(of: node), span.range.contains(parent) { continue }
      var ordinal = 0
      if let known = first[position] {
        let key = OrdinalKey(span: position, tag: tag)
        ordinal = ordinals[key, default: known == tag ? 1 : 0]
        ordinals[key] = ordinal + 1
      } else {
        first[position] = tag
      }
      origins[node] = Origin(group: span.group, member: span.member, tag: tag, ordinal: ordinal)
      if span.group == Origin.components, tree.firstChild(of: node) != nil, !span.range.contains(end(of: node)) {
        openRoots.insert(node)
      }
    }
  }

  private func end(of node: NodeTree.Index) -> Int {
    let place = Int(node.raw)
    return ends.indices.contains(place) ? Int(ends[place]) : 0
  }

  private struct OrdinalKey: Hashable {
    var span: Int
    var tag: String
  }

  /// The nearest element above that stands in the markup (an implied one does not).
  private func offsetOfParent(of node: NodeTree.Index) -> Int? {
    var parent = tree.parent(of: node)
    while let step = parent, step != NodeTree.root {
      if let offset = tree.offset(of: step) { return offset }
      parent = tree.parent(of: step)
    }
    return nil
  }
}

/// Finds stretches by offsets, which come in ascending order but for a few.
private struct SpanSearch {
  private let spans: [Page.Span]
  /// How many start at the last offset or before.
  private var started = 0

  init(_ spans: [Page.Span]) { self.spans = spans }

  mutating func innermost(around offset: Int) -> Int? {
    if started > 0, spans[started - 1].range.lowerBound > offset {
      started = spans[..<started].partitioningIndex { $0.range.lowerBound > offset }
    } else {
      // Nearly always the same or the next; far away where a parser has put nodes before others.
      let near = min(spans.count, started + 8)
      while started < near, spans[started].range.lowerBound <= offset { started += 1 }
      if started == near { started = spans[near...].partitioningIndex { $0.range.lowerBound > offset } }
    }
    // The last one that starts here or before; it, or one around it, is the innermost.
    var candidate = started > 0 ? started - 1 : nil
    while let position = candidate, !spans[position].range.contains(offset) { candidate = spans[position].parent }
    return candidate
  }
}

extension NodeContent {
  /// What tells nodes of one entry apart; `nil` for those that have no origin.
  fileprivate var originTag: String? {
    switch self {
    case .element(let element): element.tag
    case .comment: Origin.commentTag
    case .text, .processingInstruction, .root: nil
    }
  }
}
