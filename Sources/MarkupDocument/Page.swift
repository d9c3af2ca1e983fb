/// A freshly parsed page, with what the wire says of its elements: the other side of a morph.
package struct Page: Sendable {
  /// A stretch of the markup that is one entry or one component. Stretches nest.
  package struct Span: Sendable {
    package var group: Int
    package var member: Int
    package var range: Range<Int>
    /// The innermost stretch around this one, by position.
    package var parent: Int?
    /// Where the tag of a component begins whose template is one element; `nil` otherwise.
    package var tag: Int?
    /// Whether it is a component that is here without its content; see ``Page/skippedRoots``.
    package var isSkipped: Bool

    package init(group: Int, member: Int, range: Range<Int>, parent: Int?, tag: Int? = nil, isSkipped: Bool = false) {
      self.group = group
      self.member = member
      self.range = range
      self.parent = parent
      self.tag = tag
      self.isSkipped = isSkipped
    }
  }

  /// An element that the wire calls the one element of a fragment, such as the root of a function component.
  package struct Root: Sendable {
    package var identity: Int
    /// From its tag to the end of the fragment.
    package var range: Range<Int>
    /// Whether the update says nothing of the fragment: LiveView's client then leaves the element as it is.
    package var isUnchanged: Bool
    /// Whether the fragment was sent whole: it is a new one to LiveView's client.
    package var isNew: Bool
    /// Whether the element is here without its content; see ``Page/skippedRoots``.
    package var isSkipped: Bool

    package init(identity: Int, range: Range<Int>, isUnchanged: Bool, isNew: Bool, isSkipped: Bool = false) {
      self.identity = identity
      self.range = range
      self.isUnchanged = isUnchanged
      self.isNew = isNew
      self.isSkipped = isSkipped
    }
  }

  /// What the wire says of the markup.
  package struct Sources: Sendable {
    /// In order of their start, outer ones first.
    package var spans: [Span]
    /// In order of their start, outer ones first.
    package var roots: [Root]

    package init(spans: [Span] = [], roots: [Root] = []) {
      self.spans = spans
      self.roots = roots
    }

    /// The same behind so many bytes of other markup.
    package func moved(by bytes: Int) -> Sources {
      var moved = self
      for index in spans.indices {
        moved.spans[index].range = spans[index].range.moved(by: bytes)
        moved.spans[index].tag = spans[index].tag.map { $0 + bytes }
      }
      for index in roots.indices { moved.roots[index].range = roots[index].range.moved(by: bytes) }
      return moved
    }
  }

  package var tree: NodeTree
  package var diagnostics: [MarkupDiagnostic]
  /// The markup has more nodes than ``MarkupParser/maximumNodes``: this is only its beginning, and no page to show.
  package var isTruncated: Bool
  /// By place in the tree's storage: what the wire says the element is.
  package private(set) var origins: [NodeTree.Index: Origin] = [:]
  /// By place in the tree's storage, the roots of fragments; those of components are among ``origins``.
  package private(set) var roots: [NodeTree.Index: Int] = [:]
  /// Of ``roots``, those of which the update says nothing.
  private(set) var unchangedRoots: Set<NodeTree.Index> = []
  /// Of ``roots``, those that were sent whole.
  private(set) var newRoots: Set<NodeTree.Index> = []
  /// The roots of components and fragments that are in the page without their content, as in the markup of LiveView's client: it
  /// takes the elements that it has for them.
  private(set) var skippedRoots: Set<NodeTree.Index> = []
  /// Whether the wire has left out the content of roots, whatever the parser made of them.
  private(set) var hasSkippedRoots = false
  /// Whether the root of each component and fragment holds what its markup says and nothing else; see ``RootContainment``.
  package private(set) var rootsAreContained = true
  package let dialect: Dialect
  /// Elements whose content cannot be addressed piece by piece; see ``MarkupParser/Result``.
  package let irregular: Set<NodeTree.Index>
  /// Where elements end; see ``MarkupParser/Result``.
  package let ends: [Int32]
  /// Whether any element may be the container of a stream.
  package let mayHoldStreams: Bool

  /// - Complexity: O(*markup* + *elements* · log *spans*).
  package init(parsing markup: [UInt8], dialect: Dialect, sources: Sources = Sources(), isInView: Bool = false) {
    let result = MarkupParser.parse(markup, dialect: dialect, isInView: isInView)
    tree = result.tree
    diagnostics = result.diagnostics
    isTruncated = result.isTruncated
    irregular = result.irregular
    ends = result.ends
    mayHoldStreams = markup.contains(word: "phx-update")
    self.dialect = dialect
    trace(sources)
  }

  /// The page of a piece of markup that was read in its context.
  package init(_ piece: MarkupParser.Piece, dialect: Dialect, sources: Sources = Sources()) {
    tree = piece.tree
    diagnostics = piece.diagnostics
    isTruncated = false
    irregular = piece.irregular
    ends = piece.ends
    mayHoldStreams = true
    self.dialect = dialect
    trace(sources)
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
  func replacingTree(
    by tree: NodeTree, origins: [NodeTree.Index: Origin] = [:], roots: [NodeTree.Index: Int] = [:]
  ) -> Page {
    var page = self
    page.tree = tree
    page.origins = origins
    page.roots = roots
    return page
  }

  private mutating func trace(_ sources: Sources) {
    if !sources.spans.isEmpty { trace(sources.spans) }
    guard dialect == .html else { return }
    hasSkippedRoots = sources.spans.contains(where: \.isSkipped) || sources.roots.contains(where: \.isSkipped)
    if !sources.roots.isEmpty { trace(sources.roots) }
    rootsAreContained = RootContainment.holds(in: tree, ends: ends, sources)
  }

  /// No two roots begin at one tag: that of a fragment is in its own statics.
  private mutating func trace(_ found: [Root]) {
    roots.reserveCapacity(found.count)
    var search = SpanSearch(found.map(\.range.lowerBound))
    for node in tree.preorder() {
      guard tree[node].element != nil, let offset = tree.offset(of: node), let position = search.last(to: offset),
        case let root = found[position], root.range.lowerBound == offset
      else { continue }
      roots[node] = root.identity
      if root.isUnchanged { unchangedRoots.insert(node) }
      if root.isNew { newRoots.insert(node) }
      if root.isSkipped { skippedRoots.insert(node) }
    }
  }

  /// An element is what the innermost stretch around its tag is, unless its parent stands in that stretch too: then it
  /// is only a part of it.
  private mutating func trace(_ spans: [Span]) {
    /// By span, the tag of the first node that is it: most have no other.
    var first: [String?] = Array(repeating: nil, count: spans.count)
    var ordinals: [OrdinalKey: Int] = [:]
    /// The components whose root has been met.
    var rooted: Set<Int> = []
    origins.reserveCapacity(min(spans.count, tree.count))
    var search = SpanSearch(spans.map(\.range.lowerBound))
    for node in tree.preorder() {
      // A comment of an entry goes where the entry goes: it says which function wrote it. Text is found by its place.
      guard let tag = tree[node].originTag, let offset = tree.offset(of: node),
        let position = innermost(of: spans, around: offset, &search)
      else { continue }
      let span = spans[position]
      if let parent = offsetOfParent(of: node), span.range.contains(parent) { continue }
      // LiveView's client marks the first tag of a component, whatever the parser makes of the others.
      let isRoot = dialect == .html && span.group == Origin.components && tree[node].element != nil
      if isRoot, !rooted.insert(position).inserted { continue }
      var ordinal = 0
      if let known = first[position] {
        let key = OrdinalKey(span: position, tag: tag)
        ordinal = ordinals[key, default: known == tag ? 1 : 0]
        ordinals[key] = ordinal + 1
      } else {
        first[position] = tag
      }
      origins[node] = Origin(group: span.group, member: span.member, tag: tag, ordinal: ordinal)
      if span.isSkipped, tree[node].element != nil { skippedRoots.insert(node) }
    }
  }

  private func innermost(of spans: [Span], around offset: Int, _ search: inout SpanSearch) -> Int? {
    var candidate = search.last(to: offset)
    while let position = candidate, !spans[position].range.contains(offset) { candidate = spans[position].parent }
    return candidate
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
  private let starts: [Int]
  /// How many start at the last offset or before.
  private var started = 0

  /// - Parameter starts: ascending.
  init(_ starts: [Int]) { self.starts = starts }

  /// The position of the last stretch that starts at an offset or before.
  mutating func last(to offset: Int) -> Int? {
    if started > 0, starts[started - 1] > offset {
      started = starts[..<started].partitioningIndex { $0 > offset }
    } else {
      // Nearly always the same or the next; far away where a parser has put nodes before others.
      let near = min(starts.count, started + 8)
      while started < near, starts[started] <= offset { started += 1 }
      if started == near { started = starts[near...].partitioningIndex { $0 > offset } }
    }
    return started > 0 ? started - 1 : nil
  }
}

extension Range<Int> {
  fileprivate func moved(by distance: Int) -> Range { lowerBound + distance..<upperBound + distance }
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
