import LiveViewMirror
import MarkupDocument
import Testing

/// Stream items that are inserted at counted positions of a new container.
@Suite struct CountedItemTests {
  @Test
  func `two stream items at the same counted position terminate`() throws {
    let list = #"""
      {"k":{"0":{"0":"a"},"1":{"0":"b"},"2":{"0":"c"},"kc":3},"s":["<li id=\"","\"></li>"],
       "stream":["0",[["a",1,null,null],["b",1,null,null],["c",1,null,null]],[]]}
      """#
    let view = try LiveViewCoordinator.mounted(#"{"s":["<main>","</main>"],"0":""}"#)
    _ = try view.update(#"{"0":{"s":["<ul id=\"l\" phx-update=\"stream\">","</ul>"],"0":\#(list)}}"#)
    let document = try #require(view.document)
    for id in ["a", "b", "c"] { #expect(document.count(ofID: id) == 1) }
    OraclePair.expectSame(
      #"{"s":["<main>","</main>"],"0":""}"#,
      #"{"0":{"s":["<ul id=\"l\" phx-update=\"stream\">","</ul>"],"0":\#(list)}}"#, #"{}"#)
  }
}
