import MirrorAnalysis
import LiveViewMirror
import MarkupDocument
import RecordingFixtures
import RenderedTree
import Testing

/// Two versions as aligned rows.
@Suite struct SideBySideTests {
  private func view(_ rendered: String, _ diffs: String...) throws -> ViewState {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    try view.mount(Array(rendered.utf8), dialect: .html)
    for diff in diffs { try view.update(Array(diff.utf8)) }
    return try #require(view.view)
  }

  /// The rows as text: sign, line before, line after. The line of a node at another place is in
  /// parentheses.
  private func text(_ sides: SideBySide?) throws -> String {
    let rows = try #require(sides).rows.map { row -> [String] in
      func cell(_ line: SideBySide.Line?) -> String {
        (line ?? row.elsewhere).map {
          String(repeating: "  ", count: $0.depth) + (line == nil ? "(\($0.text))" : $0.text)
        } ?? ""
      }
      if row.kind == .omitted { return ["…", "… \(row.omittedBefore)", "… \(row.omittedAfter)"] }
      let signs: [SideBySide.Kind: String] = [
        .changed: "~", .added: "+", .removed: "-", .moved: row.isMoved ? "⇄" : " ",
      ]
      return [row.isEnd ? " " : signs[row.kind] ?? " ", cell(row.before), cell(row.after)]
    }
    let width = rows.map { $0[1].count }.max() ?? 0
    return rows.map { row in
      let line = "\(row[0]) \(row[1].padding(width)) | \(row[2])"
      return String(line.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }

  private let list =
    #"{"s":["<h1>List</h1><ul class=\"","\">","</ul>"],"0":"x","1":{"s":["<li id=\"","\">","</li>"],"k":{"0":{"0":"a","1":"A"},"1":{"0":"b","1":"B"},"2":{"0":"c","1":"C"},"kc":3}}}"#

  @Test func `a changed text and attribute, an added and a removed element`() throws {
    let view = try view(
      list, #"{"0":"y","1":{"k":{"0":{"1":"1"},"kc":2}}}"#, #"{"1":{"k":{"2":{"0":"d","1":"D&"},"kc":3}}}"#)
    #expect(
      try text(view.sideBySide(from: 0, to: 2)) == """
          <h1>           | <h1>
            List         |   List
          </h1>          | </h1>
        ~ <ul class="x"> | <ul class="y">
            <li id="a">  |   <li id="a">
        ~     A          |     1
            </li>        |   </li>
            <li id="b">  |   <li id="b">
              B          |     B
            </li>        |   </li>
        -   <li id="c">  |
        -     C          |
            </li>        |
        +                |   <li id="d">
        +                |     D&amp;
                         |   </li>
          </ul>          | </ul>
        """)
  }

  @Test func `a moved element is at both of its places`() throws {
    let view = try view(list, #"{"1":{"k":{"0":2,"1":[0,{"1":"AA"}],"2":1,"kc":3}}}"#)
    #expect(
      try text(view.sideBySide(from: 0, to: 1)) == """
          <ul class="x">  | <ul class="x">
        ⇄   (<li id="c">) |   <li id="c">
                          |     C
                          |   </li>
            <li id="a">   |   <li id="a">
        ~     A           |     AA
            </li>         |   </li>
            <li id="b">   |   <li id="b">
              B           |     B
            </li>         |   </li>
        ⇄   <li id="c">   |   (<li id="c">)
              C           |
            </li>         |
          </ul>           | </ul>
        """)
    #expect(
      try text(view.sideBySide(from: 0, to: 1, form: .tree)) == """
          <ul> class="x" | <ul> class="x"
        ⇄   (<li#c>)     |   <li#c>
                         |     "C"
            <li#a>       |   <li#a>
        ~     "A"        |     "AA"
            <li#b>       |   <li#b>
              "B"        |     "B"
        ⇄   <li#c>       |   (<li#c>)
              "C"        |
        """)
    #expect(
      try text(view.sideBySide(from: 1, to: 1)) == """
        … … 9 | … 9
        """)
    #expect(view.sideBySide(from: 0, to: 2) == nil)
  }

  @Test func `a change in a moved element has its old and its new line at both places`() throws {
    let view = try view(list, #"{"1":{"k":{"0":[2,{"1":"CC"}],"1":0,"2":1,"kc":3}}}"#)
    #expect(
      try text(view.sideBySide(from: 0, to: 1, form: .tree)) == """
          <ul> class="x" | <ul> class="x"
        ⇄   (<li#c>)     |   <li#c>
        ~     ("C")      |     "CC"
            <li#a>       |   <li#a>
              "A"        |     "A"
            <li#b>       |   <li#b>
              "B"        |     "B"
        ⇄   <li#c>       |   (<li#c>)
        ~     "C"        |     ("CC")
        """)
  }

  @Test(arguments: SideBySide.Form.allCases)
  func `LiveView's own attributes are left out unless they changed`(form: SideBySide.Form) throws {
    let view = try view(
      #"{"s":["<p data-phx-loc=\"1\" class=\"","\"></p><b data-phx-loc=\"","\"></b>"],"0":"a","1":"2"}"#,
      #"{"0":"b","1":"3"}"#)
    var limits = SideBySide.Limits()
    let lines = try text(view.sideBySide(from: 0, to: 1, form: form))
    #expect(!lines.contains("data-phx-loc=\"1\"") && lines.contains("data-phx-loc=\"3\""))
    limits.foldsBlanks = false
    #expect(try text(view.sideBySide(from: 0, to: 1, form: form, limits: limits)).contains("data-phx-loc=\"1\""))
  }

  @Test func `far from the changes, unchanged nodes are counted`() throws {
    let entries = (0..<50).map { #""\#($0)":{"0":"\#($0)"}"# }.joined(separator: ",")
    let view = try view(
      #"{"s":["<main><table><tbody>","</tbody></table><p>","</p></main>"],"0":{"s":["<tr><td>","</td></tr>"],"k":{\#(entries),"kc":50}},"1":"z"}"#,
      #"{"0":{"k":{"20":{"0":"new"},"kc":50}}}"#)
    #expect(
      try text(view.sideBySide(from: 0, to: 1)) == """
          <td>  | <td>
        ~   20  |   new
          </td> | </td>
        """)
  }

  @Test func `rows, added subtrees and long lines are bounded, and changes without a row are counted`() throws {
    let long = String(repeating: "x", count: 5_000)
    let entries = (0..<1_000).map { #""\#($0)":{"0":"\#($0)"}"# }.joined(separator: ",")
    let rendered = #"{"s":["<ul>","</ul><p>","</p>"],"0":{"s":["<li>","</li>"],"k":{"kc":0}},"1":"\#(long)a"}"#
    let view = try view(rendered, #"{"0":{"k":{\#(entries),"kc":1000}},"1":"\#(long)b"}"#)
    let sides = try #require(view.sideBySide(from: 0, to: 1))
    #expect(sides.changes == 1_001 && sides.rows.count <= 400)
    #expect(
      sides.unshownChangeCount == sides.changes
        - sides.rows.count { $0.kind != .same && $0.kind != .omitted && !$0.isEnd && $0.after?.text == "<li>" })
    #expect(sides.rows.last?.omittedAfter ?? 0 > 0)
    let text = try #require(
      try self.view(rendered, #"{"1":"\#(long)b"}"#).sideBySide(from: 0, to: 1)?.rows.first { $0.kind == .changed })
    #expect(text.before?.text == "…" + String(repeating: "x", count: 75) + "a")
    #expect(text.after?.text == "…" + String(repeating: "x", count: 75) + "b")
  }

  @Test(arguments: Recording.all)
  func `without limits, both sides are the whole documents, and the signs are those of the log`(
    recording: Recording
  ) throws {
    let decoder = WireDecoder()
    let coordinator = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    for step in recording.steps where step.topic == "lv:\(recording.rootID)" {
      let message = try #require(try decoder.decode(step.frame, as: .frames).first).get()
      _ = try coordinator.receive(message, dialect: recording.isNative ? .native : .html)
    }
    var unlimited = SideBySide.Limits()
    (unlimited.rows, unlimited.context, unlimited.small, unlimited.subtree, unlimited.line) = (
      .max, .max, .max, .max, .max
    )
    unlimited.foldsBlanks = false
    let view = try #require(coordinator.view)
    let last = view.version
    let neighbours = (0..<last).map { ($0, $0 + 1) }
    for (from, to) in neighbours + [(0, last), (last, 0), (last / 2, last)] {
      let place: Comment = "\(from) → \(to)"
      let (old, new) = (try #require(view.document(at: from)), try #require(view.document(at: to)))
      let record = to == from + 1 ? view.log.record(of: to)?.changeSet : nil
      let changes = try #require(view.comparison(from: from, to: to)).changeSet
      if let record { #expect(changes == record, place) }
      let sides = SideBySide(from: (from, old), to: (to, new), changes, limits: unlimited)
      let rows = sides.rows.filter { !$0.isEnd }
      #expect(sides.unshownChangeCount == 0, place)
      func whole(_ document: Document) -> [NodeRef] {
        Array(document.nodes(from: sides.top).drop { $0 == document.root })
      }
      #expect(rows.filter { $0.before != nil }.compactMap(\.node) == whole(old), place)
      #expect(rows.filter { $0.after != nil }.compactMap(\.node) == whole(new), place)
      var expected: [SideBySide.Kind: Set<NodeRef>] = [.added: [], .removed: [], .changed: []]
      var moved: Set<NodeRef> = []
      for change in changes.changes {
        switch change {
        case .text(let node, _, _, _), .attributes(let node, _, _): expected[.changed]?.insert(node)
        case .add(let subtree, _): expected[.added]?.formUnion(subtree.nodes.map(\.ref))
        case .remove(let nodes, _, _): expected[.removed]?.formUnion(nodes)
        case .move(let node, _, _, _): moved.insert(node)
        }
      }
      for (kind, nodes) in expected {
        #expect(Set(rows.filter { $0.kind == kind }.compactMap(\.node)) == nodes, "\(place) \(kind)")
      }
      for node in moved {
        let both = rows.filter { $0.node == node }
        #expect(both.count == 2 && both.allSatisfy { $0.before == nil || $0.after == nil }, "\(place) \(node)")
        #expect(
          both.map(\.elsewhere?.text) == [both[1], both[0]].map { ($0.before ?? $0.after)?.text }, "\(place) \(node)")
      }
      #expect(Set(rows.filter(\.isMoved).compactMap(\.node)) == moved, place)
    }
  }
}

extension String {
  fileprivate func padding(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
