import RenderedTree
import Testing

/// The merge rules of LiveView's own client.
@Suite struct MergingTests {
  // MARK: - Keyed comprehensions

  /// `a b c d`, with a slot that changes and one that does not.
  static let list = #"""
    {"0":{"k":{"0":{"0":"a","1":"1"},"1":{"0":"b","1":"2"},"2":{"0":"c","1":"3"},"3":{"0":"d","1":"4"},"kc":4},"s":0},
     "p":{"0":["[","","]"]},"s":["",""]}
    """#

  struct Keyed: CustomTestStringConvertible, Sendable {
    var name: String
    var k: String
    var markup: String
    /// The serials of the entries afterwards; `nil` for a new entry.
    var serials: [Int?]
    var testDescription: String { name }
  }

  static let keyedForms: [Keyed] = [
    Keyed(name: "nothing", k: #""kc":4"#, markup: "[a1][b2][c3][d4]", serials: [0, 1, 2, 3]),
    Keyed(name: "change", k: #""1":{"1":"9"},"kc":4"#, markup: "[a1][b9][c3][d4]", serials: [0, 1, 2, 3]),
    Keyed(name: "swap", k: #""0":1,"1":0,"kc":4,"km":true"#, markup: "[b2][a1][c3][d4]", serials: [1, 0, 2, 3]),
    Keyed(
      name: "rotate, without km as in 1.1", k: #""0":3,"1":0,"2":1,"3":2,"kc":4"#, markup: "[d4][a1][b2][c3]",
      serials: [3, 0, 1, 2]),
    Keyed(
      name: "move and change", k: #""0":[2,{"1":"9"}],"2":[0,{"0":"A"}],"kc":4,"km":true"#, markup: "[c9][b2][A1][d4]",
      serials: [2, 1, 0, 3]),
    Keyed(name: "shrink", k: #""kc":1"#, markup: "[a1]", serials: [0]),
    Keyed(name: "become empty", k: #""kc":0"#, markup: "", serials: []),
    Keyed(
      name: "grow", k: #""4":{"0":"e","1":"5"},"5":{"0":"f","1":"6"},"kc":6"#, markup: "[a1][b2][c3][d4][e5][f6]",
      serials: [0, 1, 2, 3, nil, nil]),
    Keyed(
      name: "delete in the middle", k: #""1":2,"2":3,"kc":3,"km":true"#, markup: "[a1][c3][d4]", serials: [0, 2, 3]),
    Keyed(
      name: "delete the first and add one", k: #""0":1,"1":2,"2":3,"3":{"0":"e","1":"5"},"kc":4,"km":true"#,
      markup: "[b2][c3][d4][e5]", serials: [1, 2, 3, nil]),
    Keyed(
      name: "new over stale: the former entry has moved", k: #""0":{"0":"x","1":"0"},"4":0,"kc":5,"km":true"#,
      markup: "[x0][b2][c3][d4][a1]", serials: [nil, 1, 2, 3, 0]),
    Keyed(
      name: "new over stale: the former entry has moved and changed",
      k: #""0":{"0":"x","1":"0"},"1":[0,{"1":"9"}],"2":1,"kc":3,"km":true"#,
      markup: "[x0][a9][b2]", serials: [nil, 0, 1]),
    Keyed(
      name: "keys out of order", k: #""kc":4,"3":0,"km":true,"0":3"#, markup: "[d4][b2][c3][a1]", serials: [3, 1, 2, 0]),
  ]

  @Test(arguments: keyedForms)
  func `keyed k/kc/km all forms: entries are merged as in LiveView's client`(change: Keyed) throws {
    var tree = try Tree(Self.list)
    let before = tree.serials(ofSlot: 0)
    #expect(Set(before).count == 4)
    try tree.merge(#"{"0":{"k":{\#(change.k)}}}"#)
    #expect(try tree.markup == change.markup)
    let after = tree.serials(ofSlot: 0)
    #expect(after.map { before.firstIndex(of: $0) } == change.serials)
    #expect(Set(after).count == after.count)
  }

  @Test
  func `nested moves refer to the tree before the diff at every level`() throws {
    let inner = { (a: String, b: String) in #"{"k":{"0":{"0":"\#(a)"},"1":{"0":"\#(b)"},"kc":2},"s":["<",">"]}"# }
    var tree = try Tree(
      #"{"0":{"k":{"0":{"0":\#(inner("a", "b"))},"1":{"0":\#(inner("c", "d"))},"kc":2},"s":["(",")"]},"s":["",""]}"#)
    #expect(try tree.markup == "(<a><b>)(<c><d>)")
    try tree.merge(
      #"{"0":{"k":{"0":[1,{"0":{"k":{"0":1,"1":[0,{"0":"C"}],"kc":2,"km":true}}}],"1":[0,{"0":{"k":{"kc":1}}}],"kc":2,"km":true}}}"#
    )
    #expect(try tree.markup == "(<d><C>)(<a>)")
  }

  @Test
  func `an emptied list is filled again without statics`() throws {
    var tree = try Tree(Self.list)
    try tree.merge(#"{"0":{"k":{"kc":0}}}"#)
    try tree.merge(#"{"0":{"k":{"0":{"0":"x","1":"y"},"kc":1}}}"#)
    #expect(try tree.markup == "[xy]")
  }

  @Test
  func `a list of LiveView 1.0 is replaced by every diff without statics`() throws {
    var tree = try Tree(
      #"{"0":{"d":[["a",{"0":"1","s":0}],["b",""]],"p":{"0":["<",">"]},"s":["[","","]"]},"s":["",""]}"#)
    #expect(try tree.markup == "[a<1>][b]")
    let touched = try tree.merge(#"{"0":{"d":[["a",{"0":"2","s":0}],["b",""],["c",""]],"p":{"0":["<",">"]}}}"#)
    #expect(try tree.markup == "[a<2>][b][c]")
    #expect(touched == ["(0.d.0.0)", "0.d.0.1", "(0.d.1.0)", "(0.d.1.1)", "0.d.2"])
  }

  // MARK: - Templates

  @Test
  func `p at root: templates are shared by all fragments of an update`() throws {
    var tree = try Tree(#"{"0":"x","p":{"0":["<b>","</b>"]},"r":1,"s":0}"#)
    #expect(try tree.markup == "<b>x</b>")
    try tree.merge(#"{"0":{"0":"y","s":0},"p":{"0":["<i>","</i>"]}}"#)
    #expect(try tree.markup == "<b><i>y</i></b>")
  }

  @Test
  func `per-diff p: a template number is not valid in the next diff`() throws {
    var tree = try Tree(#"{"0":{"0":"a","s":0},"1":"","p":{"0":["<i>","</i>"]},"s":["","",""]}"#)
    try tree.merge(#"{"1":{"0":"b","s":0},"p":{"0":["<em>","</em>"]}}"#)
    #expect(try tree.markup == "<i>a</i><em>b</em>")
    #expect(
      throws: WireError.wrongShape(
        at: SlotPath([.index(1), .key("s")]), reason: "template 0 is not in the \"p\" of this update")
    ) {
      try tree.merge(#"{"1":{"0":"c","s":0}}"#)
    }
    try tree.merge(#"{"0":{"0":"A"}}"#)
    #expect(try tree.markup == "<i>A</i><em>b</em>")
  }

  // MARK: - Components

  @Test
  func `nested shared components: statics come from a new, an old or a copied component`() throws {
    var tree = try Tree(
      #"{"0":1,"1":"","2":"","s":["","","",""],"c":{"1":{"0":"a","1":2,"2":{"0":"n","s":["(",")"]},"s":["<",":",":",">"]},"2":{"0":"x","s":["{","}"]}}}"#
    )
    #expect(try tree.markup == "<a:{x}:(n)>")
    try tree.merge(
      #"{"1":3,"2":5,"c":{"3":{"0":"b","1":4,"2":{"0":"m"},"s":-1},"4":{"0":"y","s":-2},"5":{"0":"c","1":6,"2":{"0":"o"},"s":3},"6":{"0":"z","s":4}}}"#
    )
    #expect(try tree.markup == "<a:{x}:(n)><b:{y}:(m)><c:{z}:(o)>")
    // A copy is independent of its source.
    try tree.merge(#"{"c":{"3":{"2":{"0":"M"}},"1":{"0":"A"}}}"#)
    #expect(try tree.markup == "<A:{x}:(n)><b:{y}:(M)><c:{z}:(o)>")
  }

  @Test
  func `a negative reference copies the component before the diff, a positive one after it`() throws {
    let mount = #"{"0":1,"1":"","s":["","",""],"c":{"1":{"0":{"0":"a","s":["old ",""]},"s":["<",">"]}}}"#
    var tree = try Tree(mount)
    try tree.merge(#"{"1":2,"c":{"1":{"0":{"0":"a","s":["new ",""]}},"2":{"0":{"0":"b"},"s":-1}}}"#)
    #expect(try tree.markup == "<new a><old b>")
    tree = try Tree(mount)
    try tree.merge(#"{"1":2,"c":{"1":{"0":{"0":"a","s":["new ",""]}},"2":{"0":{"0":"b"},"s":1}}}"#)
    #expect(try tree.markup == "<new a><new b>")
  }

  @Test
  func `a list that a component inherits has entries of its own`() throws {
    var tree = try Tree(
      #"{"0":1,"1":"","s":["","",""],"c":{"1":{"0":{"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2},"s":["[","]"]},"s":["",""]}}}"#
    )
    try tree.merge(#"{"1":2,"c":{"2":{"0":{"k":{"0":{"0":"x"},"kc":1}},"s":-1}}}"#)
    #expect(try tree.markup == "[a][b][x]")
    let serials = tree.rendered.components.mapValues { component -> [Int] in
      guard case .comprehension(let list) = component.slots[0] else { return [] }
      return [list.list] + list.entries.map(\.serial)
    }
    #expect(Set(serials[1] ?? []).isDisjoint(with: serials[2] ?? []))
  }

  @Test
  func `cyclic s: components that take their statics from each other are refused`() throws {
    var tree = try Tree(Self.list)
    #expect(throws: MergeError.componentCycle(at: SlotPath([.key("c"), .index(3), .key("s")]), cids: [1, 2, 3, 1])) {
      try tree.merge(#"{"c":{"1":{"s":2},"2":{"s":3},"3":{"s":1}}}"#)
    }
  }

  @Test
  func `components that contain each other are refused`() throws {
    var tree = try Tree(#"{"0":1,"s":["",""],"c":{"1":{"0":"","s":["<",">"]}}}"#)
    #expect(throws: RenderError.componentCycle(at: SlotPath([.key("c"), .index(2), .index(0)]), cids: [1, 2, 1])) {
      try tree.merge(#"{"c":{"1":{"0":2},"2":{"0":1,"s":["",""]}}}"#)
    }
    #expect(try tree.markup == "<>")
  }

  @Test
  func `cids removed: components are removed, may be unknown and may come back`() throws {
    var tree = try Tree(#"{"0":1,"s":["",""],"c":{"1":{"0":"a","s":["<",">"]}}}"#)
    try tree.merge(#"{"0":""}"#)
    tree.remove([1, 7])
    #expect(tree.rendered.components.isEmpty)
    #expect(throws: MergeError.unknownComponent(at: SlotPath([.key("c"), .index(1)]), cid: 1)) {
      try tree.merge(#"{"c":{"1":{"0":"b"}}}"#)
    }
    try tree.merge(#"{"0":1,"c":{"1":{"0":"c","s":["{","}"]}}}"#)
    #expect(try tree.markup == "{c}")
  }

  @Test
  func `a root element keeps its number when its entry moves and gets a new one in a copy`() throws {
    var tree = try Tree(
      #"""
      {"0":1,"1":{"k":{"0":{"0":{"s":["<u>","</u>"],"0":"","r":1}},"1":{"0":""},"kc":2},"s":["",""]},"s":["","",""],
       "c":{"1":{"0":{"0":"a","s":["<i>","</i>"],"r":1},"s":["<b>","</b>"]}}}
      """#)
    let before = try tree.rendered.render().roots.map(\.identity)
    try tree.merge(#"{"1":{"k":{"0":1,"1":0,"kc":2}},"c":{"2":{"s":-1}},"0":2}"#)
    let after = try tree.rendered.render().roots.map(\.identity)
    #expect(before.count == 2 && after.count == 2)
    #expect(after[0] != before[0])
    #expect(after[1] == before[1])
  }

  @Test(
    arguments: [
      ("<i>", 0), ("\\n <i>", 2), ("<!-- <F> a.ex:1 -->\\n<!----><i>", 27), ("", nil), ("a<i>", nil), ("<!-- <i>", nil),
    ] as [(String, Int?)])
  func `the tag of a root element is found after white space and comments`(statics: String, offset: Int?) throws {
    let tree = try Tree(#"{"0":{"0":"","s":["\#(statics)","</i>"],"r":1},"s":["<p>","</p>"]}"#)
    #expect(try tree.rendered.render().roots.first?.range.lowerBound == offset.map { 3 + $0 })
  }

  @Test
  func `a root with statics replaces the whole tree including components`() throws {
    var tree = try Tree(#"{"0":1,"s":["",""],"c":{"1":{"0":"a","s":["<",">"]}}}"#)
    try tree.merge(#"{"0":"x","s":["(",")"],"r":1}"#)
    #expect(try tree.markup == "(x)")
    #expect(tree.rendered.components.isEmpty)
  }

  // MARK: - Streams

  @Test
  func `stream entries are rendered once and then forgotten`() throws {
    var tree = try Tree(
      #"{"0":{"k":{"0":{"0":"a"},"kc":1},"s":["[","]"],"stream":["0",[["a",-1,null]],[]]},"s":["",""]}"#)
    #expect(
      try tree.rendered.render().streams == [
        StreamOperation(ref: "0", inserts: [.init(id: "a", at: -1, sendsUpdateOnly: false)])
      ])
    #expect(try tree.markup == "[a]")
    tree.forget()
    #expect(try tree.markup == "")
    #expect(try tree.rendered.render().streams == [])
    try tree.merge(#"{"0":{"k":{"0":{"0":"b"},"kc":1},"stream":["0",[["b",0,5,true]],["a"],true]}}"#)
    #expect(
      try tree.rendered.render().streams == [
        StreamOperation(
          ref: "0", inserts: [.init(id: "b", at: 0, limit: 5, updateOnly: true)], deletes: ["a"], reset: true)
      ])
    #expect(try tree.markup == "[b]")
  }

  // MARK: - Invalid diffs

  @Test
  func `empty s / short entry: an error, and the tree is as before`() throws {
    var tree = try Tree(Self.list)
    let k = SlotPath([.index(0), .key("k"), .index(4)])
    #expect(throws: MergeError.emptyStatics(at: SlotPath([.index(0), .key("s")]))) {
      try tree.merge(#"{"0":{"s":[]}}"#)
    }
    #expect(throws: MergeError.missingSlot(at: k, index: 1, expected: 2)) {
      try tree.merge(#"{"0":{"k":{"4":{"0":"e"},"kc":5}}}"#)
    }
    #expect(throws: MergeError.noSuchSlot(at: k + .index(2), count: 2)) {
      try tree.merge(#"{"0":{"k":{"4":{"0":"e","1":"","2":""},"kc":5}}}"#)
    }
    #expect(throws: MergeError.missingSlot(at: SlotPath([.index(0), .key("d"), .index(0)]), index: 1, expected: 2)) {
      try tree.merge(#"{"0":{"d":[["x"]]}}"#)
    }
    #expect(try tree.markup == "[a1][b2][c3][d4]")
  }

  @Test
  func `bad diff leaves version unchanged: no part of it is kept`() throws {
    var tree = try Tree(#"{"0":"1","1":1,"s":["","",""],"c":{"1":{"0":"a","s":["<",">"]}}}"#)
    let before = tree.rendered.json
    for bad in [
      #"{"0":"2","5":"x"}"#, #"{"0":"2","c":{"1":{"0":"b"},"9":{"0":"c"}}}"#, #"{"0":"2","c":{"1":{"0":9}}}"#,
      #"{"0":{"0":"2","s":["{","}"]},"1":{"s":["",""]}}"#,
    ] {
      #expect(throws: (any Error).self) { try tree.merge(bad) }
      #expect(tree.rendered.json == before)
    }
    try tree.merge("{}")
    #expect(try tree.markup == "1<a>")
  }

  @Test
  func `r, e and t are beside the tree at the top level, and r in a fragment is the root flag`() throws {
    let decoder = WireDecoder()
    let body = #"{"0":{"0":"x","r":1,"s":["<",">"]},"r":{"pong":[1]},"e":[["hi",{"i":1}]],"t":"a & b"}"#
    guard case .diff(let diff) = try decoder.decode(Array(body.utf8), as: .diff)[0].get().content else { return }
    #expect(diff.reply == JSONText(#"{"pong":[1]}"#))
    #expect(diff.events == JSONText(#"[["hi",{"i":1}]]"#))
    #expect(diff.title == "a & b")
    guard case .slots(let slots) = diff.root.body, case .fragment(let fragment) = slots[0].diff else {
      Issue.record("no fragment")
      return
    }
    #expect(fragment.isRoot)
  }

  /// `assign(socket, page_title: nil)` sends `"t":null` with the page, and the client ignores it.
  @Test(arguments: ["null", "404", #"["a"]"#])
  func `a title that is not a string is ignored`(title: String) throws {
    let decoder = WireDecoder()
    let mount = try decoder.decode(Array(#"{"0":"x","s":["<",">"],"t":\#(title)}"#.utf8), as: .rendered)[0].get()
      .content
    guard case .rendered(let rendered) = mount else {
      Issue.record("no page")
      return
    }
    #expect(rendered.title == nil)
    let update = try decoder.decode(Array(#"{"0":"y","t":\#(title)}"#.utf8), as: .diff)[0].get().content
    guard case .diff(let diff) = update else {
      Issue.record("no diff")
      return
    }
    #expect(diff.title == nil)
  }
}
