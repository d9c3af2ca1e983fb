import RenderedTree
import Testing

/// The public use of the module.
@Suite struct RenderedViewTests {
  @Test func `a view is decoded, merged and rendered`() throws {
    var view = try RenderedView(#"{"0": "1", "1": {"s": ["<b>", "</b>"], "0": "x"}, "s": ["<p>", "</p>", ""]}"#)
    #expect(try view.markup() == "<p>1</p><b>x</b>")
    try view.merge(#"{"0": "2"}"#)
    #expect(try view.markup() == "<p>2</p><b>x</b>")
    try view.merge(#"{"1": {"0": "y"}}"#)
    #expect(try view.markup() == "<p>2</p><b>y</b>")
  }

  @Test func `an error says what and where, and the tree stays`() throws {
    var view = try RenderedView(#"{"0": "1", "s": ["<p>", "</p>"]}"#)
    let noJSON = #expect(throws: RenderedFailure.self) { try view.merge("{") }
    #expect(noJSON?.description.hasPrefix("not JSON at byte") == true)
    let unfit = #expect(throws: RenderedFailure.self) { try view.merge(#"{"7": "2"}"#) }
    #expect(unfit?.description.contains("7") == true)
    #expect(throws: RenderedFailure.self) { _ = try RenderedView(#"{"0": "1"}"#) }
    #expect(try view.markup() == "<p>1</p>")
  }
}
