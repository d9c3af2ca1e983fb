import DocumentInvariants
import LiveViewMirror
import MarkupDocument
import MirrorViews
import Testing

/// Components inside stream items: the server forgets the items and updates the components
/// separately.
@Suite struct HiddenComponentTests {
  /// Two items, each with a component. Component 1 contains component 3.
  static let page = #"""
    {"0":{"k":{"0":{"0":"a","1":1},"1":{"0":"b","1":2},"kc":2},"s":["<li id=\"","\">","</li>"],
          "stream":["0",[["b",-1,null,null],["a",-1,null,null]],[]]},
     "s":["<ul id=\"l\" phx-update=\"stream\">","</ul>"],
     "c":{"1":{"0":"one","1":3,"s":["<b>","","</b>"],"r":1},"2":{"0":"two","s":["<i>","</i>"],"r":1},
          "3":{"0":"x","1":"","s":["<u>","","</u>"],"r":1}}}
    """#
  let view: LiveViewCoordinator

  init() throws { view = try .mounted(Self.page) }

  private func html(_ one: String, _ two: String) -> String {
    #"<ul id="l" phx-update="stream"><li id="a">\#(one)</li><li id="b">\#(two)</li></ul>"#
  }

  /// The invariants after every update of a stream.
  private func fault(after update: String) throws -> String? {
    let old = try #require(view.document)
    let record = try view.update(update)
    let new = try #require(view.document)
    let faults = new.checkInvariants()
    if !faults.isEmpty { return faults.joined(separator: ", ") }
    if view.view?.document(at: record.version - 1)?.isSame(as: old) != true { return "the version before is another" }
    return RandomServerTests.fault(of: record, from: old, to: new)
  }

  @Test
  func `a component in a stream item is updated separately`() throws {
    #expect(view.markup == html("<b>one<u>x</u></b>", "<i>two</i>"))
    #expect(try fault(after: #"{"c":{"2":{"0":"TWO"}}}"#) == nil)
    #expect(view.markup == html("<b>one<u>x</u></b>", "<i>TWO</i>"))
    #expect(view.log.record(of: 1)?.changeSet.changes.map(\.description) == [#"text 10 in 9: "two" → "TWO""#])
    #expect(view.log.record(of: 1)?.notifiedNumbers == [9])
  }

  @Test
  func `a component with a new root tag is a new node, and ids inside keep their nodes`() throws {
    #expect(
      try fault(after: #"{"c":{"2":{"s":["<!-- <M.two> f:1 (a) --><p><q id=\"k\">","</q></p>"],"0":"two"}}}"#) == nil)
    #expect(view.markup == html("<b>one<u>x</u></b>", #"<p><q id="k">two</q></p>"#))
    let document = try #require(view.document)
    let kept = try #require(
      document.nodes(from: document.root).first { document.content(of: $0)?.element?.id == "k" })
    #expect(try fault(after: #"{"c":{"2":{"s":["<em><q id=\"k\">","</q></em>"],"0":"two"}}}"#) == nil)
    #expect(view.markup == html("<b>one<u>x</u></b>", #"<em><q id="k">two</q></em>"#))
    #expect(view.document?.contains(kept) == true)
  }

  @Test
  func `a component inside another is updated with it, and each change is reported once`() throws {
    #expect(try fault(after: #"{"c":{"1":{"0":"ONE"},"3":{"0":"y"}}}"#) == nil)
    #expect(view.markup == html("<b>ONE<u>y</u></b>", "<i>two</i>"))
    #expect(view.log.record(of: 1)?.changeSet.changes.count == 2)
    #expect(try fault(after: #"{"c":{"3":{"0":"z"}}}"#) == nil)
    #expect(view.markup == html("<b>ONE<u>z</u></b>", "<i>two</i>"))
  }

  @Test
  func `a component that is changed and then removed by another reports only the removal`() throws {
    // Component 3 precedes component 4, which contains it.
    #expect(try fault(after: #"{"c":{"2":{"0":4},"4":{"0":3,"s":["<em>","</em>"]},"1":{"1":""}}}"#) == nil)
    #expect(view.markup == html("<b>one</b>", "<i><em><u>x</u></em></i>"))
    #expect(try fault(after: #"{"c":{"3":{"0":"y","1":{"s":["<s>new</s>"]}},"4":{"0":""}}}"#) == nil)
    #expect(view.markup == html("<b>one</b>", "<i><em></em></i>"))
  }

  @Test
  func `a diff that names more than components skips components that the page does not render`()
    throws
  {
    let diff = #"""
      {"0":{"k":{"0":{"0":"a","1":1},"kc":1},"stream":["0",[["a",-1,null,null]],[]]},"c":{"1":{"0":"ONE"},"2":{"0":"TWO"}}}
      """#
    #expect(try fault(after: diff) == nil)
    #expect(view.markup == html("<b>ONE<u>x</u></b>", "<i>two</i>"))
  }

  @Test
  func `a stream item that names a missing component is refused without side effects`() throws {
    let before = Untouched(view)
    let error = #expect(throws: UpdateError.self) { try view.update(#"{"c":{"2":{"0":"TWO"},"3":{"0":9}}}"#) }
    #expect(error?.kind == .unfitting)
    #expect(error?.pointer == "/c/3/0")
    #expect(Untouched(view) == before)
    #expect(try view.update(#"{"c":{"2":{"0":"TWO"}}}"#).version == 1)
  }

  @Test
  func `a stream in a component in a stream item is updated separately`() throws {
    func list(_ entries: String, _ count: Int, _ statics: String, _ stream: String) -> String {
      #"{"0":{"s":\#(statics),"0":{"k":{\#(entries)"kc":\#(count)},"s":["<p id=\"","\"></p>"],"stream":["1",\#(stream)]}}}"#
    }
    let statics = #"["<ol id=\"o\" phx-update=\"stream\">","</ol>"]"#
    #expect(
      try fault(after: #"{"c":{"2":\#(list(#""0":{"0":"p"},"#, 1, statics, #"[["p",-1,null,null]],[]"#))}}"#) == nil)
    #expect(view.markup.contains(#"<i><ol id="o" phx-update="stream"><p id="p"></p></ol></i>"#))
    let insert = #"{"c":{"2":{"0":{"0":{"k":{"0":{"0":"q"},"kc":1},"stream":["1",[["q",0,null,null]],[]]}}}}}"#
    #expect(try fault(after: insert) == nil)
    #expect(view.markup.contains(#"<i><ol id="o" phx-update="stream"><p id="q"></p><p id="p"></p></ol></i>"#))
    #expect(try fault(after: #"{"c":{"2":{"0":{"0":{"k":{"kc":0},"stream":["1",[],["p"]]}}}}}"#) == nil)
    #expect(view.markup.contains(#"<i><ol id="o" phx-update="stream"><p id="q"></p></ol></i>"#))
    #expect(try fault(after: #"{"0":{"k":{"kc":0},"stream":["0",[],["b"]]}}"#) == nil)
    #expect(view.markup == #"<ul id="l" phx-update="stream"><li id="a"><b>one<u>x</u></b></li></ul>"#)
  }
}
