import DocumentInvariants
import MarkupDocument
import RecordingFixtures
import Testing

/// The indexes of a document, and parts of one. That they agree with a walk after every change is
/// among the invariants, which the oracle of the morph asks for.
@Suite struct LookupTests {
  static func document(_ markup: String, spans: [Page.Span] = []) -> Document {
    Document.mounting(
      Page(parsing: Array(markup.utf8), dialect: .html, sources: .init(spans: spans)), dialect: .html, epoch: 1
    ).document
  }

  func node(_ number: Int) -> NodeRef { NodeRef(epoch: 1, number: number) }

  @Test
  func `an id finds its first element and is compared byte for byte`() {
    let document = Self.document(
      "<p id=\"x\"></p><p id=\"y\"></p><p id=\"y\"></p><p id=\"\u{E9}\"></p><p id=\"e\u{301}\"></p>")
    #expect(document.node(withID: "x") == node(2))
    #expect(document.node(withID: "y") == node(3))
    #expect(document.node(withID: "z") == nil)
    #expect(document.node(withID: "\u{E9}") == node(5))
    #expect(document.node(withID: "e\u{301}") == node(6))
    #expect(["x", "y", "z", "\u{E9}"].map(document.count(ofID:)) == [1, 2, 0, 1])
    #expect(document.hasDuplicateIDs)
  }

  @Test
  func `the index of ids follows attribute changes, removals and moves`() {
    var document = Self.document("<p id=\"x\"></p><p id=\"y\"></p>")
    document.keepDuplicateIDs()
    document.apply(
      ChangeSet([.attributes(node: node(3), tag: "p", [.init(name: "id", before: "y", after: "x")])]))
    #expect(document.checkInvariants() == [])
    #expect(document.duplicateIDs().map(\.node) == [node(3)])
    document.keepDuplicateIDs()
    document.apply(
      ChangeSet([
        .move(
          node: node(3), name: .element(tag: "p", id: "x"), from: .init(parent: node(1), index: 1),
          to: .init(parent: node(1), index: 0))
      ]))
    #expect(document.checkInvariants() == [])
    #expect(document.node(withID: "x") == node(3))
    #expect(document.duplicateIDs().map(\.node) == [node(2)])
    document.apply(
      ChangeSet([
        .remove(nodes: [node(2)], from: .init(parent: node(1), index: 1), name: .element(tag: "p", id: "x"))
      ]))
    #expect(document.checkInvariants() == [])
    #expect(!document.hasDuplicateIDs)
    #expect(document.duplicateIDs() == [])
  }

  @Test(arguments: 0...9)
  func `the index of a node is found among any number of siblings`(count: Int) {
    let document = Self.document(String(repeating: "<i></i>", count: count))
    let children = document.children(of: document.root)
    #expect(children.map(document.index(of:)) == Array(0..<count))
    #expect(document.index(of: document.root) == 0)
  }

  @Test
  func `an inserted node is at its index, counted from either end`() {
    for count in 0...6 {
      for subset in 0..<(1 << count) {
        // The final number of children is `count`; those in the subset are new.
        let new = (0..<count).filter { subset & (1 << $0) != 0 }
        var document = Self.document(String(repeating: "<i></i>", count: count - new.count))
        let adds: [Change] = new.enumerated().map { offset, index in
          let content = NodeContent.element(Element(tag: "b"))
          let ref = node(document.nextNumber + offset)
          return .add(
            Subtree(nodes: [.init(ref: ref, content: content)]), at: .init(parent: document.root, index: index))
        }
        document.apply(ChangeSet(adds))
        let tags = document.children(of: document.root).map { document.content(of: $0)?.element?.tag }
        #expect(tags == (0..<count).map { new.contains($0) ? "b" : "i" })
        #expect(document.checkInvariants() == [])
      }
    }
  }

  @Test
  func `only the marks of the given nodes are replaced`() {
    let spans: [Page.Span] = [
      .init(group: Origin.components, member: 1, range: 0..<7, parent: nil),
      .init(group: Origin.components, member: 2, range: 7..<14, parent: nil),
    ]
    var document = Self.document("<p></p><p></p><p></p>", spans: spans)
    #expect(document.nodes(ofComponent: 1) == [node(2)])
    var marks = Marks()
    marks.origins[node(4)] = Origin(group: Origin.components, member: 2, tag: "p")
    marks.streams[node(4)] = "s"
    #expect(document.apply(ChangeSet(), replacingMarksOf: [node(2), node(4)], with: marks) == [1])
    #expect(document.checkInvariants() == [])
    #expect(document.components == [2])
    #expect(document.nodes(ofComponent: 2) == [node(3), node(4)])
    #expect(document.marks.streams == [node(4): "s"])
  }

