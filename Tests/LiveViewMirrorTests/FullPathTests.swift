import LiveViewMirror
import MarkupDocument
import Testing

/// Diffs that need a full update. The log has the reason.
@Suite struct FullPathTests {
  static let manySlots: (mount: String, diff: String) = {
    let slots = (0..<80).map { "\"\($0)\":\"a\"" }.joined(separator: ",")
    let statics = (0...80).map { $0 == 0 ? "\"<p>\"" : $0 == 80 ? "\"</p>\"" : "\"</p><p>\"" }.joined(separator: ",")
    return ("{\(slots),\"s\":[\(statics)]}", "{\(slots.replacing("\"a\"", with: "\"b\""))}")
  }()

  static let detours: [(name: String, mount: String, diff: String, reason: String)] = [
    ("a whole page", #"{"0":"a","s":["<p>","</p>"]}"#, #"{"s":["<p></p>"]}"#, "the diff replaces the whole page"),
    (
      "an id that moves from one part to another",
      #"{"0":{"s":["<i id=\"a\"></i>"]},"1":"","s":["<p>","</p><div>","</div>"]}"#,
      #"{"0":"","1":{"s":["<i id=\"a\"></i>"]}}"#, "the id \"a\" is also in another part of the page"
    ),
    (
      "an id that stands elsewhere", #"{"0":"","s":["<p id=\"a\"></p><div>","</div>"]}"#,
      #"{"0":{"s":["<i id=\"a\"></i>"]}}"#, "the id \"a\" is also in another part of the page"
    ),
    (
      "an id that comes twice", #"{"0":"","1":"","s":["<p>","</p><div>","</div>"]}"#,
      #"{"0":{"s":["<i id=\"a\"></i>"]},"1":{"s":["<i id=\"a\"></i>"]}}"#,
      "two elements of the update have the id \"a\""
    ),
    (
      "a component that moves from one part to another",
      #"{"0":1,"1":"","s":["<p>","</p><div>","</div>"],"c":{"1":{"s":["<b></b>"]}}}"#, #"{"0":"","1":1}"#,
      "component 1 is also in another part of the page"
    ),
    (
      "a component that comes to stand twice",
      #"{"0":1,"1":"","s":["<p>","</p><div>","</div>"],"c":{"1":{"s":["<b></b>"]}}}"#, #"{"1":1}"#,
      "component 1 is also in another part of the page"
    ),
    (
      "the top of a component", #"{"0":1,"s":["<p>","</p>"],"c":{"1":{"0":"","s":["<b></b>",""]}}}"#,
      #"{"c":{"1":{"0":{"s":["<i></i>"]}}}}"#,
      "the change is at the top level of a component, not inside of one of its elements"
    ),
    (
      "most of the page", manySlots.mount, manySlots.diff, "the diff names a large part of the page"
    ),
    (
      "raw text with an element that stays open", #"{"0":"a","s":["<p>","</p><i></i>"]}"#, #"{"0":"<b>"}"#,
      "the markup of the region affects the markup around it"
    ),
    (
      "raw text with an end tag of the element around it", #"{"0":"a","s":["<p>","</p><i></i>"]}"#, #"{"0":"</p>"}"#,
      "the markup of the region affects the markup around it"
    ),
    (
      "a component inside of a stream's item",
      #"""
      {"0":{"k":{"0":{"0":"a","1":1},"kc":1},"s":["<li id=\"","\">","</li>"],"stream":["0",[["a",-1,null]],[]]},
       "s":["<ul id=\"l\" phx-update=\"stream\">","</ul>"],"c":{"1":{"0":"x","s":["<b>","</b>"]}}}
      """#, #"{"c":{"1":{"0":"y"}}}"#, "the position of component 1 is not known"
    ),
  ]

  @Test(arguments: detours.map(\.name))
  func `each of these diffs is applied in full, for this reason`(name: String) throws {
    let change = try #require(Self.detours.first { $0.name == name })
    let view = try LiveViewCoordinator.mounted(change.mount)
    #expect(try view.update(change.diff).path == .full(reason: change.reason))
    OraclePair.expectSame(change.mount, change.diff, "{}")
  }
}
