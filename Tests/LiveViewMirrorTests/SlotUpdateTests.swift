import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import Testing

/// A scoped update of a single slot has the same effect as a full update, wherever the slot is.
@Suite struct SlotUpdateTests {
  @Test(
    arguments: [
      #""<p>Count: ","</p>""#, #""<p>"," items</p>""#, #""<p>a <b>b</b> ","<i>c</i> d</p>""#,
      #""<p><!-- from --> é","<br></p>""#, #""<p>","<br></p>""#, #""<p><br>","</p>""#, #""<pre>","</pre>""#,
      #""<textarea>","</textarea>""#, #""<table><tr><td>","</td></tr></table>""#, #""<table>","</table>""#,
      #""<select><option>","</option></select>""#, #""text "," at the top""#, #""<p title=\"a ","\">text</p>""#,
      #""<p id=\"","\">text</p>""#, #""<div id=\"i\" phx-update=\"ignore\"><p>","</p></div>""#,
      #""<p>","</p><p>same</p>""#, #""<ul><li>one</li><li>","</li><li>three</li></ul>""#,
    ])
  func `one changed slot has the changes, causes and notified nodes of a full update`(statics: String) throws {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions(pipeline: .scoped, verifies: true).withAnalyses)
    let full = LiveViewCoordinator(id: "main", options: UpdateOptions(pipeline: .full).withAnalyses)
    let mount = Array(#"{"0":"1","s":[\#(statics)]}"#.utf8)
    try view.mount(mount, dialect: .html)
    try full.mount(mount, dialect: .html)
    for text in ["2", "", " ", "three", "<b>4</b>", "&lt;5", "6", "\\n7", "8 é", "8 e\u{301}", "9"] {
      let diff = Array(#"{"0":"\#(text)"}"#.utf8)
      let (record, expected) = (try view.update(diff), try full.update(diff))
      #expect(!record.diagnostics.contains { $0.code == "scoped-differs" }, "\(text): \(record.diagnostics)")
      #expect(record.changeSet == expected.changeSet, "\(text)")
      #expect(record.slots == expected.slots, "\(text)")
      #expect(record.notified == expected.notified, "\(text)")
    }
  }

  @Test
  func `only the sent slot of a component in a fragment is named as a cause or as waste`() throws {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions(pipeline: .scoped, verifies: true).withAnalyses)
    let mount = #"{"0":{"0":1,"s":["<div>","</div>"]},"s":["<main>","</main>"],"c":{"1":{"0":"a","s":["<p>","</p>"]}}}"#
    try view.mount(Array(mount.utf8), dialect: .html)
    let record = try view.update(Array(#"{"c":{"1":{"0":"b"}}}"#.utf8))
    #expect(record.path == .scoped)
    #expect(record.diagnostics.isEmpty)
    #expect(record.slots == [["c.1.0"]])
    let waste = try view.update(Array(#"{"c":{"1":{"0":"b"}}}"#.utf8))
    #expect(waste.changeSet.isEmpty)
    #expect(waste.waste.slots == ["c.1.0"])
  }
}