  @Test
  func `nodes are sorted into document order after many insertions at one place`() {
    var random = SplitMix(state: 1)
    var document = Self.document("<p></p><p></p>")
    for step in 0..<400 {
      // First a hundred insertions into one gap, then insertions at random positions.
      let nodes = document.nodes(from: document.root)
      let parent = step < 100 ? document.root : nodes[random.below(nodes.count)]
      let index = step < 100 ? 1 : random.below(document.children(of: parent).count + 1)
      let new = Subtree(nodes: [.init(ref: node(document.nextNumber), content: .element(Element(tag: "b")))])
      document.apply(ChangeSet([.add(new, at: .init(parent: parent, index: index))]))
      let all = document.nodes(from: document.root)
      let count = [2, 3, 40].randomElement(using: &random) ?? 2
      let some = Set((0..<count).map { _ in all[random.below(all.count)] })
      #expect(document.inDocumentOrder(some.union([node(9_999)])) == all.filter(some.contains))
    }
    #expect(document.checkInvariants() == [])
  }

  // MARK: - Excerpts

  static let page = "<ul id=\"u\">0<li id=\"a\"><b>1</b>x</li>2<li id=\"b\"></li>3</ul><p id=\"a\"></p>"

  @Test
  func `an excerpt has the nodes between two siblings with their references`() {
    let spans: [Page.Span] = [.init(group: 4, member: 0, range: 12..<38, parent: nil)]
    let document = Self.document(Self.page, spans: spans)
    let list = node(2)
    let children = document.children(of: list)
    for (from, to) in [(-1, 5), (-1, 1), (-1, 2), (0, 5), (0, 2), (1, 3), (2, 5), (3, 4), (4, 5)] {
      let excerpt = document.excerpt(
        of: list, after: from < 0 ? nil : children[from], before: to == 5 ? nil : children[to])
      let copied = Array(children[(from + 1)..<to])
      #expect(excerpt.children(of: excerpt.root) == copied)
      #expect(excerpt.markup(of: excerpt.root) == copied.map(document.markup).joined())
      #expect(excerpt.nodes(from: excerpt.root).dropFirst() == ArraySlice(copied.flatMap(document.nodes)))
      #expect(excerpt.nextNumber == document.nextNumber)
      #expect(excerpt.marks.origins == document.marks.origins.filter { excerpt.contains($0.key) })
      #expect(excerpt.checkInvariants() == [])
    }
    #expect(document.marks.origins.count == 1)
    #expect(document.excerpt(of: node(99), after: nil, before: nil).count == 1)
  }

  @Test(arguments: RandomPages.Identity.allCases)
  func `an excerpt of everything is the document`(identity: RandomPages.Identity) {
    var pages = RandomPages(seed: 5, identity: identity)
    for _ in 0..<200 {
      let document = Self.document(pages.next())
      let excerpt = document.excerpt(of: document.root, after: nil, before: nil)
      #expect(excerpt.isSame(as: document))
      #expect(excerpt.checkInvariants() == [])
    }
  }
}

@Suite struct NumberTableTests {
  @Test
  func `a number table behaves like a dictionary`() {
    var random = SplitMix(state: 3)
    var table = NumberTable()
    var oracle: [Int: Int32] = [:]
    for step in 0..<20_000 {
      let number = random.below(400) * (random.one(in: 4) ? 1 : 7)
      switch random.below(6) {
      case 0, 1:
        table[number] = Int32(step)
        oracle[number] = Int32(step)
      case 2: #expect(table.remove(number) == (oracle.removeValue(forKey: number) != nil))
      case 3:
        #expect(table.increment(number) == (oracle[number] != nil))
        oracle[number]? += 1
      case 4 where random.one(in: 20):
        let run = Array(number..<(number + random.below(150)))
        table.insert(run, value: 5)
        for number in run { oracle[number] = 5 }
      default: #expect(table[number] == oracle[number])
      }
      guard table.count == oracle.count else {
        Issue.record("\(table.count) and \(oracle.count) at step \(step)")
        return
      }
    }
    #expect(table.numbers == oracle.keys.sorted())
    for number in table.numbers { #expect(table[number] == oracle[number]) }
  }
}
