internal import CLibrary
internal import MirrorSupport

/// A parsed page, with the identities that the wire gives its elements. It is the input that a
/// morph compares with a document. Mounts and full updates parse the whole markup, scoped updates
/// only a piece of it.
package struct Page: Sendable {
  /// The range of the markup that one entry or one component occupies. Spans nest.
  package struct Span: Sendable {
    /// The comprehension, or ``Origin/components``.
    package var group: Int
    /// The entry's serial number, or the component id.
    package var member: Int
    /// The bytes of the markup.
    package var range: Range<Int>
    /// The index of the innermost span around this one.
    package var parent: Int?
    /// The offset of the tag of a component whose template has one root element; `nil` otherwise.
    package var tag: Int?
    /// Whether the markup has only the component's tag and not its content; see
    /// ``Page/skippedRoots``.
    package var isSkipped: Bool
    /// Whether LiveView's client does not find the component's root.
    package var isHidden: Bool

    /// A span of the markup.
    package init(
      group: Int, member: Int, range: Range<Int>, parent: Int?, tag: Int? = nil, isSkipped: Bool = false,
      isHidden: Bool = false
    ) {
      self.group = group
      self.member = member
      self.range = range
      self.parent = parent
      self.tag = tag
      self.isSkipped = isSkipped
      self.isHidden = isHidden
    }
  }

  /// The single root element of a fragment, such as a function component.
  package struct Root: Sendable {
    /// The identity of the fragment.
    package var identity: Int
    /// From the offset of the tag to the end of the fragment.
    package var range: Range<Int>
    /// Whether the update does not touch the fragment. LiveView's client then leaves the element
    /// unchanged.
    package var isUnchanged: Bool
    /// Whether the fragment was sent as a whole. LiveView's client then treats the element as new.
    package var isNew: Bool
    /// Whether the markup has only the element's tag and not its content; see
    /// ``Page/skippedRoots``.
    package var isSkipped: Bool

    /// The root element of a fragment.
    package init(identity: Int, range: Range<Int>, isUnchanged: Bool, isNew: Bool, isSkipped: Bool = false) {
      self.identity = identity
      self.range = range
      self.isUnchanged = isUnchanged
      self.isNew = isNew
      self.isSkipped = isSkipped
    }
  }

  /// The identities that the wire gives parts of a page's markup, by their ranges.
  package struct Sources: Sendable {
    /// The entries and components, by ascending start; outer spans before inner ones.
    package var spans: [Span]
    /// The roots of other fragments, by ascending start; outer roots before inner ones.
    package var roots: [Root]
    /// The offsets of roots' tags in which LiveView's client does not find the `id`.
    package var hiddenIDs: Set<Int>
    /// Whether the client does not find the root of a component or fragment.
    package var hidesRoots: Bool

    /// The spans and roots of some markup.
    package init(spans: [Span] = [], roots: [Root] = [], hiddenIDs: Set<Int> = [], hidesRoots: Bool = false) {
      self.spans = spans
      self.roots = roots
      self.hiddenIDs = hiddenIDs
      self.hidesRoots = hidesRoots
    }

    /// The same spans and roots, shifted by a number of bytes.
    package func moved(by bytes: Int) -> Sources {
      var moved = self
      for index in spans.indices {
        moved.spans[index].range = spans[index].range.moved(by: bytes)
        moved.spans[index].tag = spans[index].tag.map { $0 + bytes }
      }
      for index in roots.indices { moved.roots[index].range = roots[index].range.moved(by: bytes) }
      moved.hiddenIDs = Set(hiddenIDs.map { $0 + bytes })
      return moved
    }
  }

  /// The nodes of the page.
  package var tree: NodeTree
  /// Whether the tree that a client holds after a patch can differ from the page; see
  /// ``ClientPatch``.
  package let hasClientRules: Bool
  /// Repairs and violated rules, in source order.
  package var diagnostics: [MarkupDiagnostic]
  /// The maximum number of ``diagnostics``.
  package static let listedDiagnostics = DiagnosticLog.limit
  /// Whether the markup has more nodes than ``MarkupParser/maximumNodes``: the tree is then only
  /// the beginning of the page and must not be shown.
  package var isTruncated: Bool
  /// Per storage index of the tree: the element's identity on the wire.
  package private(set) var origins: [NodeTree.Index: Origin] = [:]
  /// Per storage index of the tree: the identity of the fragment whose root it is. Roots of
  /// components are in ``origins``.
  package private(set) var roots: [NodeTree.Index: Int] = [:]
  /// The ``roots`` of fragments that the update does not touch.
  private(set) var unchangedRoots: Set<NodeTree.Index> = []
  /// The ``roots`` of fragments that were sent as a whole.
  private(set) var newRoots: Set<NodeTree.Index> = []
  /// The roots of components and fragments that the page contains without their content. LiveView's
  /// client renders them this way (`data-phx-skip`) and keeps the elements that it already has.
  private(set) var skippedRoots: Set<NodeTree.Index> = []
  /// Whether the sources mark any root as skipped, even if the parser made no element of it.
  private(set) var hasSkippedRoots = false
  /// Whether the root of each component and fragment contains exactly the nodes of its own markup,
  /// and has an `id` only where LiveView's client finds it; see ``RootContainment``.
  package private(set) var rootsAreContained = true
  /// The dialect of the markup.
  package let dialect: Dialect
  /// The elements whose content the parser had to repair; see ``MarkupParser/Result/irregular``.
  package let irregular: Set<NodeTree.Index>
  /// The tags of the elements, by index in the page's storage.
  package let tags: [ElementTags]
  /// Whether any element may be the container of a stream. Always `true` for a piece, because its
  /// markup is not searched.
  package let mayHoldStreams: Bool

  /// Parses a page.
  ///
  /// - Complexity: O(*markup* + *elements* · log *spans*).
  package init(parsing markup: [UInt8], dialect: Dialect, sources: Sources = Sources(), isInView: Bool = false) {
    let result = MarkupParser.parse(markup, dialect: dialect, isInView: isInView)
    tree = result.tree
    diagnostics = result.diagnostics
    isTruncated = result.isTruncated
    irregular = result.irregular
    tags = result.tags
    mayHoldStreams = markup.contains(word: "phx-update")
    self.dialect = dialect
    hasClientRules = tree.hasClientRules(in: dialect)
    trace(sources)
  }

  /// A page that consists of a piece of markup, parsed in its context.
  package init(_ piece: MarkupParser.Piece, dialect: Dialect, sources: Sources = Sources()) {
    tree = piece.tree
    diagnostics = piece.diagnostics
    isTruncated = false
    irregular = piece.irregular
    tags = piece.tags
    mayHoldStreams = true
    self.dialect = dialect
    hasClientRules = tree.hasClientRules(in: dialect)
    trace(sources)
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

  /// The page with another tree. The diagnostics and the properties of the markup stay those of the
  /// former tree.
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
    guard dialect.isPatchedByBrowser else { return }
    hasSkippedRoots = sources.spans.contains(where: \.isSkipped) || sources.roots.contains(where: \.isSkipped)
    if !sources.roots.isEmpty { trace(sources.roots) }
    rootsAreContained = !sources.hidesRoots && RootContainment.holds(in: tree, tags: tags, sources)
  }

  /// Finds the root elements. At most one root begins at a tag, since each fragment's root tag is
  /// in its own statics.
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

  /// Assigns origins. The origin of an element is the innermost span around its tag. If the tag of
  /// its parent is in the same span, the element has no origin: it is inside of the entry or
  /// component, and not a root of it.
  private mutating func trace(_ spans: [Span]) {
    /// Per span: the tag of its first element or comment. Most spans have only one.
    var first: [String?] = Array(repeating: nil, count: spans.count)
    var ordinals: [OrdinalKey: Int] = [:]
    /// The spans of components whose root was found.
    var rooted: Set<Int> = []
    origins.reserveCapacity(min(spans.count, tree.count))
    var search = SpanSearch(spans.map(\.range.lowerBound))
    for node in tree.preorder() {
      // A comment moves with its entry, since it may be the annotation of a function component.
      // Texts are matched by place.
      guard let tag = tree[node].originTag, let offset = tree.offset(of: node),
        let position = innermost(of: spans, around: offset, &search)
      else { continue }
      let span = spans[position]
      if let parent = offsetOfParent(of: node), span.range.contains(parent) { continue }
      if dialect.isPatchedByBrowser, span.isHidden { continue }
      // LiveView's client takes the first tag of a component as its root, even if the parser makes
      // other elements siblings of it.
      let isRoot = dialect.isPatchedByBrowser && span.group == Origin.components && tree[node].element != nil
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

  /// The offset of the nearest ancestor that has a tag in the markup (an implied `tbody` has none).
  private func offsetOfParent(of node: NodeTree.Index) -> Int? {
    var parent = tree.parent(of: node)
    while let step = parent, step != NodeTree.root {
      if let offset = tree.offset(of: step) { return offset }
      parent = tree.parent(of: step)
    }
    return nil
  }
}

/// Finds spans by offset. Most offsets are looked up in ascending order.
private struct SpanSearch {
  private let starts: [Int]
  /// How many spans start at the last offset or before it.
  private var started = 0

  /// - Parameter starts: the start offsets of the spans, ascending.
  init(_ starts: [Int]) { self.starts = starts }

  /// The index of the last span that starts at `offset` or before it.
  mutating func last(to offset: Int) -> Int? {
    if started > 0, starts[started - 1] > offset {
      started = starts[..<started].partitioningIndex { $0 > offset }
    } else {
      // The result is nearly always the same span as before or the next one. It is farther only if
      // the parser has moved nodes forwards.
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
  /// The tag that distinguishes the nodes of one entry; `nil` for nodes that never have an origin.
  fileprivate var originTag: String? {
    switch self {
    case .element(let element): element.tag
    case .comment: Origin.commentTag
    case .text, .processingInstruction, .root: nil
    }
  }
}

extension [UInt8] {
  /// Whether the bytes contain `word`, ignoring ASCII case. `word` is in lower case and contains a
  /// dash: the search jumps from dash to dash.
  func contains(word: StaticString) -> Bool {
    let word = UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard let dash = word.firstIndex(of: UInt8(ascii: "-")) else { return false }
    return withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      var position = dash
      while position < bytes.count, let found = memchr(start + position, 0x2D, bytes.count - position) {
        let index = start.distance(to: found) - dash
        if index + word.count <= bytes.count,
          zip(bytes[index..<(index + word.count)], word).allSatisfy({ $0.lowercasedASCII == $1 })
        {
          return true
        }
        position = index + dash + 1
      }
      return false
    }
  }
}
