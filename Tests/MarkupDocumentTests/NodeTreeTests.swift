import DocumentInvariants
import MarkupDocument
import RecordingFixtures
import Testing

@Suite struct NodeTreeTests {
  @Test func `trees are equal whatever their storage and the order of attributes`() {
    let first = parse("<p a=1 b=2>x<!--c--></p><br>").tree
    #expect(first.isEqual(to: parse("<p b='2' a='1'>x<!--c--></p><br>").tree))
    var rebuilt = first
    if let last = rebuilt.lastChild(of: NodeTree.root) {
      rebuilt.remove(last)
      rebuilt.append(rebuilt.make(.element(Element(tag: "br"))), to: NodeTree.root)
    }
    #expect(rebuilt.isEqual(to: first))
  }

  @Test(arguments: [
    "<p a=1>x<!--c--></p><br>", "<p a=1 b=3>x<!--c--></p><br>", "<p a=1 b=2>y<!--c--></p><br>",
    "<p a=1 b=2>x<!--d--></p><br>", "<p a=1 b=2>x</p><br>", "<p a=1 b=2>x<!--c--><br></p>",
    "<p a=1 b=2>x<!--c--></p><br><br>", "<p a=1 b=2>x<!--c--></p>", "<div a=1 b=2>x<!--c--></div><br>",
  ])
  func `trees that differ anywhere are not equal`(markup: String) {
    let tree = parse("<p a=1 b=2>x<!--c--></p><br>").tree
    #expect(!tree.isEqual(to: parse(markup).tree))
    #expect(!parse(markup).tree.isEqual(to: tree))
  }

  @Test func `comments can be ignored when trees are compared`() {
    let tree = parse("<!--1--><p><!--2-->x<!--3--></p><!--4-->").tree
    #expect(tree.isEqual(to: parse("<p>x</p>").tree, ignoringComments: true))
    #expect(parse("<p>x</p>").tree.isEqual(to: tree, ignoringComments: true))
    #expect(!tree.isEqual(to: parse("<p>x</p><p></p>").tree, ignoringComments: true))
  }

  @Test func `random edits keep the links consistent`() {
    for seed in 0..<200 {
      var generator = SplitMix(state: UInt64(seed))
      var tree = parse("<ul><li>a</li><li>b<b>c</b></li></ul><p>d</p>").tree
      for _ in 0..<40 {
        let nodes = Array(tree.preorder().dropFirst())
        guard let node = nodes.randomElement(using: &generator) else { break }
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: tree.remove(node)
        case 1:
          let parent = tree.parent(of: node) ?? NodeTree.root
          tree.insert(tree.make(.element(Element(tag: "i"))), into: parent, before: node)
        case 2:
          let parent = tree.parent(of: node) ?? NodeTree.root
          tree.detach(node)
          tree.append(node, to: parent)
        default:
          if case .element = tree[node] { tree.append(tree.make(.text("x")), to: node) }
        }
        #expect(tree.checkInvariants(afterParse: false) == [])
      }
      #expect(tree.count == Array(tree.preorder()).count)
    }
  }

  @Test func `invariants that only a parse guarantees are checked`() {
    var tree = NodeTree()
    tree.append(tree.make(.text("a")), to: NodeTree.root)
    tree.append(tree.make(.text("")), to: NodeTree.root)
    #expect(tree.checkInvariants() == ["text 1 is adjacent to another text", "text 2 is empty"])
    #expect(tree.checkInvariants(afterParse: false) == [])
    _ = tree.make(.comment("lost"))
    #expect(tree.checkInvariants() == ["1 nodes are not reachable from the root"])
  }
}
