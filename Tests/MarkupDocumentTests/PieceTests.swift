import MarkupDocument
import RecordingFixtures
import Testing

/// Compares replacing a range of markup by a piece with parsing the whole new page.
@Suite struct PieceTests {
  /// Counts the tried cases, to prove that the property was not tested on nothing.
  struct Tally {
    var cases = 0
    var contained = 0
    var irregularInside = 0
    var parents: [String: Int] = [:]
  }

  @Test(arguments: Dialect.allCases)
  func `a contained piece gives the same nodes as the whole page`(dialect: Dialect) {
    var tally = Tally()
    var wrong = 0
    for seed in 0..<(dialect == .html ? 2_200 : 800) where wrong < 3 {
      var pages = HostilePages(seed: UInt64(seed), dialect: dialect)
      let (page, places) = pages.page()
      let old = MarkupParser.parse(page, dialect: dialect)
      guard !old.irregular.contains(NodeTree.root), !places.isEmpty else { continue }
      for _ in 0..<4 {
        let place = places[pages.random.below(places.count)]
        let first = pages.random.below(place.edges.count)
        let last = first + pages.random.below(place.edges.count - first)
        let stretch = place.edges[first]..<place.edges[last]
        guard let exchange = Exchange(page, old, dialect, place: place, stretch: stretch) else { continue }
        for _ in 0..<12 {
          let piece = pages.piece(in: place.name)
          if let complaint = exchange.complaint(of: piece, &tally) {
            wrong += 1
            Issue.record("seed \(seed): \(complaint)")
          }
        }
      }
    }
    print("pieces in \(dialect):", tally.cases, "contained:", tally.contained, "irregular:", tally.irregularInside)
    #expect(tally.cases > (dialect == .html ? 50_000 : 20_000))
    #expect(tally.contained > (dialect == .html ? 30_000 : 15_000))
    #expect(tally.irregularInside > 500)
    for name in dialect == .html
      ? ["table", "tr", "td", "select", "svg", "foreignObject", "b", "a", "form", "pre"] : ["p"]
    {
      #expect(tally.parents[name, default: 0] > 100, "in \(name): \(tally.parents[name, default: 0])")
    }
  }
}

/// A replaceable range in an element's content, chosen by the parser's results for the old page.
private struct Exchange {
  let page: [UInt8]
  let old: MarkupParser.Result
  let dialect: Dialect
  let stretch: Range<Int>
  let context: MarkupParser.Context
  let element: NodeTree.Index
  /// The numbers of the element's children before and after the range.
  let before: Int
  let after: Int

  /// `nil` if the range does not begin and end between nodes, or if an element around it is
  /// irregular.
  init?(
    _ page: [UInt8], _ old: MarkupParser.Result, _ dialect: Dialect, place: HostilePages.Place, stretch: Range<Int>
  ) {
    (self.page, self.old, self.dialect, self.stretch) = (page, old, dialect, stretch)
    let less = UInt8(ascii: "<"), greater = UInt8(ascii: ">")
    guard stretch.lowerBound == 0 || page[stretch.lowerBound - 1] == greater,
      stretch.upperBound == page.count || page[stretch.upperBound] == less,
      let element = old.tree.element(at: place.start)
    else { return nil }
    self.element = element
    var ancestors: [Element] = []
    var upcoming: NodeTree.Index? = element
    while let node = upcoming {
      if old.irregular.contains(node) { return nil }
      if let content = old.tree[node].element { ancestors.insert(content, at: 0) }
      upcoming = old.tree.parent(of: node)
    }
    context = .init(ancestors: ancestors, startsParent: stretch.lowerBound == place.edges[0])

    // Two inserted comments show that the parser is between nodes at both ends, and not in a
    // comment or after the element's end.
    let marked =
      page[..<stretch.lowerBound] + "<!--[-->".utf8 + page[stretch] + "<!--]-->".utf8 + page[stretch.upperBound...]
    let tree = MarkupParser.parse(Array(marked), dialect: dialect).tree
    guard let parent = tree.element(at: place.start) else { return nil }
    let children = Array(tree.children(of: parent))
    guard let first = children.firstIndex(where: { tree[$0] == .comment("[") }),
      let last = children.firstIndex(where: { tree[$0] == .comment("]") }),
      first == 0 || !tree.isText(children[first - 1]), last == children.count - 1 || !tree.isText(children[last + 1])
    else { return nil }
    before = first
    after = children.count - last - 1
  }

  func complaint(of markup: [UInt8], _ tally: inout PieceTests.Tally) -> String? {
    tally.cases += 1
    let piece = MarkupParser.parse(markup, in: context, dialect: dialect)
    guard piece.isContained else { return nil }
    tally.contained += 1
    if !piece.irregular.isEmpty { tally.irregularInside += 1 }
    if let name = context.ancestors.last?.tag { tally.parents[name, default: 0] += 1 }

    var expected = old.tree
    var irregular = old.irregular
    let children = Array(expected.children(of: element))
    for child in children[before..<(children.count - after)] {
      for node in expected.preorder(from: child) { irregular.remove(node) }
      expected.remove(child)
    }
    let next = after == 0 ? nil : children[children.count - after]
    var pending: [(NodeTree.Index, NodeTree.Index, NodeTree.Index?)] = []
    for child in piece.tree.children(of: piece.parent) { pending.append((child, element, next)) }
    pending.reverse()
    var count = 0
    while let (source, parent, next) = pending.popLast() {
      let offset = piece.tree.offset(of: source).map { $0 + stretch.lowerBound }
      let copy = expected.make(piece.tree[source], offset: offset)
      expected.insert(copy, into: parent, before: next)
      if piece.irregular.contains(source) { irregular.insert(copy) }
      pending += Array(piece.tree.children(of: source)).reversed().map { ($0, copy, nil) }
      count += 1
    }

    let whole = Array(page[..<stretch.lowerBound] + markup + page[stretch.upperBound...])
    let new = MarkupParser.parse(whole, dialect: dialect)
    let shift = markup.count - stretch.count
    var isSame = expected.isEqual(to: new.tree) && count == piece.count
    if isSame {
      for (mine, theirs) in zip(expected.preorder(), new.tree.preorder()) {
        var offset = expected.offset(of: mine)
        if let old = offset, old >= stretch.upperBound, new.tree.offset(of: theirs) == old + shift {
          offset = old + shift
        }
        if irregular.contains(mine) != new.irregular.contains(theirs) || offset != new.tree.offset(of: theirs) {
          isSame = false
        }
      }
    }
    if isSame { return nil }
    func text(_ bytes: some Sequence<UInt8>) -> String {
      String(decoding: Array(bytes), as: UTF8.self).debugDescription
    }
    return """
      \(text(page[..<stretch.lowerBound]))
      [\(text(page[stretch]))] -> \(text(markup))
      \(text(page[stretch.upperBound...]))
      --- expected, irregular \(irregular.count)
      \(expected.outline(offsets: true))
      --- got, irregular \(new.irregular.count)
      \(new.tree.outline(offsets: true))
      """
  }
}

extension NodeTree {
  fileprivate func element(at offset: Int) -> Index? {
    offset < 0 ? Self.root : preorder().first { self.offset(of: $0) == offset && self[$0].element != nil }
  }

  fileprivate func isText(_ node: Index) -> Bool {
    if case .text = self[node] { true } else { false }
  }
}
