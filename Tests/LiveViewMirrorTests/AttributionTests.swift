import LiveViewMirror
import MarkupDocument
import Testing

/// Which slots of a diff caused which change, and which slots were sent without effect. The
/// expected values are written by hand.
@Suite struct AttributionTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var mount: String
    var diff: String
    var lines: [String]
    var waste: [String] = []
    var bytes = 0
    var testDescription: String { name }
  }

  /// `ul` 2; the entries are `li` 3, 5 and 7 with a text each.
  static let list =
    #"{"0":{"k":{"0":{"0":"a"},"1":{"0":"b"},"2":{"0":"c"},"kc":3},"s":["<li>","</li>"]},"s":["<ul>","</ul>"]}"#
  /// The same in the wire of LiveView 1.0.
  static let plainList = #"{"0":{"d":[["a"],["b"],["c"]],"s":["<li>","</li>"]},"s":["<ul>","</ul>"]}"#
  /// `div` 2 with a class, `p` 3 with text 4, and a slot for a conditional block.
  static let counter = #"{"0":" class=\"x\"","1":"1","2":"","s":["<div","><p>Count: ","</p>","</div>"]}"#

  /// `p` 2, `b` 3 with text 4, `small` 5 with text 6, `i` 7 with text 8.
  static let small =
    #"{"0":" class=\"x\"","1":"b","2":{"0":"2","s":["<small>","</small>"]},"3":"i","s":["<p","><b>","</b>","<i>","</i></p>"]}"#
  /// `ul` 2; the entries are `li` 3, 5 and 7 with an id and a text each.
  static let ids =
    #"{"0":{"k":{"0":{"0":"a","1":"A"},"1":{"0":"b","1":"B"},"2":{"0":"c","1":"C"},"kc":3},"s":["<li id=\"","\">","</li>"]},"s":["<ul>","</ul>"]}"#

  static let cases: [Case] = [
    Case(
      name: "counter text", mount: counter, diff: #"{"1":"2"}"#,
      lines: [#"text 4 in 3: "Count: 1" → "Count: 2" by 1"#]),
    Case(
      name: "attribute slot", mount: counter, diff: #"{"0":" class=\"y\""}"#,
      lines: [#"attributes 2 <div> class: "x" → "y" by 0"#]),
    Case(
      name: "attribute slot that becomes empty", mount: counter, diff: #"{"0":""}"#,
      lines: [#"attributes 2 <div> class: "x" → none by 0"#]),
    Case(
      name: "attribute and text at once", mount: counter, diff: #"{"0":" id=\"y\"","1":"2"}"#,
      lines: ["remove 2 <div> (3) 1[0] by 0", "add 5 <div#y> (3) 1[0] by 0"]),
    Case(
      name: "attribute and text at once, the element the same", mount: counter, diff: #"{"0":" class=\"y\"","1":"2"}"#,
      lines: [#"attributes 2 <div> class: "x" → "y" by 0"#, #"text 4 in 3: "Count: 1" → "Count: 2" by 1"#]),
    Case(
      name: "unchanged text resent", mount: counter, diff: #"{"1":"1"}"#, lines: [], waste: ["1"], bytes: 3),
    Case(
      name: "one changed, one resent", mount: counter, diff: #"{"0":" class=\"x\"","1":"2"}"#,
      lines: [#"text 4 in 3: "Count: 1" → "Count: 2" by 1"#], waste: ["0"], bytes: 14),
    Case(
      name: "conditional block appearing", mount: counter, diff: #"{"2":{"0":"!","s":["<b>","</b>"]}}"#,
      lines: ["add 5 <b> (2) 2[1] by 2"]),
    Case(
      name: "keyed insert", mount: list, diff: #"{"0":{"k":{"3":{"0":"d"},"kc":4}}}"#,
      lines: ["add 9 <li> (2) 2[3] by 0.k.3"]),
    Case(
      name: "keyed delete at the end", mount: list, diff: #"{"0":{"k":{"kc":2}}}"#,
      lines: ["remove 7 <li> (2) 2[2] by 0.k.kc"]),
    Case(
      name: "keyed delete in the middle", mount: list, diff: #"{"0":{"k":{"1":2,"kc":2,"km":true}}}"#,
      lines: ["remove 5 <li> (2) 2[1] by 0.k.1 0.k.kc"]),
    Case(
      name: "first entry of a list without keys removed", mount: list,
      diff: #"{"0":{"k":{"0":{"0":"b"},"1":{"0":"c"},"kc":2}}}"#,
      lines: [
        "remove 7 <li> (2) 2[2] by 0.k.kc", #"text 4 in 3: "a" → "b" by 0.k.0.0"#,
        #"text 6 in 5: "b" → "c" by 0.k.1.0"#,
      ]),
    Case(
      name: "an element removed beside changed slots", mount: small,
      diff: #"{"0":" class=\"y\"","1":"B","2":"","3":"I"}"#,
      lines: [
        #"attributes 2 <p> class: "x" → "y" by 0"#, "remove 5 <small> (2) 2[1] by 2", #"text 4 in 3: "b" → "B" by 1"#,
        #"text 8 in 7: "i" → "I" by 3"#,
      ]),
    Case(
      name: "one of two neighbours removed",
      mount: #"{"0":{"s":["<b></b>"]},"1":{"s":["<i></i>"]},"s":["<p>","","</p>"]}"#,
      diff: #"{"0":"","1":{"s":["<u></u>"]}}"#,
      lines: ["remove 3 <b> (1) 2[0] by 0", "remove 4 <i> (1) 2[1] by 1", "add 5 <u> (1) 2[0] by 1"]),
    Case(
      name: "ids that move up in a list without keys", mount: ids,
      diff: #"{"0":{"k":{"0":{"0":"b","1":"B"},"1":{"0":"c","1":"C"},"kc":2}}}"#,
      lines: ["remove 3 <li#a> (2) 2[0] by 0.k.0.0"]),
    Case(
      name: "a component removed and another one shown",
      mount: #"{"0":1,"s":["<p>","</p>"],"c":{"1":{"s":["<i></i>"]}}}"#,
      diff: #"{"0":2,"c":{"2":{"s":["<u></u>"]}}}"#,
      lines: ["remove 3 <i> (1) 2[0] by 0", "add 4 <u> (1) 2[0] by 0"]),
    Case(
      name: "a comment removed and added", mount: #"{"0":"a","1":"b","s":["<p>","<!-- ","--></p>"]}"#,
      diff: #"{"0":"A","1":"B"}"#,
      lines: [#"text 3 in 2: "a" → "A" by 0"#, #"text 4 in 2: " b" → " B" by 1"#]),
    Case(
      name: "two attributes, of which the element keeps one",
      mount: #"{"0":"a","1":"b","s":["<p id=\"p\" phx-update=\"ignore\" class=\"","\" data-x=\"","\"></p>"]}"#,
      diff: #"{"0":"A","1":"B"}"#, lines: [#"attributes 2 <p> data-x: "b" → "B" by 1"#]),
    Case(
      name: "keyed move", mount: list, diff: #"{"0":{"k":{"0":2,"1":0,"2":1,"kc":3,"km":true}}}"#,
      lines: ["move 7 <li> 2[2] → 2[0] by 0.k.0"]),
    Case(
      name: "keyed change", mount: list, diff: #"{"0":{"k":{"1":{"0":"B"},"kc":3}}}"#,
      lines: [#"text 6 in 5: "b" → "B" by 0.k.1.0"#]),
    Case(
      name: "keyed move and change", mount: list,
      diff: #"{"0":{"k":{"0":[2,{"0":"C"}],"1":0,"2":1,"kc":3,"km":true}}}"#,
      lines: ["move 7 <li> 2[2] → 2[0] by 0.k.0", #"text 8 in 7: "c" → "C" by 0.k.0.1.0"#]),
    Case(
      name: "keyed entry resent", mount: list, diff: #"{"0":{"k":{"1":{"0":"b"},"kc":3}}}"#,
      lines: [], waste: ["0.k.1.0"], bytes: 3),
    Case(
      name: "list resent unchanged in 1.0", mount: plainList, diff: #"{"0":{"d":[["a"],["b"],["c"]]}}"#,
      lines: [], waste: ["0.d.0.0", "0.d.1.0", "0.d.2.0"], bytes: 9),
    Case(
      name: "one entry changed in 1.0", mount: plainList, diff: #"{"0":{"d":[["a"],["B"],["c"]]}}"#,
      lines: [#"text 6 in 5: "b" → "B" by 0.d.1.0"#], waste: ["0.d.0.0", "0.d.2.0"], bytes: 6),
    Case(
      name: "one entry more in 1.0", mount: plainList, diff: #"{"0":{"d":[["a"],["b"],["c"],["d"]]}}"#,
      lines: ["add 9 <li> (2) 2[3] by 0.d.3"], waste: ["0.d.0.0", "0.d.1.0", "0.d.2.0"], bytes: 9),
    Case(
      name: "one entry less in 1.0", mount: plainList, diff: #"{"0":{"d":[["a"],["b"]]}}"#,
      lines: ["remove 7 <li> (2) 2[2] by 0.d"], waste: ["0.d.0.0", "0.d.1.0"], bytes: 6),
    Case(
      name: "component text",
      mount: #"{"0":1,"s":["<p>","</p>"],"c":{"1":{"0":"a","1":"b","s":["<i>","</i><u>","</u>"]}}}"#,
      diff: #"{"c":{"1":{"0":"A"}}}"#, lines: [#"text 4 in 3: "a" → "A" by c.1.0"#]),
    Case(
      name: "component resent", mount: #"{"0":1,"s":["<p>","</p>"],"c":{"1":{"0":"a","s":["<i>","</i>"]}}}"#,
      diff: #"{"0":1,"c":{"1":{"0":"a"}}}"#, lines: [], waste: ["0", "c.1.0"], bytes: 4),
    Case(
      name: "text that becomes empty", mount: #"{"0":"a","1":"b","s":["<p>","</p><i>","</i>"]}"#,
      diff: #"{"0":"","1":"b"}"#,
      lines: ["remove 3 text (1) 2[0] by 0"], waste: ["1"], bytes: 3),
    Case(
      name: "text that comes", mount: #"{"0":"","s":["<p>","</p><i></i>"]}"#, diff: #"{"0":"a"}"#,
      lines: ["add 4 text (1) 2[0] by 0"]),
    Case(
      name: "neighbours: each change has its own slot",
      mount: #"{"0":"a","1":"b","2":"c","s":["<p>","</p><p>","</p><p>","</p>"]}"#,
      diff: #"{"0":"A","1":"B","2":"C"}"#,
      lines: [
        #"text 3 in 2: "a" → "A" by 0"#, #"text 5 in 4: "b" → "B" by 1"#, #"text 7 in 6: "c" → "C" by 2"#,
      ]),
    Case(
      name: "two slots in one text", mount: #"{"0":"a","1":"b","s":["<p>"," and ","</p>"]}"#,
      diff: #"{"0":"A","1":"B"}"#,
      lines: [#"text 3 in 2: "a and b" → "A and B" by 0 1"#]),
    Case(
      name: "a text beside an attribute slot", mount: #"{"0":"a","1":" x","s":["<p>","</p><i","></i>"]}"#,
      diff: #"{"0":"A","1":" y"}"#,
      lines: [#"text 3 in 2: "a" → "A" by 0"#, #"attributes 4 <i> x: "" → none, y: none → "" by 1"#]),
  ]

  @Test(arguments: cases)
  func `a change set names the changed slots and the waste`(change: Case) throws {
    let view = try LiveViewCoordinator.mounted(change.mount)
    let record = try view.update(change.diff)
    #expect(record.lines == change.lines)
    #expect(record.waste.slots == change.waste)
    #expect(record.waste.bytes == change.bytes)
  }

  @Test
  func `a removed conditional block names its slot as the cause`() throws {
    let view = try LiveViewCoordinator.mounted(Self.counter)
    try view.update(#"{"2":{"0":"!","s":["<b>","</b>"]}}"#)
    #expect(try view.update(#"{"2":""}"#).lines == ["remove 5 <b> (2) 2[1] by 2"])
  }

  @Test
  func `a conditional block that replaces another names its slot as the cause`() throws {
    let view = try LiveViewCoordinator.mounted(Self.counter)
    try view.update(#"{"2":{"0":"!","s":["<b>","</b>"]}}"#)
    let record = try view.update(#"{"2":{"0":"?","s":["<i>","</i>"]}}"#)
    #expect(record.lines == ["remove 5 <b> (2) 2[1] by 2", "add 7 <i> (2) 2[1] by 2"])
    #expect(record.waste.slots == [])
  }

  @Test
  func `10,000 texts removed by one diff are each attributed to their slot`() throws {
    let slots = (0..<10_000).map { #""\#($0)":"x""# }.joined(separator: ",")
    let statics = (["\"<b>\""] + Array(repeating: "\"</b><b>\"", count: 9_999) + ["\"</b>\""]).joined(separator: ",")
    let view = try LiveViewCoordinator.mounted("{\(slots),\"s\":[\(statics)]}")
    let record = try view.update("{\((0..<10_000).map { #""\#($0)":"""# }.joined(separator: ","))}")
    #expect(record.changeSet.changes.count == 10_000)
    #expect(record.slots == (0..<10_000).map { ["\($0)"] })
    #expect(record.waste.slots == [])
  }
}
