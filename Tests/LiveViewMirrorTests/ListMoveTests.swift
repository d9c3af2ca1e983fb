import DocumentInvariants
import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import RecordingFixtures
import RenderedTree
import Testing

/// Which entries of a reordered list move. Scoped and full updates must choose the same ones.
@Suite struct ListMoveTests {
  private struct Pair {
    let scoped = LiveViewCoordinator(id: "main", options: UpdateOptions(pipeline: .scoped).withAnalyses)
    let full = LiveViewCoordinator(id: "main", options: UpdateOptions(pipeline: .full).withAnalyses)

    init(_ mount: String) throws {
      try scoped.mount(Array(mount.utf8), dialect: .html)
      try full.mount(Array(mount.utf8), dialect: .html)
    }

    /// The change set of a diff, which must be that of both pipelines.
    func update(_ diff: String, isScoped: Bool = true) throws -> ChangeSet {
      let (scoped, full) = (try scoped.update(diff), try full.update(diff))
      #expect((scoped.path == .scoped) == isScoped)
      #expect(scoped.changeSet == full.changeSet, "\(diff)")
      return scoped.changeSet
    }
  }

  private static func entries(_ count: Int) -> String {
    (0..<count).map { "\"\($0)\":{\"0\":\"\($0)\"}," }.joined() + "\"kc\":\(count)"
  }

  private static func permutations(of items: [Int]) -> [[Int]] {
    if items.count < 2 { return [items] }
    return items.flatMap { item in permutations(of: items.filter { $0 != item }).map { [item] + $0 } }
  }

  private static func moves(to order: [Int]) -> String {
    order.enumerated().filter { $0 != $1 }.map { "\"\($0)\":\($1)," }.joined() + "\"kc\":\(order.count)"
  }

