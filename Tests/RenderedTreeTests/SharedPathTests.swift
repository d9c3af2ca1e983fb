import Testing

@testable import RenderedTree

/// Paths in an update share their beginnings.
@Suite struct SharedPathTests {
  @Test("an instance path is what was appended, whichever paths it shares steps with")
  func instancePaths() {
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

  @Test("equal paths have one node, among few and among many", arguments: [3, 40])
  func nodes(count: Int) {
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
