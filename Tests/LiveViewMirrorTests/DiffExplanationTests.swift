import MirrorAnalysis
@testable import LiveViewMirror
import MarkupDocument
import Testing

/// The parts of an update in the protocol's terms, as text.
@Suite struct DiffExplanationTests {
  /// The explanation of the last update.
  private func explain(_ rendered: String, _ diffs: String...) throws -> String {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    try view.mount(Array(rendered.utf8), dialect: .html)
    for diff in diffs { try view.update(Array(diff.utf8)) }
    let state = try #require(view.view)
    return DiffExplanation(try #require(state.log.record(of: state.version)), in: state).description
  }

  /// `<ul>` with the keyed entries a, b and c.
  private let list =
    #"{"s":["<ul>","</ul>"],"0":{"s":["<li>","</li>"],"k":{"0":{"0":"a"},"1":{"0":"b"},"2":{"0":"c"},"kc":3}}}"#

  @Test func `a Rendered: statics, a nested fragment with the root flag, a list sent whole, title`() throws {
    #expect(
      try explain(
        #"{"0":{"0":"x","s":["<b>","</b>"],"r":1},"1":{"s":["<i>","</i>"],"k":{"0":{"0":"a"},"kc":1}},"s":["<p>","","</p>"],"t":"Home"}"#
      )
        == """
        rendered  125 B  Rendered: 2 slots, title  → + 2
          0  34 B  fragment sent whole: 1 slot
            0.0  3 B  text  "x"
            0.s  14 B  statics sent: 2 strings  ["<b>","</b>"]
            0.r  1 B  flag: the fragment is one element
          1  47 B  list sent whole: 1 entry
            1.s  14 B  statics sent: 2 strings  ["<i>","</i>"]
            1.k  22 B  by key or index: 1 of 1 entry sent
              1.k.0  9 B  entry 0: 1 slot sent
                1.k.0.0  3 B  text  "a"
              1.k.kc  1 B  number of entries after the update: 1
          s  17 B  statics sent: 3 strings  ["<p>","","</p>"]
          t  6 B  title of the page  "Home"
        """)
  }

