import MarkupDocument
import RecordingFixtures
import Testing

@testable import MirrorInspector

@Suite struct OutlineTests {
  @Test(
    arguments: UInt64(1)...30)
  func `shown and hidden nodes add up to the whole tree, and at most the limit is shown`(seed: UInt64) {
    var random = SplitMix(state: seed)
    let tree = Self.tree(nodes: Int.random(in: 1...1_500, using: &random), using: &random)
    let nodes = Array(tree.preorder())
    let focus = (0..<5).compactMap { _ in nodes.randomElement(using: &random) }
    let marked = (0..<40).compactMap { _ in nodes.randomElement(using: &random) }
    let first = Int.random(in: 0...2, using: &random)
    let outline = Outline(of: tree, top: NodeTree.root, first: first, focus: focus, marked: marked)
    let (shown, hidden, changed) = Self.walk(outline, from: NodeTree.root)
    #expect(shown.count == outline.count && shown.count <= Outline.limit)
    #expect(shown.count + hidden == nodes.count && outline.total == nodes.count)
    #expect(changed + shown.intersection(marked).count == Set(marked).count)
    if first == 0, nodes.count <= Outline.limit {
      #expect(hidden == 0 || Self.depth(of: tree) >= Outline.depthLimit - 2)
    }
    for node in focus where Self.depth(of: node, in: tree) < Outline.depthLimit - 1 { #expect(shown.contains(node)) }
  }

  @Test
  func `a hidden text is not shown in its element`() {
    var tree = NodeTree()
    let list = tree.make(.element(Element(tag: "ul")))
    tree.append(list, to: NodeTree.root)
    tree.append(tree.make(.text("\n")), to: list)
    let outline = Outline(of: tree, top: NodeTree.root, hiding: { tree[$0].isSeldomOfInterest })
    #expect((outline.count, outline.total, outline.hidden) == (2, 2, 1))
  }

  @Test
  func `following the gaps shows all items of a list of 3,000`() {
    var tree = NodeTree()
    for index in 0..<3_000 { tree.append(tree.make(.text("\(index)")), to: NodeTree.root) }
    var (first, seen, pages): (Int?, Set<NodeTree.Index>, Int) = (0, [], 0)
    while let from = first, pages < 100 {
      let outline = Outline(of: tree, top: NodeTree.root, first: from)
      seen.formUnion(Self.walk(outline, from: NodeTree.root).shown)
      first =
        outline.items(below: NodeTree.root).compactMap {
          if case .gap(let next, _, _) = $0, next > from { next } else { nil }
        }.first
      pages += 1
    }
    #expect(seen.count == tree.count)
    #expect(pages <= 8)
  }

  @Test
  func `an outline is cut at the depth at which browsers flatten nested elements`() {
    var tree = NodeTree()
    var last = NodeTree.root
    for _ in 0..<20_000 {
      let node = tree.make(.element(Element(tag: "b")))
      tree.append(node, to: last)
      last = node
    }
    let outline = Outline(of: tree, top: NodeTree.root, focus: [last], marked: [last])
    let (shown, hidden, changed) = Self.walk(outline, from: NodeTree.root)
    #expect(shown.count <= Outline.depthLimit && hidden == tree.count - shown.count && changed == 1)
  }

  // MARK: - Support

  /// The nodes that the page shows of an outline, and the counts of hidden nodes and of hidden
  /// changed nodes.
  private static func walk(
    _ outline: Outline, from node: NodeTree.Index
  ) -> (shown: Set<NodeTree.Index>, hidden: Int, changed: Int) {
    var result: (shown: Set<NodeTree.Index>, hidden: Int, changed: Int) = ([node], 0, 0)
    for item in outline.items(below: node) {
      switch item {
      case .node(let child):
        let below = walk(outline, from: child)
        result.shown.formUnion(below.shown)
        result.hidden += below.hidden
        result.changed += below.changed
      case .gap(_, let nodes, let changed):
        result.hidden += nodes
        result.changed += changed
      }
    }
    return result
  }

  private static func tree(nodes: Int, using random: inout SplitMix) -> NodeTree {
    var tree = NodeTree()
    var parents = [NodeTree.root]
    let reach = Int.random(in: 1...200, using: &random)
    for index in 1..<max(2, nodes) {
      let isText = Int.random(in: 0..<3, using: &random) == 0
      let node = tree.make(isText ? .text("\(index)") : .element(Element(tag: "p")))
      tree.append(node, to: parents.suffix(reach).randomElement(using: &random) ?? NodeTree.root)
      if !isText { parents.append(node) }
    }
    return tree
  }

  private static func depth(of node: NodeTree.Index, in tree: NodeTree) -> Int {
    var (depth, step) = (0, tree.parent(of: node))
    while let parent = step { (depth, step) = (depth + 1, tree.parent(of: parent)) }
    return depth
  }

  private static func depth(of tree: NodeTree) -> Int { tree.preorder().map { depth(of: $0, in: tree) }.max() ?? 0 }
}
