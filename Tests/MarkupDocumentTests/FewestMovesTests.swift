import MarkupDocument
import RecordingFixtures
import Testing

/// The moves of a reordered list, compared with every other choice: the fewest moves, and among
/// those choices the fewest moves from a position to the same position.
@Suite struct FewestMovesTests {
  /// The best choice for an order of the numbers from 0, found by trying every set of elements that
  /// stay.
  private struct Best: Comparable {
    var moves: Int
    var movesToItself: Int

    init(moves: Int, toItself: Int) { (self.moves, movesToItself) = (moves, toItself) }

    init(of order: [Int]) {
      var best = Best(moves: order.count + 1, toItself: 0)
      for staying in 0..<(1 << order.count) {
        let stays = order.indices.filter { staying >> $0 & 1 == 1 }
        guard zip(stays, stays.dropFirst()).allSatisfy({ order[$0] < order[$1] }) else { continue }
        best = min(best, Best(of: order, keeping: stays))
      }
      self = best
    }

    init(of order: [Int], keeping stays: [Int]) {
      let moved = Set(order.indices).subtracting(stays)
      self.init(moves: moved.count, toItself: moved.count { order[$0] == $0 })
    }

    static func < (a: Self, b: Self) -> Bool { (a.moves, a.movesToItself) < (b.moves, b.movesToItself) }
  }

  private static func permutations(of count: Int) -> [[Int]] {
    if count == 0 { return [[]] }
    return permutations(of: count - 1).flatMap { shorter in
      (0..<count).map { place in
        var order = shorter
        order.insert(count - 1, at: place)
        return order
      }
    }
  }

  @Test(arguments: 0...7)
  func `every permutation keeps as many elements as possible, and moves as few as possible to their own index`(
    count: Int
  ) {
    var unavoidable = 0
    for order in Self.permutations(of: count) {
      let stays = longestIncreasingSubsequence(of: order) { order[$0] == $0 }
      #expect(zip(stays, stays.dropFirst()).allSatisfy { $0 < $1 && order[$0] < order[$1] }, "\(order): \(stays)")
      let best = Best(of: order)
      #expect(Best(of: order, keeping: stays) == best, "\(order): \(stays)")
      unavoidable += best.movesToItself > 0 ? 1 : 0
    }
    // Up to four elements, there is always a choice without a move to the same index.
    #expect((unavoidable == 0) == (count <= 4), "\(unavoidable)")
  }

  @Test
  func `a long order with any preferred elements keeps as many of them as the quadratic algorithm`() {
    var random = SplitMix(state: 3)
    for round in 0..<200 {
      let order = Array(0..<(1 + random.below(60))).shuffled(using: &random)
      let isPreferred = order.map { _ in random.one(in: 1 + round % 5) }
      /// Per element: the length and the number of preferred elements of the best subsequence that
      /// ends with the element.
      var best: [(Int, Int)] = []
      for (position, number) in order.enumerated() {
        let before = order.indices.prefix(position).filter { order[$0] < number }.map { best[$0] }.max(by: <) ?? (0, 0)
        best.append((before.0 + 1, before.1 + (isPreferred[position] ? 1 : 0)))
      }
      let stays = longestIncreasingSubsequence(of: order) { isPreferred[$0] }
      #expect(zip(stays, stays.dropFirst()).allSatisfy { $0 < $1 && order[$0] < order[$1] })
      #expect((stays.count, stays.count { isPreferred[$0] }) == best.max(by: <) ?? (0, 0), "\(order)")
    }
  }

  @Test(arguments: 0...6)
  func `every permutation of elements with ids has the fewest moves and gives the target, also between two versions`(
    count: Int
  ) {
    func list(_ order: [Int]) -> String {
      "<ul>\(order.map { "<li id=\"\($0)\">\($0)</li>" }.joined())</ul>"
    }
    let start = ContentBeforeJoin(list(Array(0..<count)))
    for order in Self.permutations(of: count) {
      let page = Page(parsing: Array(list(order).utf8), dialect: .html)
      let changes = Morph.changes(from: start.document, to: page).changes
      var document = start.document
      document.apply(changes)
      #expect(document.markup(of: document.root) == list(order))
      for changes in [changes, ChangeSet(from: start.document, to: document)] {
        let moves = changes.changes.compactMap { change in
          if case .move(_, _, let from, let to) = change { (from: from, to: to) } else { nil }
        }
        #expect(moves.count == changes.changes.count)
        #expect(Best(moves: moves.count, toItself: moves.count { $0.from == $0.to }) == Best(of: order), "\(order)")
      }
    }
  }

  @Test
  func `of three elements whose first and last trade places, the middle one stays`() {
    var held = ContentBeforeJoin(#"<ul><li id="a"></li><li id="b"></li><li id="c"></li></ul>"#)
    held.update(#"<ul><li id="c"></li><li id="b"></li><li id="a"></li></ul>"#)
    #expect(held.changes == ["move 5 <li#c> 2[2] → 2[0]", "move 3 <li#a> 2[0] → 2[2]"])
  }
}
