import DocumentInvariants
import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import MirrorViews
import NodeObservation
import Testing

/// Every bad input is answered by an error with its position. The view is unchanged, and the next
/// valid diff is applied.
@Suite struct BadInputTests {
  /// A text, a list of two, a component and a fragment.
  static let page = #"""
    {"0":"1","1":{"k":{"0":{"0":"x"},"1":{"0":"y"},"kc":2},"s":0},"2":1,"3":{"0":"in","s":1},
     "p":{"0":["<p>","</p>"],"1":["<b>","</b>"]},"r":1,"s":["<div id=\"a\">","","","","</div>"],
     "c":{"1":{"0":"c","1":{"k":{"0":{"0":"u"},"kc":1},"s":0},"p":{"0":["<u>","</u>"]},"r":1,"s":["<i>","","</i>"]}}}
    """#

  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var body: [UInt8]
    var place: String
    var testDescription: String { name }

    /// - Parameter place: a JSON Pointer, or `@` and a byte.
    init(_ name: String, _ body: String, _ place: String) { self.init(name, bytes: Array(body.utf8), place) }
    init(_ name: String, bytes: [UInt8], _ place: String) {
      self.name = name
      self.body = bytes
      self.place = place
    }
  }

  static func nested(_ depth: Int, open: String, core: String, close: String) -> String {
    String(repeating: open, count: depth) + core + String(repeating: close, count: depth)
  }

  // MARK: - Not JSON

  static let malformed: [Case] = [
    Case("nothing", "", "@0"),
    Case("white space alone", " \n\t ", "@4"),
    Case("a word", "nope", "@0"),
    Case("an open object", "{", "@1"),
    Case("an open member", #"{"0":"1""#, "@8"),
    Case("a bracket too many", #"{"0":"1"}}"#, "@9"),
    Case("two texts", "{} {}", "@3"),
    Case("a bracket of the other kind", #"{"0":"1"]"#, "@8"),
    Case("a trailing comma", #"{"0":"1",}"#, "@9"),
    Case("a missing comma", #"{"0":"1" "3":{}}"#, "@9"),
    Case("a missing colon", #"{"0" "1"}"#, "@5"),
    Case("a key without quotes", #"{0:"1"}"#, "@1"),
    Case("single quotes", "{'0':'1'}", "@1"),
    Case("half a word", #"{"0":tru}"#, "@5"),
    Case("NaN", #"{"0":NaN}"#, "@5"),
    Case("a comment", "/* */{}", "@0"),
    Case("a leading zero", #"{"0":01}"#, "@5"),
    Case("a number without digits", #"{"0":-}"#, "@6"),
    Case("an open string", #"{"0":"1}"#, "@5"),
    Case("an unknown escape", #"{"0":"\x"}"#, "@6"),
    Case("half an escape", #"{"0":"\u00"}"#, "@6"),
    Case("a lone high surrogate", #"{"0":"\ud800"}"#, "@6"),
    Case("a lone low surrogate", #"{"0":"a\udc00"}"#, "@7"),
    Case("a high surrogate and a letter", #"{"0":"\ud800\u0041"}"#, "@6"),
    Case("a line feed in a string", "{\"0\":\"a\nb\"}", "@7"),
    Case("a NUL in a string", "{\"0\":\"a\0b\"}", "@7"),
    Case("a NUL behind the text", "{}\0", "@2"),
    Case("invalid UTF-8 in a string", bytes: Array(#"{"0":""#.utf8) + [0xFF] + Array(#""}"#.utf8), "@6"),
    Case("half a character", bytes: Array(#"{"0":"a"#.utf8) + [0xC3] + Array(#""}"#.utf8), "@7"),
    Case("an overlong character", bytes: Array(#"{"0":""#.utf8) + [0xC0, 0x80] + Array(#""}"#.utf8), "@6"),
    Case("a surrogate as UTF-8", bytes: Array(#"{"0":""#.utf8) + [0xED, 0xA0, 0x80] + Array(#""}"#.utf8), "@6"),
    Case("beyond Unicode", bytes: Array(#"{"0":""#.utf8) + [0xF4, 0x90, 0x80, 0x80] + Array(#""}"#.utf8), "@6"),
    Case("100,000 objects that stay open", nested(100_000, open: #"{"0":"#, core: "", close: ""), "@500000"),
    Case("100,000 arrays that stay open", nested(100_000, open: "[", core: "", close: ""), "@100000"),
    Case("16 MB that end too early", #"{"0":""# + String(repeating: "a", count: 16 << 20), "@5"),
  ]

  @Test(arguments: malformed)
  func `input that is not JSON is an error with its byte and does not enter the log`(bad: Case) throws {
    let view = try LiveViewCoordinator.mounted(Self.page)
    let before = Untouched(view)
    let error = #expect(throws: UpdateError.self) { try view.update(bad.body) }
    #expect(error?.kind == .notJSON)
    #expect(error?.pointer == nil)
    #expect(error?.offset.map { "@\($0)" } == bad.place, "\(error?.reason ?? "")")
    #expect(Untouched(view) == before)
    #expect(view.log.rejectionCount == 0)
    #expect(try view.update(#"{"0":"2"}"#).version == 1)
  }

  // MARK: - JSON that does not fit

  static let shapes: [Case] = [
    Case("an integer beyond 64 bits", #"{"0":123456789012345678901234567890}"#, ""),
    Case("a number beyond a double", #"{"0":1e999}"#, ""),
    Case("an array", "[]", ""),
    Case("a string", #""x""#, ""),
    Case("a number", "1", ""),
    Case("null", "null", ""),
    Case("a slot that is null", #"{"0":null}"#, "/0"),
    Case("a slot that is true", #"{"0":true}"#, "/0"),
    Case("a slot that is a fraction", #"{"0":1.5}"#, "/0"),
    Case("a slot that is an array", #"{"0":["a"]}"#, "/0"),
    Case("a wrapper with another update", #"{"rendered":1}"#, "/rendered"),
    Case("an index with a leading zero", #"{"00":"1"}"#, "/00"),
    Case("a negative index", #"{"-1":"1"}"#, "/-1"),
    Case("a huge index", #"{"99999999999999999999":"1"}"#, "/99999999999999999999"),
    Case("a key twice", #"{"0":"1","0":"2"}"#, "/0"),
    Case("a word twice", #"{"t":"1","t":"2"}"#, "/t"),
    Case(
      "a key twice among 64 in no order",
      #"{"1":{"k":{\#((0..<64).map { #""\#($0 * 37 % 64)":{}"# }.joined(separator: ",")),"5":{},"kc":64}}}"#, "/1/k/5"),
    Case("events that are no array", #"{"e":{}}"#, "/e"),
    Case("components that are an array", #"{"c":[]}"#, "/c"),
    Case("a component that is a string", #"{"c":{"1":"x"}}"#, "/c/1"),
    Case("component 0", #"{"c":{"0":{}}}"#, "/c/0"),
    Case("component -1", #"{"c":{"-1":{}}}"#, "/c/-1"),
    Case("a slot with component 0", #"{"0":0}"#, "/0"),
    Case("a slot with component -1", #"{"0":-1}"#, "/0"),
    Case("a slot with a component beyond 63 bits", #"{"0":18446744073709551615}"#, "/0"),
    Case("statics that are an object", #"{"3":{"s":{}}}"#, "/3/s"),
    Case("statics with a number", #"{"3":{"0":"x","s":["a",1]}}"#, "/3/s/1"),
    Case("a template that is not there", #"{"3":{"0":"x","s":7}}"#, "/3/s"),
    Case("a template beyond 63 bits", #"{"3":{"0":"x","s":18446744073709551615},"p":{"0":["",""]}}"#, "/3/s"),
    Case("templates of another update", #"{"3":{"0":"x","s":0}}"#, "/3/s"),
    Case("the update's templates in a component", #"{"p":{"0":["a",""]},"c":{"1":{"1":{"0":"x","s":0}}}}"#, "/c/1/1/s"),
    Case("templates that are an array", #"{"p":[]}"#, "/p"),
    Case("a template that is a string", #"{"p":{"0":"x"}}"#, "/p/0"),
    Case("a template with a name", #"{"p":{"a":[]}}"#, "/p/a"),
    Case("entries that are an array", #"{"1":{"k":[]}}"#, "/1/k"),
    Case("entries without a count", #"{"1":{"k":{"0":{"0":"z"}}}}"#, "/1/k"),
    Case("a negative count", #"{"1":{"k":{"kc":-1}}}"#, "/1/k/kc"),
    Case("a count that is a string", #"{"1":{"k":{"kc":"2"}}}"#, "/1/k/kc"),
    Case("an entry that is a string", #"{"1":{"k":{"0":"z","kc":2}}}"#, "/1/k/0"),
    Case("an entry beyond the count", #"{"1":{"k":{"2":{"0":"z"},"kc":2}}}"#, "/1/k/2"),
    Case("an entry moved from -1", #"{"1":{"k":{"0":-1,"kc":2}}}"#, "/1/k/0"),
    Case("a moved entry without its diff", #"{"1":{"k":{"0":[1],"kc":2}}}"#, "/1/k/0"),
    Case("a moved entry with a text", #"{"1":{"k":{"0":[1,"z"],"kc":2}}}"#, "/1/k/0/1"),
    Case("an array of entries that is an object", #"{"1":{"d":{}}}"#, "/1/d"),
    Case("an entry by place that is an object", #"{"1":{"d":[{}]}}"#, "/1/d/0"),
    Case("entries and slots at once", #"{"1":{"k":{"kc":2},"0":"x"}}"#, "/1"),
    Case("entries of both kinds at once", #"{"1":{"k":{"kc":2},"d":[]}}"#, "/1/d"),
    Case("a stream that is an object", #"{"1":{"k":{"kc":2},"stream":{}}}"#, "/1/stream"),
    Case("a stream with a reference that is a number", #"{"1":{"k":{"kc":2},"stream":[0,[],[]]}}"#, "/1/stream"),
    Case("an insert that is a string", #"{"1":{"k":{"kc":2},"stream":["0",["a"],[]]}}"#, "/1/stream/1/0"),
    Case("an insert without a place", #"{"1":{"k":{"kc":2},"stream":["0",[["a"]],[]]}}"#, "/1/stream/1/0"),
    Case("a limit that is a string", #"{"1":{"k":{"kc":2},"stream":["0",[["a",-1,"5"]],[]]}}"#, "/1/stream/1/0/2"),
    Case("a deletion that is a number", #"{"1":{"k":{"kc":2},"stream":["0",[],[1]]}}"#, "/1/stream/2/0"),
    Case(
      "100,000 objects", nested(100_000, open: #"{"0":"#, core: #""x""#, close: "}"), ""),
    Case("100,000 arrays", nested(100_000, open: "[", core: "", close: "]"), ""),
    Case("513 levels", nested(513, open: #"{"3":"#, core: #""x""#, close: "}"), ""),
  ]

  static let misfits: [Case] = [
    Case("a slot that is not there", #"{"4":"x"}"#, "/4"),
    Case("a change to a text as if it were a fragment", #"{"0":{"0":"x"}}"#, "/0"),
    Case("a change to a component as if it were a fragment", #"{"2":{"0":"x"}}"#, "/2"),
    Case("a change to a list as if it were a fragment", #"{"1":{"0":"x"}}"#, "/1/0"),
    Case("a change to a fragment as if it were a list", #"{"3":{"k":{"kc":0}}}"#, "/3"),
    Case("a stream operation on a fragment", #"{"3":{"stream":["0",[],[]]}}"#, "/3"),
    Case("a slot inside that is not there", #"{"3":{"1":"x"}}"#, "/3/1"),
    Case("a new fragment that lacks a slot", #"{"3":{"0":"a","s":["","",""]}}"#, "/3"),
    Case("a new fragment with a slot too many", #"{"3":{"0":"a","1":"b","s":["",""]}}"#, "/3/1"),
    Case("a new fragment with a gap", #"{"3":{"1":"b","s":["","",""]}}"#, "/3"),
    Case("empty statics", #"{"3":{"s":[]}}"#, "/3/s"),
    Case("empty statics of a list with entries", #"{"3":{"k":{"0":{},"kc":1},"s":[]}}"#, "/3"),
    Case("a new list whose entry is short", #"{"3":{"k":{"0":{"0":"a"},"kc":1},"s":["","",""]}}"#, "/3/k/0"),
    Case("an entry by place that is short", #"{"1":{"d":[["a"],[]]}}"#, "/1/d/1"),
    Case("an entry by place that is long", #"{"1":{"d":[["a","b"]]}}"#, "/1/d/0"),
    Case("an entry with statics of its own", #"{"1":{"k":{"0":{"0":"a","s":["",""]},"kc":2}}}"#, "/1/k/0"),
    Case("a slot of an entry that is not there", #"{"1":{"k":{"1":{"1":"a"},"kc":2}}}"#, "/1/k/1/1"),
    Case("a new entry that is short", #"{"1":{"k":{"2":{},"kc":3}}}"#, "/1/k/2"),
    Case("a count without its entry", #"{"1":{"k":{"kc":3}}}"#, "/1/k"),
    Case("a count without its entries", #"{"1":{"k":{"kc":1000000000}}}"#, "/1/k"),
    Case("the largest count", #"{"1":{"k":{"kc":9223372036854775807}}}"#, "/1/k"),
    Case("a gap before a new entry", #"{"1":{"k":{"3":{"0":"z"},"kc":4}}}"#, "/1/k/3"),
    Case("an entry moved from where none was", #"{"1":{"k":{"0":2,"kc":2}}}"#, "/1/k/0"),
    Case("an entry moved from far away", #"{"1":{"k":{"0":9223372036854775807,"kc":2}}}"#, "/1/k/0"),
    Case("an entry moved from where none was, and changed", #"{"1":{"k":{"0":[9,{"0":"a"}],"kc":2}}}"#, "/1/k/0"),
    Case("a moved entry's slot that is not there", #"{"1":{"k":{"0":[1,{"4":"a"}],"1":0,"kc":2}}}"#, "/1/k/0/1/4"),
    Case("an entry moved to two places", #"{"1":{"k":{"0":1,"2":1,"kc":3}}}"#, "/1/k/2"),
    Case("an entry that stays and is moved", #"{"1":{"k":{"2":1,"kc":3}}}"#, "/1/k/2"),
    Case("a slot with an unknown component", #"{"0":7}"#, "/0"),
    Case("an entry with an unknown component", #"{"1":{"k":{"1":{"0":7},"kc":2}}}"#, "/1/k/1/0"),
    Case("a component with an unknown component", #"{"c":{"1":{"0":7}}}"#, "/c/1/0"),
    Case("an unknown component", #"{"c":{"7":{"0":"x"}}}"#, "/c/7"),
    Case(
      "an unknown component after a good change", #"{"0":"2","3":{"0":"o"},"c":{"1":{"0":"d"},"7":{"0":"x"}}}"#, "/c/7"),
    Case("a component with the statics of an unknown one", #"{"c":{"2":{"0":"x","s":9}}}"#, "/c/2/s"),
    Case("a component with the statics of an unknown old one", #"{"c":{"2":{"0":"x","s":-9}}}"#, "/c/2/s"),
    Case("a component with the statics of component 0", #"{"c":{"2":{"0":"x","s":0}}}"#, "/c/2/s"),
    Case("a component with the statics of the largest id", #"{"c":{"2":{"s":9223372036854775807}}}"#, "/c/2/s"),
    Case("a component with the statics of the smallest id", #"{"c":{"2":{"s":-9223372036854775808}}}"#, "/c/2/s"),
    Case(
      "a component with the statics of an id beyond 63 bits", #"{"c":{"2":{"0":"x","s":18446744073709551615}}}"#,
      "/c/2/s"),
    Case("a component that is a list", #"{"c":{"2":{"k":{"kc":0},"s":[""]}}}"#, "/c/2"),
    Case("a component with empty statics", #"{"c":{"2":{"s":[]}}}"#, "/c/2/s"),
    Case("a component with its own statics", #"{"c":{"2":{"s":2}}}"#, "/c/2/s"),
    Case("two components with each other's statics", #"{"c":{"2":{"s":3},"3":{"s":2}}}"#, "/c/3/s"),
    Case("a component in itself", #"{"c":{"1":{"0":1}}}"#, "/c/1/0"),
    Case("two components in each other", #"{"c":{"1":{"0":2},"2":{"0":1,"s":["",""]}}}"#, "/c/2/0"),
    Case("a page that is a list", #"{"k":{"kc":0},"s":["a"]}"#, ""),
    Case("a page that is short", #"{"s":["a","b"]}"#, ""),
    Case("a page with empty statics", #"{"s":[]}"#, "/s"),
  ]

  @Test(arguments: shapes + misfits)
  func `JSON that does not fit the view is an error with its pointer and an entry in the log`(bad: Case) throws {
    let view = try LiveViewCoordinator.mounted(Self.page)
    let before = Untouched(view)
    let error = #expect(throws: UpdateError.self) { try view.update(bad.body) }
    #expect(error?.kind == .unfitting)
    #expect(error?.offset == nil)
    #expect(error?.pointer == bad.place, "\(error?.reason ?? "")")
    #expect(Untouched(view) == before)
    #expect(view.log.rejectionCount == 1)
    #expect(try view.update(#"{"0":"2"}"#).version == 1)
  }

  @Test
  func `the error pointer of a frame begins with the position in the frame`() throws {
    let view = try LiveViewCoordinator.mounted(Self.page)
    let bodies = [
      #"[null,null,"main","diff",{"9":"x"}]"#: "/4/9", #"[null,null,"main","diff",{"e":1}]"#: "/4/e",
      #"["4","5","main","phx_reply",{"status":"ok","response":{"diff":{"9":"x"}}}]"#: "/4/response/diff/9",
      #"{"diff":{"9":"x"}}"#: "/diff/9", #"{"response":{"diff":{"9":"x"}}}"#: "/response/diff/9",
    ]
    for (body, pointer) in bodies {
      let error = #expect(throws: UpdateError.self) { try view.update(body) }
      #expect(error?.pointer == pointer)
    }
    #expect(view.view?.version == 0)
  }

  // MARK: - Large input

  @Test(arguments: ["", "x"])
  func `components that each contain the next one twice, 60 deep, are refused`(text: String) throws {
    let view = try LiveViewCoordinator.mounted(Self.page)
    let before = Untouched(view)
    var components = (2..<60).map { #""\#($0)":{"0":\#($0 + 1),"1":\#($0 + 1),"s":["\#(text)","",""]}"# }
    components.append(#""60":{"s":["\#(text)"]}"#)
    let error = #expect(throws: UpdateError.self) {
      try view.update(#"{"0":2,"c":{\#(components.joined(separator: ","))}}"#)
    }
    #expect(error?.kind == .unfitting)
    #expect(Untouched(view) == before)
    #expect(try view.update(#"{"0":"2"}"#).version == 1)
  }

  @Test
  func `lists that double at every diff and level are refused before they are rendered`() throws {
    // 200 × 200 × 200 × 200 empty entries from a few kilobytes.
    let list = { (inside: String) in
      #"{"k":{"0":{"0":\#(inside)},"kc":1},"s":["",""]}"#
    }
    let view = try LiveViewCoordinator.mounted(#"{"0":\#(list(list(list(list(#""""#))))),"s":["<p>","</p>"]}"#)
    var accepted = 0
    for level in (0..<4).reversed() {
      for doubling in 0..<8 {
        let count = 1 << doubling
        let copies = (0..<count).map { #""\#(count + $0)":\#($0),"\#($0)":{}"# }.joined(separator: ",")
        let change = #"{"k":{\#(copies),"kc":\#(count * 2)}}"#
        let diff = #"{"0":\#(Self.nested(level, open: #"{"k":{"0":{"0":"#, core: change, close: #"},"kc":1}}"#))}"#
        do {
          try view.update(diff)
          accepted += 1
        } catch {
          #expect(error.kind == .unfitting)
          // Two levels of 256 entries are 65,536 entries.
          #expect(accepted >= 16)
          #expect(view.log.rejectionCount == 1)
          return
        }
      }
    }
    Issue.record("every doubling was accepted")
  }