  @Test
  func `of three entries whose first and last trade places, the one that the diff does not name stays`() throws {
    let pair = try Pair(#"{"0":{"k":{\#(Self.entries(3))},"s":["<li>","</li>"]},"s":["<ul>","</ul>"]}"#)
    let changes = try pair.update(#"{"0":{"k":{"0":2,"2":0,"kc":3}}}"#)
    #expect(changes.changes.map(\.description) == ["move 7 <li> 2[2] → 2[0]", "move 3 <li> 2[0] → 2[2]"])
  }

  @Test(arguments: 1...6)
  func `every permutation of entries has the fewest moves, and up to four entries none to the same index`(
    count: Int
  ) throws {
    let mount = #"{"0":{"k":{\#(Self.entries(count))},"s":["<li>","</li>"]},"s":["<ul>","</ul>"]}"#
    for order in Self.permutations(of: Array(0..<count)) where order != Array(0..<count) {
      let pair = try Pair(mount)
      let moves = try pair.update(#"{"0":{"k":{\#(Self.moves(to: order))}}}"#).moves
      #expect(moves.count == count - order.longestRise, "\(order)")
      #expect(pair.scoped.markup == "<ul>\(order.map { "<li>\($0)</li>" }.joined())</ul>")
      // With more entries, some moves to the same index cannot be avoided: FewestMovesTests
      // compares all choices.
      if count <= 4 { #expect(moves.allSatisfy { $0.from != $0.to }, "\(order): \(moves)") }
    }
  }

  @Test(arguments: [-1, 1, 2])
  func `a list behind one that grows or shrinks has the same moves in both pipelines`(growth: Int) throws {
    let first = #"{"k":{\#(Self.entries(2))},"s":["<b>","</b>"]}"#
    let lists = #""0":\#(first),"1":{"k":{\#(Self.entries(5))},"s":["<i>","</i>"]}"#
    let new = (2..<(2 + max(0, growth))).map { "\"\($0)\":{\"0\":\"\($0)\"}," }.joined()
    for order in Self.permutations(of: [0, 1, 2, 3, 4]) where order != [0, 1, 2, 3, 4] {
      let pair = try Pair(#"{\#(lists),"s":["<p>","","</p>"]}"#)
      let moves = try pair.update(
        #"{"0":{"k":{\#(new)"kc":\#(2 + growth)}},"1":{"k":{\#(Self.moves(to: order))}}}"#
      ).moves
      #expect(moves.count == 5 - order.longestRise)
      #expect(
        pair.scoped.markup
          == "<p>\((0..<(2 + growth)).map { "<b>\($0)</b>" }.joined())\(order.map { "<i>\($0)</i>" }.joined())</p>")
      #expect(pair.scoped.document?.checkInvariants() == [])
    }
  }

  /// A table without keys, as `<.table>` makes it: a row for each id, with a nested list of one
  /// cell.
  private static func rows(_ ids: String) -> String {
    let cell = #"{"s":["<td>","</td>"],"k":{"0":{"0":"t"},"kc":1}}"#
    let rows = ids.enumerated().map { #""\#($0)":{"0":"\#($1)","1":"\#($0)","2":\#(cell)},"# }.joined()
    return #"{"0":{"s":["<tr id=\"","\"><td>","</td>","</tr>"],"k":{\#(rows)"kc":\#(ids.count)}},"#
      + #""s":["<table><tbody>","</tbody></table>"]}"#
  }

  @Test(arguments: [("1.2.10", "ab"), ("1.2.7", "ba"), ("1.1.33", "ba"), (nil, "ba")])
  func `moves without their mark change nothing if the client stops at them`(client: String?, order: String) throws {
    let mount = #"{"0":{"s":["<b>","</b>"],"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2}},"s":["<p>","</p>"]}"#
    for pipeline in UpdateOptions.Pipeline.allCases {
      let view = LiveViewCoordinator(id: "main", options: UpdateOptions(pipeline: pipeline).withAnalyses)
      try view.mount(Array(mount.utf8), dialect: .html, container: nil, client: client)
      let record = try view.update(#"{"0":{"k":{"0":1,"1":0,"kc":2}}}"#)
      let isStopped = order == "ab"
      #expect(record.changeSet.changes.isEmpty == isStopped)
      #expect(record.diagnostics.map(\.code) == (isStopped ? ["client-throws"] : []))
      #expect(view.markup == "<p>\(order.map { "<b>\($0)</b>" }.joined())</p>")
      // The tree is that of the page, now and after a restart.
      #expect(try view.update(#"{"0":{"k":{"0":{"0":"c"},"kc":2}}}"#).changeSet.changes.count == 1)
      #expect(view.markup == "<p><b>c</b><b>\(order.last.map(String.init) ?? "")</b></p>")
    }
  }

  @Test
  func `in a table without keys, a row with another id is a new row with new cells`() throws {
    let pair = try Pair(Self.rows("a"))
    let changes = try pair.update(#"{"0":{"k":{"0":{"0":"b","1":"7","2":{"k":{"0":{"0":"u"},"kc":1}}},"kc":1}}}"#)
    #expect(changes.changes.map(\.description) == ["remove 4 <tr#a> (5) 3[0]", "add 9 <tr#b> (5) 3[0]"])
  }

  @Test
  func `in a table without keys, two rows with ids trade places with their cells`() throws {
    let pair = try Pair(Self.rows("ab"))
    let changes = try pair.update(
      #"{"0":{"k":{"0":{"0":"b","1":"1"},"1":{"0":"a","1":"0"},"kc":2}}}"#, isScoped: false)
    #expect(changes.changes.map(\.description) == ["move 9 <tr#b> 3[1] → 3[0]"])
  }

  @Test
  func `in a table without keys, the first of seven rows leaves with its cells`() throws {
    let pair = try Pair(Self.rows("abcdefg"))
    let shifted = "bcdefg".enumerated().map { #""\#($0)":{"0":"\#($1)","1":"\#($0 + 1)"},"# }.joined()
    let changes = try pair.update(#"{"0":{"k":{\#(shifted)"kc":6}}}"#)
    #expect(changes.changes.map(\.description) == ["remove 4 <tr#a> (5) 3[0]"])
  }

  @Test
  func `no recorded diff has a move from a position to the same position`() throws {
    var count = 0
    for recording in Recording.all {
      var views = RecordedViews(recording)
      for step in recording.steps {
        guard let record = try views.next(step).receive() else { continue }
        for (from, to) in record.changeSet.moves {
          count += 1
          #expect(from != to, "\(recording.name), step \(step.index)")
        }
      }
    }
    #expect(count > 1_000)
  }
}

extension ChangeSet {
  fileprivate var moves: [(from: Position, to: Position)] {
    changes.compactMap { change in
      if case .move(_, _, let from, let to) = change { (from, to) } else { nil }
    }
  }
}