  @Test func `a diff: texts, an empty text, a nested fragment, and slots that were sent unchanged`() throws {
    #expect(
      try explain(
        #"{"s":["<p>","</p>","<hr>",""],"0":"0","1":"same","2":{"s":["<b>","</b>"],"r":1,"0":"x"}}"#,
        #"{"0":"1\n\u00e9","1":"same","2":{"0":""}}"#) == """
          diff  41 B  diff: 3 slots
            0  11 B  text  "1\\né"  → ~ 3
            1  6 B  text  "same"  ! sent without effect
            2  8 B  fragment: 1 slot sent
              2.0  2 B  empty  → - 7
          """)
  }

  @Test func `title, events and the reply`() throws {
    #expect(
      try explain(
        #"{"s":["<p>","</p>"],"0":"0"}"#, #"{"0":"1","t":"Inbox","e":[["hi",{"a":[1]}],["bye",{}]],"r":{"ok":true}}"#)
          == """
          diff  71 B  diff: 1 slot, title, 2 events, reply
            0  3 B  text  "1"  → ~ 3
            t  7 B  title of the page  "Inbox"
            e  29 B  2 events
              e.0  16 B  event hi  ["hi",{"a":[1]}]
              e.1  10 B  event bye  ["bye",{}]
            r  11 B  reply to the client's event  {"ok":true}
          """)
  }

  @Test func `keyed entries: changed, moved, moved and changed, new, and named without a change`() throws {
    #expect(
      try explain(list, #"{"0":{"k":{"1":{"0":"B"},"kc":3}}}"#) == """
        diff  34 B  diff: 1 slot
          0  28 B  list: 1 of 3 entries sent
            0.k  22 B  by key or index: 1 of 3 entries sent
              0.k.1  9 B  entry 1: 1 slot sent
                0.k.1.0  3 B  text  "B"  → ~ 6
              0.k.kc  1 B  number of entries after the update: 3
        """)
    #expect(
      try explain(list, #"{"0":{"k":{"0":1,"1":[0,{"0":"A"}],"3":{"0":"d"},"kc":4,"km":true}}}"#) == """
        diff  68 B  diff: 1 slot
          0  62 B  list: 2 of 4 entries sent, 2 moved
            0.k  56 B  by key: 2 of 4 entries sent, 2 moved
              0.k.0  1 B  entry 0: moved from 1  → ⇄ 5
              0.k.1  13 B  entry 1: moved from 0, 1 slot sent
                0.k.1.1.0  3 B  text  "A"  → ~ 4
              0.k.3  9 B  new entry 3: 1 slot sent  → + 9
                0.k.3.0  3 B  text  "d"
              0.k.kc  1 B  number of entries after the update: 4
              0.k.km  4 B  flag: entries moved
        """)
    #expect(
      try explain(list, #"{"0":{"k":{"0":0,"kc":2}}}"#) == """
        diff  26 B  diff: 1 slot
          0  20 B  list: 0 of 2 entries sent
            0.k  14 B  by key or index: 0 of 2 entries sent
              0.k.0  1 B  entry 0: named without a change  ! sent without effect
              0.k.kc  1 B  number of entries after the update: 2  → - 7
        """)
    #expect(
      try explain(list, #"{"0":{"k":{"kc":0}}}"#) == """
        diff  20 B  diff: 1 slot
          0  14 B  list: no entries are left
            0.k  8 B  by key or index: no entries are left
              0.k.kc  1 B  number of entries after the update: 0  → - 3, - 5, - 7
        """)
  }

  @Test func `entries by position of LiveView 1.0: those that were sent unchanged are marked`() throws {
    #expect(
      try explain(
        #"{"s":["<ul>","</ul>"],"0":{"s":["<li>","</li>"],"d":[["a"],["b"]]}}"#, #"{"0":{"d":[["a"],["B"],["c"]]}}"#)
          == """
          diff  31 B  diff: 1 slot
            0  25 B  list: all 3 entries sent
              0.d  19 B  by position: all 3 entries sent
                0.d.0  5 B  entry 0: 1 slot sent  ! sent without effect
                  0.d.0.0  3 B  text  "a"  ! sent without effect
                0.d.1  5 B  entry 1: 1 slot sent
                  0.d.1.0  3 B  text  "B"  → ~ 6
                0.d.2  5 B  entry 2: 1 slot sent  → + 7
                  0.d.2.0  3 B  text  "c"
          """)
  }

  @Test func `an explanation says about a list's entries what the report of the waste says`() throws {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    try view.mount(Array(Self.unkeyed(3).utf8), dialect: .html)
    let record = try view.update(#"{"0":{"k":{"0":{"0":"e1"},"1":{"0":"e2"},"kc":2}}}"#)
    let state = try #require(view.view)
    #expect(state.wasteReport().lists.map(\.kind) == [.byIndex])
    #expect(DiffExplanation(record, in: state).description.contains("0.k  38 B  by index: 2 of 2 entries sent"))
  }

  @Test func `the entries of a long list that were sent without a change are counted as in the report of the waste`()
    throws
  {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    try view.mount(Array(Self.unkeyed(2_000).utf8), dialect: .html)
    let entries = (0..<2_000).map { #""\#($0)":{"0":"\#($0 < 2 ? "new" : "e\($0)")"}"# }
    let record = try view.update(#"{"0":{"k":{"# + entries.joined(separator: ",") + #","kc":2000}}}"#)
    #expect(
      record.resentLists == [
        ResentList(slot: "0", isPositional: false, sent: 2_000, unchanged: 1_998, count: 2_000, isRedundant: true)
      ])
    #expect(try #require(view.view).wasteReport().lists.map(\.unchangedEntryCount) == [1_998])
  }

  /// `<ul>` with the entries e0, e1, …
  private static func unkeyed(_ count: Int) -> String {
    let entries = (0..<count).map { #""\#($0)":{"0":"e\#($0)"}"# }.joined(separator: ",")
    return #"{"0":{"k":{"# + entries + #","kc":\#(count)},"s":["<li>","</li>"]},"s":["<ul>","</ul>"]}"#
  }

  @Test func `components: sent whole, copies of another one, and changed`() throws {
    let rendered = #"{"s":["<div>","","</div>"],"0":1,"1":"","c":{"1":{"s":["<p>","</p>"],"r":1,"0":"x"}}}"#
    #expect(
      try explain(
        rendered,
        #"{"0":2,"1":3,"c":{"1":{"0":"y"},"2":{"s":-1,"r":1,"0":"z"},"3":{"s":2,"r":1,"0":"w"}}}"#) == """
          diff  86 B  diff: 2 slots, 3 components
            0  1 B  shows component 2  → - 3, + 5
            1  1 B  shows component 3  → + 7
            c  68 B  3 components
              c.1  9 B  component 1: 1 slot sent
                c.1.0  3 B  text  "y"
              c.2  22 B  component 2: copy of component 1 before this update, 1 slot sent
                c.2.s  2 B  statics and slots of component 1, before this update
                c.2.r  1 B  flag: the fragment is one element
                c.2.0  3 B  text  "z"
              c.3  21 B  component 3: copy of component 2 in this update, 1 slot sent
                c.3.s  1 B  statics and slots of component 2, in this update
                c.3.r  1 B  flag: the fragment is one element
                c.3.0  3 B  text  "w"
          """)
  }

  @Test func `templates and their uses`() throws {
    #expect(
      try explain(
        #"{"s":["<div>","</div>"],"0":""}"#,
        #"{"0":{"s":0,"0":{"s":1,"0":"x"}},"p":{"0":["<p>","</p>"],"1":["<b>","</b>"]}}"#) == """
          diff  77 B  diff: 1 slot
            0  27 B  fragment sent whole: 1 slot  → + 3
              0.s  1 B  statics: template 0
              0.0  15 B  fragment sent whole: 1 slot
                0.0.s  1 B  statics: template 1
                0.0.0  3 B  text  "x"
            p  39 B  2 templates
              p.0  14 B  template 0: 2 strings  ["<p>","</p>"]
              p.1  14 B  template 1: 2 strings  ["<b>","</b>"]
          """)
  }

  @Test func `a stream: inserts with their places, a delete and a reset`() throws {
    let rendered =
      #"{"s":["<ul id=\"songs\" phx-update=\"stream\">","</ul>"],"0":{"s":["<li id=\"","\">","</li>"],"k":{"0":{"0":"songs-1","1":"a"},"kc":1},"stream":["0",[["songs-1",-1,null,false]],[]]}}"#
    #expect(
      try explain(
        rendered,
        #"{"0":{"k":{"0":{"0":"songs-9","1":"b"},"1":{"0":"songs-8","1":"c"},"kc":2},"stream":["0",[["songs-9",0,null,false],["songs-8",-1,-5,true]],["songs-1"]]}}"#
      )
        == """
        diff  153 B  diff: 1 slot
          0  147 B  stream: 2 inserts, 1 delete
            0.k  64 B  by id: 2 of 2 entries sent
              0.k.0  23 B  new entry 0: 2 slots sent  → + 5
                0.k.0.0  9 B  text  "songs-9"
                0.k.0.1  3 B  text  "b"
              0.k.1  23 B  entry 1: 2 slots sent  ! sent without effect
                0.k.1.0  9 B  text  "songs-8"
                0.k.1.1  3 B  text  "c"
              0.k.kc  1 B  number of entries after the update: 2
            0.stream  67 B  stream: 2 inserts, 1 delete  → - 3, + 5
              0.stream.1.0  24 B  stream insert #songs-9 at 0
              0.stream.1.1  22 B  stream insert #songs-8 at the end, limit -5, update only
              0.stream.2.0  9 B  stream delete #songs-1
        """)
    #expect(
      try explain(rendered, #"{"0":{"k":{"kc":0},"stream":["0",[],[],true]}}"#) == """
        diff  46 B  diff: 1 slot
          0  40 B  stream: reset
            0.k  8 B  by id: no entries are left
              0.k.kc  1 B  number of entries after the update: 0
            0.stream  16 B  stream: reset  → - 3
              0.stream.3  4 B  reset of the stream: items that are not inserted again are removed
        """)
  }

  @Test func `an empty diff, white space around it, and unknown keys`() throws {
    #expect(try explain(#"{"s":["<p>","</p>"],"0":"0"}"#, "{}") == "diff  2 B  diff: nothing")
    #expect(
      try explain(#"{"s":["<p>","</p>"],"0":"0"}"#, #" { "0" : "1", "zz" : [ 1 ] } "#) == """
        diff  27 B  diff: 1 slot
          0  3 B  text  "1"  → ~ 3
          zz  5 B  unknown key, ignored  [ 1 ]
        """)
  }
}
