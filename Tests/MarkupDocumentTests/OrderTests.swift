import Testing

@testable import MarkupDocument

/// Ranks of siblings: insertions in one place use up the gaps between them.
@Suite struct OrderTests {
  private func list(_ count: Int) -> Document {
    var document = Document(dialect: .html, epoch: 1)
    for number in 0..<count {
      document.append(document.make(.text("\(number)"), number: number + 2), to: NodeTree.root)
    }
    return document
  }

  private func faults(of document: Document) -> [String] {
    zip(document.tree.children(of: NodeTree.root), document.tree.children(of: NodeTree.root).dropFirst()).compactMap {
      document.ranks[Int($0.raw)] < document.ranks[Int($1.raw)] ? nil : "\($0) is not before \($1)"
    }
  }

  @Test
  func `many insertions before one sibling keep the order`() {
    var document = list(2)
    let last = document.tree.lastChild(of: NodeTree.root)
    for number in 0..<5_000 {
      document.insert(document.make(.text(""), number: 10 + number), into: NodeTree.root, before: last)
    }
    #expect(faults(of: document) == [])
  }

  @Test
  func `many insertions after one sibling keep the order`() {
    var document = list(2)
    let first = document.tree.firstChild(of: NodeTree.root)
    for number in 0..<5_000 {
      let next = first.flatMap(document.tree.next)
      document.insert(document.make(.text(""), number: 10 + number), into: NodeTree.root, before: next)
    }
    #expect(faults(of: document) == [])
  }

  @Test
  func `relabelling a full gap changes the ranks of few siblings`() {
    var document = list(10_000)
    let middle = document.treeIndexes[5_000].map(NodeTree.Index.init)
    let before = document.ranks
    for number in 0..<40 {
      document.insert(document.make(.text(""), number: 20_000 + number), into: NodeTree.root, before: middle)
    }
    #expect(faults(of: document) == [])
    #expect(zip(before, document.ranks).count { $0 != $1 } < 100)
  }

  @Test(arguments: [true, false])
  func `ranks at the ends of their range are relabelled`(atEnd: Bool) {
    var document = list(3)
    for (place, rank) in zip(document.tree.children(of: NodeTree.root), [-1, 0, 1] as [Int64]) {
      document.ranks[Int(place.raw)] = (atEnd ? 1 : -1) * (1 << 61) + rank
    }
    let sibling = atEnd ? nil : document.tree.firstChild(of: NodeTree.root)
    for number in 0..<3 {
      document.insert(document.make(.text(""), number: 10 + number), into: NodeTree.root, before: sibling)
    }
    #expect(faults(of: document) == [])
    #expect(document.ranks.allSatisfy { $0.magnitude < 1 << 62 })
  }
}
