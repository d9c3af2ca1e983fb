import RecordingFixtures
import Testing

@testable import MarkupDocument

/// Compares ``CountedChildren`` with arrays.
@Suite struct CountedChildrenTests {
  @Test(arguments: 0..<20)
  func `a child is found by its index and an index by its child`(seed: Int) {
    var random = SplitMix(state: UInt64(seed))
    var counted = CountedChildren()
    var (orders, free) = ([[Int32](), [Int32]()], Array(Int32(0)..<200))
    for parent in [Int32(1_000), 1_001] { counted.count([], of: parent) }
    for _ in 0..<600 {
      let group = random.below(2)
      let parent = Int32(1_000 + group)
      if orders[group].isEmpty || !free.isEmpty && random.below(5) > 1 {
        let node = free.remove(at: random.below(free.count))
        let index = random.below(orders[group].count + 1)
        counted.insert(node, before: index < orders[group].count ? orders[group][index] : nil, in: parent)
        orders[group].insert(node, at: index)
      } else {
        let node = orders[group].remove(at: random.below(orders[group].count))
        counted.remove(node, from: parent)
        free.append(node)
      }
    }
    for group in 0..<2 {
      let order = orders[group]
      #expect((0...order.count).map { counted.child(at: $0, of: Int32(1_000 + group)) } == order + [nil])
      #expect(order.map { counted.index(of: $0) } == Array(order.indices))
    }
    #expect(!counted.counts(3))
  }
}
