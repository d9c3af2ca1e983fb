import Testing

@testable import RenderedTree

/// Paths of an update share their prefixes.
@Suite struct SharedPathTests {
  @Test
  func `an instance path has the appended steps even if it shares steps with other paths`() {
    let top = InstancePath(component: 3).appending(.init(slot: 1))
    let one = top.appending(.init(slot: 0, entry: 7)).appending(.init(slot: 2))
    let other = InstancePath(component: 3).appending(.init(slot: 1)).appending(.init(slot: 0, entry: 7))
      .appending(.init(slot: 2))
    #expect(one == other && one.hashValue == other.hashValue)
    #expect(one.steps == [.init(slot: 1), .init(slot: 0, entry: 7), .init(slot: 2)])
    #expect(one.prefix(1) == top && one.prefix(0) == InstancePath(component: 3) && one.prefix(9) == one)
    #expect(one != top.appending(.init(slot: 0)).appending(.init(slot: 2)))
    #expect(
      one != InstancePath().appending(.init(slot: 1)).appending(.init(slot: 0, entry: 7)).appending(.init(slot: 2)))
  }

  @Test(arguments: [3, 40])
  func `equal paths share one node among few and many paths`(count: Int) {
    var tree = PathTree()
    let parent = tree.add(.key("k"), after: PathTree.root)
    let nodes = (0..<count).map { tree.add(.index($0), after: parent) }
    #expect((0..<count).map { tree.add(.index($0), after: parent) } == nodes)
    #expect(tree.path(to: nodes[2]).description == "k.2")
    #expect(tree.path(to: nodes[2], atMost: 1).description == "k")
    let inner = tree.add(.index(1), after: nodes[0])
    #expect(tree.common(inner, nodes[0]) == nodes[0] && tree.common(inner, nodes[1]) == parent)
    let other = tree.add(.index(9), after: PathTree.root)
    #expect(tree.common(inner, other) == PathTree.root)
  }
}
