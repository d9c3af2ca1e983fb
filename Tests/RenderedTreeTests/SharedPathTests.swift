import RecordingFixtures
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

  @Test
  func `steps in any order have one node for each path`() {
    var tree = PathTree()
    var known: [SlotPath: PathTree.Node] = [SlotPath(): PathTree.root]
    var paths = [SlotPath()]
    var random = SplitMix(state: 3)
    for _ in 0..<2_000 {
      let parent = paths[Int.random(in: paths.indices, using: &random)]
      let step: SlotPath.Step =
        switch random.next() % 8 {
        case 0: .key("k")
        case 1: .key("d")
        case 2: .changesOfMoved
        default: .index(Int(random.next() % 6))
        }
      let node = tree.add(step, after: known[parent] ?? PathTree.root)
      if let known = known[parent + step] {
        #expect(known == node)
      } else {
        known[parent + step] = node
        paths.append(parent + step)
      }
    }
    #expect(tree.count == known.count - 1)
    for (path, node) in known { #expect(tree.path(to: node) == path) }
  }
}

/// The places of an update's slots in the tree.
@Suite struct TouchedPlaceTests {
  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 1, 0]])
  func `slots are found at their place in whatever order, and however often, the places were added`(order: [Int]) {
    var touched = TouchedSlots()
    var path = MergePath()
    func touch(_ place: TouchedSlots.Place) {
      touched.touch(&path, at: place, isChanged: true, isWhole: false, bytes: 1)
    }
    for index in order {
      let entry = touched.place(at: index, under: .root)
      touch(entry)
      for inner in order { touch(touched.place(at: inner, under: entry)) }
    }
    touch(touched.place(ofComponent: 7))
    let index = TouchedSlots.Index(touched)
    // The entry has four slots, at itself and at the three indexes inside.
    for entry in 0...2 {
      let place = index.child(entry, of: .root)
      let expected = order.indices.filter { order[$0] == entry }.map { $0 * 4 }
      #expect(Array(index.slots(at: place)) == expected)
      for inner in 0...2 {
        let slots = expected.flatMap { start in order.indices.filter { order[$0] == inner }.map { start + 1 + $0 } }
        #expect(Array(index.slots(at: index.child(inner, of: place))) == slots)
      }
    }
    #expect(index.child(3, of: .root) == nil)
    #expect(Array(index.slots(at: index.component(7))) == [12] && index.component(8) == nil)
  }

  @Test
  func `an entry that moved is at its former index in the tree before the update`() {
    var touched = TouchedSlots()
    var path = MergePath()
    for (entry, former) in [(0, 2), (1, 0)] {
      let place = touched.place(at: entry, under: .root, from: former)
      touched.touch(&path, at: place, isChanged: true, isWhole: false, bytes: 1)
    }
    let after = TouchedSlots.Index(touched)
    let before = after.before(touched)
    #expect([0, 1, 2].map { Array(after.slots(at: after.child($0, of: .root))) } == [[0], [1], []])
    #expect([0, 1, 2].map { Array(before.slots(at: before.child($0, of: .root))) } == [[1], [], [0]])
  }
}
