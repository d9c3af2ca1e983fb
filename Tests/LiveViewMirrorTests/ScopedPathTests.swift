import DocumentInvariants
import LiveViewMirror
import MarkupDocument
import RecordingFixtures
import Testing

/// The diffs that are scoped updates, and the exact changes that they make.
@Suite struct ScopedPathTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var mount: String
    var diff: String
    var lines: [String]
    var testDescription: String { name }

    init(_ name: String, _ mount: String, _ diff: String, _ lines: [String]) {
      self.name = name
      self.mount = mount
      self.diff = diff
      self.lines = lines
    }
  }

  static let texts: [Case] = [
    Case(
      "a text", #"{"0":"1","s":["<p>Count: ","</p>"]}"#, #"{"0":"2"}"#,
      [#"text 3 in 2: "Count: 1" → "Count: 2" by 0"#]),
    Case("a text that becomes empty", #"{"0":"1","s":["<p>","</p>"]}"#, #"{"0":""}"#, ["remove 3 text (1) 2[0] by 0"]),
    Case("a text in an empty slot", #"{"0":"","s":["<p>","</p>"]}"#, #"{"0":"a"}"#, ["add 3 text (1) 2[0] by 0"]),
    Case("an unchanged text", #"{"0":"a","s":["<p>","</p>"]}"#, #"{"0":"a"}"#, []),
    Case(
      "a text with a character reference", #"{"0":"a","s":["<p>","</p>"]}"#, #"{"0":"a &amp; b"}"#,
      [#"text 3 in 2: "a" → "a & b" by 0"#]),
    Case(
      "one of three slots of a text", #"{"0":"a","1":"b","2":"c","s":["<p>",", ","","</p>"]}"#, #"{"1":"B"}"#,
      [#"text 3 in 2: "a, bc" → "a, Bc" by 1"#]),
    Case(
      "two slots of one text", #"{"0":"a","1":"b","s":["<p>",", ","</p>"]}"#, #"{"0":"A","1":"B"}"#,
      [#"text 3 in 2: "a, b" → "A, B" by 0 1"#]),
    Case(
      "a text between elements", #"{"0":"a","1":"b","s":["<p><i></i>","<b></b>","<u></u></p>"]}"#,
      #"{"0":"","1":"B"}"#, ["remove 4 text (1) 2[1] by 0", #"text 6 in 2: "b" → "B" by 1"#]),
    Case(
      "a text at the top of the page", #"{"0":"a","s":["","<p></p>"]}"#, #"{"0":"b"}"#,
      [#"text 2 in 1: "a" → "b" by 0"#]),
    Case(
      "a text in a text field", #"{"0":"a","s":["<textarea>","</textarea>"]}"#, #"{"0":"b"}"#,
      [#"text 3 in 2: "a" → "b" by 0"#]),
  ]

  static let attributes: [Case] = [
    Case(
      "an attribute's value", #"{"0":"a","1":"x","s":["<p class=\"","\">","</p>"]}"#, #"{"0":"b"}"#,
      [#"attributes 2 <p> class: "a" → "b" by 0"#]),
    Case(
      "an attribute as a whole", #"{"0":" hidden","1":"x","s":["<p","><b>","</b></p>"]}"#, #"{"0":""}"#,
      [#"attributes 2 <p> hidden: "" → none by 0"#]),
    Case(
      "two slots of one tag", #"{"0":"a","1":"b","s":["<p class=\""," ","\"></p>"]}"#, #"{"0":"c","1":"d"}"#,
      [#"attributes 2 <p> class: "a b" → "c d" by 0 1"#]),
    Case(
      "an attribute and a text", #"{"0":"a","1":"x","s":["<p class=\"","\">","</p>"]}"#, #"{"0":"b","1":"y"}"#,
      [#"attributes 2 <p> class: "a" → "b" by 0"#, #"text 3 in 2: "x" → "y" by 1"#]),
    Case(
      "an id, so another element", #"{"0":"a","1":"x","s":["<div><p id=\"","\">","</p><hr></div>"]}"#, #"{"0":"b"}"#,
      ["remove 3 <p#a> (2) 2[0] by 0", "add 6 <p#b> (2) 2[0] by 0"]),
    Case(
      "an attribute in a fragment", #"{"0":{"0":"a","s":["<i class=\"","\"></i>"]},"s":["<p>","</p>"]}"#,
      #"{"0":{"0":"b"}}"#, [#"attributes 3 <i> class: "a" → "b" by 0.0"#]),
  ]

  /// An empty slot between siblings with children. Nodes: `div` 2, `nav` 3 to 7, and `main` 8 to
  /// 12.
  static let siblings =
    #"{"0":"","s":["<div><nav><a>1</a><a>2</a></nav>","<main><p>3</p><p>4</p></main></div>"]}"#
  /// A slot with a conditional block. Nodes: `p` 2, `em` 3 and its text 4, `b` 5.
  static let block = #"{"0":{"0":"a","s":["<em>","</em>"]},"s":["<p>","<b></b></p>"]}"#
  static let pair = #"{"0":{"s":["<i></i>"]},"1":"","2":{"s":["<u></u>"]},"s":["<div>","<hr>","<br>","</div>"]}"#

  static let blocks: [Case] = [
    Case(
      "a block inserted between siblings with children", siblings, #"{"0":{"0":"x","s":["<em>","</em>"]}}"#,
      ["add 13 <em> (2) 2[1] by 0"]),
    Case("a block removed", block, #"{"0":""}"#, ["remove 3 <em> (2) 2[0] by 0"]),
    Case(
      "a block replaced by a block with another tag", block, #"{"0":{"0":"a","s":["<i>","</i>"]}}"#,
      ["remove 3 <em> (2) 2[0] by 0", "add 6 <i> (2) 2[0] by 0"]),
    Case(
      "a block replaced by a block with the same tag", block, #"{"0":{"0":"b","s":["<em class=\"x\">","!</em>"]}}"#,
      [#"attributes 3 <em> class: none → "x" by 0"#, #"text 4 in 3: "a" → "b!" by 0"#]),
    Case("a text in a block", block, #"{"0":{"0":"b"}}"#, [#"text 4 in 3: "a" → "b" by 0.0"#]),
    Case(
      "inserted, replaced and removed blocks", pair, #"{"0":"","1":{"s":["<em></em>"]},"2":{"s":["<b></b>"]}}"#,
      [
        "remove 3 <i> (1) 2[0] by 0", "add 7 <em> (1) 2[1] by 1", "remove 6 <u> (1) 2[3] by 2",
        "add 8 <b> (1) 2[3] by 2",
      ]),
    Case(
      "an element added to a block, and a block removed", pair, #"{"0":{"s":["<i></i><i></i>"]},"2":""}"#,
      ["add 7 <i> (1) 2[1] by 0", "remove 6 <u> (1) 2[3] by 2"]),
    Case(
      "a block with a text beside it", #"{"0":{"s":["<b></b>"]},"1":"a","s":["<p>","","</p>"]}"#,
      #"{"0":{"s":["<i></i>"]}}"#, ["remove 3 <b> (1) 2[0] by 0", "add 5 <i> (1) 2[0] by 0"]),
  ]

  /// Nodes: `ul` 2; `li` 3, 5, 7 and 9 with one text each.
  static let list = #"""
    {"0":{"k":{"0":{"0":"a"},"1":{"0":"b"},"2":{"0":"c"},"3":{"0":"d"},"kc":4},"s":["<li>","</li>"]},
     "s":["<ul>","</ul>"]}
    """#
  static let spaced = list.replacing(#"["<li>","</li>"]"#, with: #"["\n <li>","</li>\n"]"#)
  static let framed = list.replacing(#"["<ul>","</ul>"]"#, with: #"["<ul><li>first</li>","<li>last</li></ul>"]"#)
  /// Nodes: `ul` 2; `li` 3 with `b` 4 and 6; `li` 8 with `b` 9 and 11.
  static let nested = #"""
    {"0":{"k":{"0":{"0":{"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2},"s":["<b>","</b>"]}},
     "1":{"0":{"k":{"0":{"0":"c"},"1":{"0":"d"},"kc":2},"s":["<b>","</b>"]}},"kc":2},"s":["<li>","</li>"]},
     "s":["<ul>","</ul>"]}
    """#
  static let rows = #"{"0":{"d":[["a"],["b"],["c"]],"s":["<li>","</li>"]},"s":["<ul>","</ul>"]}"#

  static let lists: [Case] = [
    Case(
      "an entry inserted at the end", list, #"{"0":{"k":{"4":{"0":"e"},"kc":5}}}"#, ["add 11 <li> (2) 2[4] by 0.k.4"]),
    Case(
      "an entry inserted at the beginning", list, #"{"0":{"k":{"0":{"0":"n"},"1":0,"2":1,"3":2,"4":3,"kc":5}}}"#,
      ["add 11 <li> (2) 2[0] by 0.k.0"]),
    Case(
      "an entry inserted in the middle", list, #"{"0":{"k":{"2":{"0":"n"},"3":2,"4":3,"kc":5}}}"#,
      ["add 11 <li> (2) 2[2] by 0.k.2"]),
    Case(
      "an entry removed at the end", list, #"{"0":{"k":{"kc":3}}}"#, ["remove 9 <li> (2) 2[3] by 0.k.kc"]),
    Case(
      "an entry removed in the middle", list, #"{"0":{"k":{"1":2,"2":3,"kc":3}}}"#,
      ["remove 5 <li> (2) 2[1] by 0.k.1 0.k.kc"]),
    Case(
      "two entries that swap", list, #"{"0":{"k":{"0":3,"3":0,"kc":4}}}"#,
      ["move 9 <li> 2[3] → 2[0] by 0.k.0", "move 3 <li> 2[0] → 2[3] by 0.k.3"]),
    Case(
      "the last entry moved to the front", list, #"{"0":{"k":{"0":3,"1":0,"2":1,"3":2,"kc":4}}}"#,
      ["move 9 <li> 2[3] → 2[0] by 0.k.0"]),
    Case(
      "the first entry moved to the end", list, #"{"0":{"k":{"0":1,"1":2,"2":3,"3":0,"kc":4}}}"#,
      ["move 3 <li> 2[0] → 2[3] by 0.k.3"]),
    Case(
      "all entries reversed", list, #"{"0":{"k":{"0":3,"1":2,"2":1,"3":0,"kc":4}}}"#,
      [
        "move 9 <li> 2[3] → 2[0] by 0.k.0", "move 7 <li> 2[2] → 2[1] by 0.k.1", "move 5 <li> 2[1] → 2[2] by 0.k.2",
      ]),
    Case(
      "an entry that moves and changes", list, #"{"0":{"k":{"0":[3,{"0":"D"}],"1":0,"2":1,"3":2,"kc":4}}}"#,
      ["move 9 <li> 2[3] → 2[0] by 0.k.0", #"text 10 in 9: "d" → "D" by 0.k.0.1.0"#]),
    Case(
      "two entries swap, two are removed and one is inserted", list, #"{"0":{"k":{"0":2,"1":{"0":"n"},"2":1,"kc":3}}}"#,
      [
        "remove 3 <li> (2) 2[0] by 0.k.0 0.k.kc", "remove 9 <li> (2) 2[3] by 0.k.kc",
        "move 7 <li> 2[2] → 2[0] by 0.k.0", "add 11 <li> (2) 2[1] by 0.k.1",
      ]),
    Case(
      "a list between elements", framed, #"{"0":{"k":{"0":{"0":"n"},"1":0,"2":1,"3":2,"4":3,"kc":5}}}"#,
      ["add 15 <li> (2) 2[1] by 0.k.0"]),
    Case(
      "a list that becomes empty", list, #"{"0":{"k":{"kc":0}}}"#,
      [
        "remove 3 <li> (2) 2[0] by 0.k.kc", "remove 5 <li> (2) 2[1] by 0.k.kc", "remove 7 <li> (2) 2[2] by 0.k.kc",
        "remove 9 <li> (2) 2[3] by 0.k.kc",
      ]),
    Case(
      "a list that was empty", #"{"0":{"k":{"kc":0},"s":["<li>","</li>"]},"s":["<ul>","</ul>"]}"#,
      #"{"0":{"k":{"0":{"0":"a"},"kc":1}}}"#, ["add 3 <li> (2) 2[0] by 0.k.0"]),
    Case(
      "entries with white space at their edges: a change", spaced, #"{"0":{"k":{"1":{"0":"B"},"kc":4}}}"#,
      [#"text 8 in 7: "b" → "B" by 0.k.1.0"#]),
    Case(
      "entries with white space at their edges: one added at the beginning", spaced,
      #"{"0":{"k":{"0":{"0":"n"},"1":0,"2":1,"3":2,"4":3,"kc":5}}}"#,
      [
        "add 16 <li> (2) 2[1] by 0.k.0", "add 18 text (1) 2[2] by 0.k.1",
      ]),
    Case(
      "entries with white space at their edges: one added at the end", spaced, #"{"0":{"k":{"4":{"0":"e"},"kc":5}}}"#,
      [
        "add 16 <li> (2) 2[9] by 0.k.4", "add 18 text (1) 2[10] by 0.k.4",
        #"text 15 in 2: "\n" → "\n\n " by 0.k.4"#,
      ]),
    Case(
      "entries with white space at their edges: two that swap", spaced, #"{"0":{"k":{"1":2,"2":1,"kc":4}}}"#,
      [
        "remove 12 text (1) 2[6] by 0.k.2", "move 10 <li> 2[5] → 2[3] by 0.k.1", "add 16 text (1) 2[4] by 0.k.2",
      ]),
    Case(
      "entries with white space at their edges: one removed", spaced, #"{"0":{"k":{"1":2,"2":3,"kc":3}}}"#,
      ["remove 7 <li> (2) 2[3] by 0.k.1 0.k.kc", "remove 9 text (1) 2[4] by 0.k.2 0.k.kc"]),
    Case(
      "entries of a text and an element", list.replacing(#"["<li>","</li>"]"#, with: #"["- <b>","</b>"]"#),
      #"{"0":{"k":{"1":2,"2":3,"kc":3}}}"#,
      ["remove 7 <b> (2) 2[3] by 0.k.1 0.k.kc", "remove 9 text (1) 2[4] by 0.k.2 0.k.kc"]),
    Case(
      "entries of two elements that swap",
      list.replacing(#"["<li>","</li>"]"#, with: #"["<dt>","</dt><dd></dd>"]"#), #"{"0":{"k":{"0":1,"1":0,"kc":4}}}"#,
      ["move 6 <dt> 2[2] → 2[0] by 0.k.0", "move 8 <dd> 2[3] → 2[1] by 0.k.0"]),
    Case(
      "entries of texts alone", list.replacing(#"["<li>","</li>"]"#, with: #"["",", "]"#),
      #"{"0":{"k":{"0":1,"1":0,"kc":4}}}"#, [#"text 3 in 2: "a, b, c, d, " → "b, a, c, d, " by 0.k.0 0.k.1"#]),
    Case(
      "two lists side by side",
      #"""
      {"0":{"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2},"s":["<li>","</li>"]},
       "1":{"k":{"0":{"0":"c"},"1":{"0":"d"},"kc":2},"s":["<li>","</li>"]},"s":["<ul>","","</ul>"]}
      """#, #"{"0":{"k":{"0":{"0":"n"},"1":0,"2":1,"kc":3}},"1":{"k":{"0":1,"1":0,"kc":2}}}"#,
      ["add 11 <li> (2) 2[0] by 0.k.0", "move 7 <li> 2[2] → 2[4] by 1.k.1"]),
    Case(
      "a list and a block beside it",
      #"""
      {"0":{"s":["<li>x</li>"]},"1":{"k":{"0":{"0":"c"},"1":{"0":"d"},"kc":2},"s":["<li>","</li>"]},
       "s":["<ul>","<li></li>","</ul>"]}
      """#, #"{"0":"","1":{"k":{"0":1,"1":0,"2":{"0":"e"},"kc":3}}}"#,
      ["remove 3 <li> (2) 2[0] by 0", "move 8 <li> 2[3] → 2[1] by 1.k.0", "add 10 <li> (2) 2[3] by 1.k.2"]),
    Case(
      "a text in an entry of an inner list", nested, #"{"0":{"k":{"1":{"0":{"k":{"0":{"0":"C"},"kc":2}}},"kc":2}}}"#,
      [
        #"text 10 in 9: "c" → "C" by 0.k.1.0.k.0.0"#
      ]),
    Case(
      "entries of an inner list that swap", nested, #"{"0":{"k":{"1":{"0":{"k":{"0":1,"1":0,"kc":2}}},"kc":2}}}"#,
      [
        "move 11 <b> 8[1] → 8[0] by 0.k.1.0.k.0"
      ]),
    Case(
      "entries that swap, and the entries of an inner list too", nested,
      #"{"0":{"k":{"0":[1,{"0":{"k":{"0":1,"1":0,"kc":2}}}],"1":0,"kc":2}}}"#,
      ["move 8 <li> 2[1] → 2[0] by 0.k.0", "move 11 <b> 8[1] → 8[0] by 0.k.0.1.0.k.0"]),
    Case("1.0: a row changed", rows, #"{"0":{"d":[["a"],["B"],["c"]]}}"#, [#"text 6 in 5: "b" → "B" by 0.d.1.0"#]),
    Case("1.0: a row added", rows, #"{"0":{"d":[["a"],["b"],["c"],["d"]]}}"#, ["add 9 <li> (2) 2[3] by 0.d.3"]),
    Case("1.0: a row removed", rows, #"{"0":{"d":[["a"],["b"]]}}"#, ["remove 7 <li> (2) 2[2] by 0.d"]),
  ]

  /// Nodes: `p` 2, the component's `i` 3 and its text 4, `u` 5.
  static let component =
    #"{"0":1,"1":"","s":["<p>","<u></u>","</p>"],"c":{"1":{"0":"a","1":"x","s":["<i class=\"","\">","</i>"]}}}"#
  /// Nodes: `ul` 2 with `li` 3 and 5, `p` 7.
  static let stream = #"""
    {"0":{"k":{"0":{"0":"a","1":"A"},"1":{"0":"b","1":"B"},"kc":2},"s":["<li id=\"","\">","</li>"],
     "stream":["0",[["a",-1,null],["b",-1,null]],[]]},"1":"x","s":["<ul id=\"l\" phx-update=\"stream\">","</ul><p>","</p>"]}
    """#

  static let others: [Case] = [
    Case("a component's text", component, #"{"c":{"1":{"1":"y"}}}"#, [#"text 4 in 3: "x" → "y" by c.1.1"#]),
    Case("a component's tag", component, #"{"c":{"1":{"0":"b"}}}"#, [#"attributes 3 <i> class: "a" → "b" by c.1.0"#]),
    Case(
      "a component and a slot beside it", component, #"{"1":"t","c":{"1":{"1":"y"}}}"#,
      [#"add 6 text (1) 2[2] by 1"#, #"text 4 in 3: "x" → "y" by c.1.1"#]),
    Case(
      "a new component", component, #"{"1":2,"c":{"2":{"0":"n","s":["<b>","</b>"]}}}"#, ["add 6 <b> (2) 2[2] by 1"]),
    Case("a component removed", component, #"{"0":""}"#, ["remove 3 <i> (2) 2[0] by 0"]),
    Case(
      "a component sent whole", component, #"{"c":{"1":{"0":"n","s":["<b>","</b>"]}}}"#,
      ["remove 3 <i> (2) 2[0] by c.1", "add 6 <b> (2) 2[0] by c.1"]),
    Case(
      "an item inserted into a stream", stream,
      #"{"0":{"k":{"0":{"0":"c","1":"C"},"kc":1},"stream":["0",[["c",0,null]],[]]}}"#,
      ["add 9 <li#c> (2) 2[0] by 0.stream 0.k.0"]),
    Case(
      "an item of a stream changed", stream,
      #"{"0":{"k":{"0":{"0":"a","1":"new"},"kc":1},"stream":["0",[["a",-1,null]],[]]}}"#,
      [#"text 4 in 3: "A" → "new" by 0.k.0"#]),
    Case(
      "an item deleted from a stream", stream, #"{"0":{"k":{"kc":0},"stream":["0",[],["a"]]}}"#,
      ["remove 3 <li#a> (2) 2[0] by 0.stream"]),
    Case("a text beside a stream", stream, #"{"1":"y"}"#, [#"text 8 in 7: "x" → "y" by 1"#]),
  ]

  static let native: [Case] = [
    Case(
      "native: a text", #"{"0":"a","s":["<VStack><Text>","</Text></VStack>"]}"#, #"{"0":"b"}"#,
      [#"text 4 in 3: "a" → "b" by 0"#]),
    Case(
      "native: an attribute", #"{"0":"red","s":["<Text foregroundStyle=\"","\"/>"]}"#, #"{"0":"blue"}"#,
      [#"attributes 2 <Text> foregroundStyle: "red" → "blue" by 0"#]),
    Case(
      "native: entries that swap",
      #"{"0":{"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2},"s":["<Text>","</Text>"]},"s":["<List>","</List>"]}"#,
      #"{"0":{"k":{"0":1,"1":0,"kc":2}}}"#, ["move 5 <Text> 2[1] → 2[0] by 0.k.0"]),
    Case(
      "native: a block", #"{"0":"","s":["<VStack><Spacer/>","<Spacer/></VStack>"]}"#,
      #"{"0":{"s":["<Image name=\"a\"/>"]}}"#, ["add 5 <Image> (1) 2[1] by 0"]),
  ]

  @Test(arguments: texts + attributes + blocks + lists + others)
  func `each diff is a scoped update with exactly the listed changes`(change: Case) throws { try check(change, .html) }

  @Test(arguments: native)
  func `each native diff is a scoped update with exactly the listed changes`(change: Case) throws {
    try check(change, .native)
  }

  private func check(_ change: Case, _ dialect: Dialect) throws {
    let view = try LiveViewCoordinator.mounted(change.mount, dialect: dialect)
    let record = try view.update(change.diff)
    #expect(record.path == .scoped)
    #expect(record.lines == change.lines)
    // After the diff, positions and sizes must still be right for another one.
    #expect(OraclePair.expectSame(change.mount, change.diff, "{}", dialect: dialect) == .scoped)
  }

  @Test(arguments: permutations(of: [0, 1, 2, 3, 4]))
  func `a reordered list moves as few entries as possible`(order: [Int]) throws {
    let entries = (0..<5).map { "\"\($0)\":{\"0\":\"\($0)\"}" }.joined(separator: ",")
    let view = try LiveViewCoordinator.mounted(
      #"{"0":{"k":{\#(entries),"kc":5},"s":["<li>","</li>"]},"s":["<ul><li></li>","</ul>"]}"#)
    let moves = order.enumerated().filter { $0 != $1 }.map { "\"\($0)\":\($1)," }.joined()
    let record = try view.update(#"{"0":{"k":{\#(moves)"kc":5}}}"#)
    #expect(record.path == .scoped)
    #expect(record.changeSet.changes.allSatisfy { if case .move = $0 { true } else { false } })
    #expect(record.changeSet.changes.count == 5 - order.longestRise)
    #expect(view.markup == "<ul><li></li>\(order.map { "<li>\($0)</li>" }.joined())</ul>")
    #expect(view.document?.checkInvariants() == [])
  }

  private static func permutations(of items: [Int]) -> [[Int]] {
    if items.count < 2 { return [items] }
    return items.flatMap { item in permutations(of: items.filter { $0 != item }).map { [item] + $0 } }
  }
}