  @Test
  func `50,000 components that each share the statics of the next are applied`() throws {
    let view = try LiveViewCoordinator.mounted(Self.page)
    var components = (2..<50_000).map { #""\#($0)":{"s":\#($0 + 1)}"# }
    components.append(#""50000":{"0":"end","s":["<i>","</i>"]}"#)
    try view.update(#"{"0":2,"c":{\#(components.joined(separator: ","))}}"#)
    #expect(view.markup.hasPrefix(#"<div id="a"><i>end</i>"#))
  }

  @Test
  func `100,000 nested components are refused`() throws {
    let view = try LiveViewCoordinator.mounted(Self.page)
    let before = Untouched(view)
    var components = (2..<100_000).map { #""\#($0)":{"0":\#($0 + 1),"s":["<i>","</i>"]}"# }
    components.append(#""100000":{"0":"end","s":["<i>","</i>"]}"#)
    let error = #expect(throws: UpdateError.self) {
      try view.update(#"{"0":2,"c":{\#(components.joined(separator: ","))}}"#)
    }
    #expect(error?.kind == .unfitting)
    #expect(Untouched(view) == before)
  }

  @Test
  func `999 nested components are applied`() throws {
    let view = try LiveViewCoordinator.mounted(Self.page)
    var components = (2..<1000).map { #""\#($0)":{"0":\#($0 + 1),"s":["<i>","</i>"]}"# }
    components.append(#""1000":{"s":["end"]}"#)
    try view.update(#"{"0":2,"c":{\#(components.joined(separator: ","))}}"#)
    #expect(view.document?.checkInvariants() == [])
    #expect(view.document?.count == 998 + 1 + 12)
  }

  @Test
  func `500 nested fragments are added and removed`() throws {
    let view = try LiveViewCoordinator.mounted(Self.page)
    for _ in 0..<2 {
      try view.update(#"{"0":\#(Self.nested(500, open: #"{"s":["<i>","</i>"],"0":"#, core: #""x""#, close: "}"))}"#)
      #expect(view.document?.count == 500 + 1 + 12)
      #expect(view.document?.checkInvariants() == [])
      try view.update(#"{"0":"1"}"#)
      #expect(view.document?.count == 13)
    }
  }

  @Test(arguments: Dialect.allCases)
  func `markup with 100,000 nested elements is applied`(dialect: Dialect) throws {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    let deep = Self.nested(100_000, open: "<i>", core: "x", close: "</i>")
    try view.mount(Array(#"{"0":"\#(deep)","1":"a","s":["","","<p>b</p>"]}"#.utf8), dialect: dialect)
    let record = try view.update(#"{"1":"b"}"#)
    #expect(record.changeSet.changes.count <= 1)
    try view.update(#"{"0":""}"#)
    #expect(view.document?.checkInvariants() == [])
    #expect(view.markup == "b<p>b</p>")
  }

  @Test
  func `8 MB of text are applied`() throws {
    let view = try LiveViewCoordinator.mounted(Self.page)
    try view.update(#"{"0":"\#(String(repeating: "a", count: 8_000_000))"}"#)
    #expect(view.document?.count == 13)
  }

  @Test
  func `a rejected mount leaves the view and its epoch unchanged`() throws {
    let view = try LiveViewCoordinator.mounted(Self.page)
    let before = Untouched(view)
    for body in [#"{"0":"x"}"#, #"{"s":["",""]}"#, "{}", #"{"0":7,"s":["",""]}"#, #"[1,2,3,4,5]"#] {
      let error = #expect(throws: UpdateError.self) { try view.mount(Array(body.utf8), dialect: .html) }
      #expect(error?.kind == .unfitting)
    }
    #expect(#expect(throws: UpdateError.self) { try view.mount([], dialect: .html) }?.kind == .notJSON)
    #expect(Untouched(view) == before)
    #expect(view.log.rejectionCount == 5)
    #expect(try view.mount(Array(Self.page.utf8), dialect: .html).epoch == 2)
  }

  @Test
  func `a diff for a view that was never mounted is refused and keeps nothing`() throws {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    let error = #expect(throws: UpdateError.self) { try view.update(#"{"0":"x"}"#) }
    #expect(error?.kind == .unknownView)
    #expect(!view.isMounted)
    #expect(view.log.isEmpty)
  }
}
