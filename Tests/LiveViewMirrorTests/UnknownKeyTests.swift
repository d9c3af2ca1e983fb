import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import MirrorViews
import RenderedTree
import Testing

/// Keys that no LiveView up to 1.2 sends: a later version that adds keys must not stop the mirror.
@Suite struct UnknownKeyTests {
  static let page =
    ##"{"0":"a","1":1,"2":{"k":{"0":{"0":"x"},"kc":1},"s":["<li>","</li>"]},"s":["<p>","</p>","<ul>","</ul>"],"c":{"1":{"0":"b","s":["<i>","</i>"]}}}"##

  private static func keys(_ record: ChangeRecord) -> [String] {
    record.diagnostics.filter { $0.code == "unknown-key" }.map(\.message)
  }

  @Test(arguments: [
    (#"{"x":1,"0":"z"}"#, "x", "/x"), (#"{"0":"z","":"1"}"#, "", "/"), (#"{"0":"z","\u0000":"1"}"#, "\0", "/\0"),
    (#"{"0":"z","x":{"0":null,"s":7,"c":[]}}"#, "x", "/x"), (#"{"0":"z","kc":"1"}"#, "kc", "/kc"),
    (#"{"0":"z","2":{"a/b~":1,"k":{"kc":1}}}"#, "a/b~", "/2/a~1b~0"),
    (#"{"0":"z","2":{"k":{"kc":1,"new":[1,2]}}}"#, "new", "/2/k/new"),
    (#"{"0":"z","2":{"k":{"0":{"new":1},"kc":1}}}"#, "new", "/2/k/0/new"),
    (#"{"0":"z","2":{"k":{"kc":1},"t":"a title"}}"#, "t", "/2/t"),
    (#"{"0":"z","c":{"new":{}}}"#, "new", "/c/new"),
    (#"{"0":"z","c":{"1":{"new":null}}}"#, "new", "/c/1/new"), (#"{"0":"z","c":{"1":{"c":{}}}}"#, "c", "/c/1/c"),
  ])
  func `an unknown key is ignored and reported with its position`(diff: String, key: String, place: String) throws {
    let view = try LiveViewCoordinator.mounted(Self.page)
    let record = try view.update(diff)
    #expect(view.markup == "<p>z</p><i>b</i><ul><li>x</li></ul>")
    #expect(
      Self.keys(record) == ["the key \"\(key)\" at \(place) was ignored: no LiveView up to 1.2 sends it there"])
    #expect(view.log.record(of: 1)?.diagnostics == record.diagnostics)
    #expect(record.title == nil)
    // A view reports each key once.
    #expect(Self.keys(try view.update(diff.replacing(#""z""#, with: #""y""#))).isEmpty)
  }

  @Test func `the unknown keys of a page are reported at its first mount only`() throws {
    let page = ##"{"new":1,"0":{"newer":2,"s":["b"]},"s":["<p>","</p>"]}"##
    let view = try LiveViewCoordinator.mounted(page)
    #expect(Self.keys(try #require(view.log.record(of: 0))).count == 2)
    #expect(view.markup == "<p>b</p>")
    #expect(Self.keys(try view.mount(Array(page.utf8), dialect: .html)).isEmpty)
    #expect(Self.keys(try view.update(##"{"0":"c","newest":1,"new":1}"##)).count == 1)
    // Another view reports the key again.
    #expect(Self.keys(try #require(LiveViewCoordinator.mounted(page).log.record(of: 0))).count == 2)
  }

  @Test func `an unknown key at many positions of a diff is reported once`() throws {
    let view = try LiveViewCoordinator.mounted(Self.page)
    let entries = (0..<50).map { ##""\##($0)":{"0":"x","new":1}"## }.joined(separator: ",")
    let record = try view.update(##"{"2":{"k":{\##(entries),"kc":50}}}"##)
    #expect(Self.keys(record).count == 1)
  }

  @Test func `at most 16 unknown keys are reported for a diff, and at most 100 for a view`() throws {
    let view = try LiveViewCoordinator.mounted(Self.page)
    var reported = 0
    for round in 0..<20 {
      let keys = (0..<5_000).map { ##""key \##(round) \##($0)":1"## }.joined(separator: ",")
      let record = try view.update(##"{"0":"\##(round)",\##(keys)}"##)
      #expect(view.markup.hasPrefix("<p>\(round)</p>"))
      #expect(Self.keys(record).count <= 16)
      reported += Self.keys(record).count
    }
    #expect(reported == 100)
    #expect(Self.keys(try view.update(##"{"one more":1}"##)).isEmpty)
  }

  @Test func `a long unknown key is shortened in its report`() throws {
    let view = try LiveViewCoordinator.mounted(Self.page)
    let record = try view.update(##"{"0":"z","\##(String(repeating: "é", count: 100_000))":1}"##)
    #expect(Self.keys(record).first?.utf8.count ?? 0 < 300)
  }

  @Test func `a full update reports an unknown key`() throws {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions(pipeline: .full).withAnalyses)
    try view.mount(Array(Self.page.utf8), dialect: .html)
    #expect(Self.keys(try view.update(##"{"0":"z","new":1}"##)).count == 1)
  }

  @Test func `a wrong type under a known key is refused even beside an unknown key`() throws {
    let view = try LiveViewCoordinator.mounted(Self.page)
    let before = Untouched(view)
    let error = #expect(throws: UpdateError.self) { try view.update(##"{"new":1,"2":{"k":[]}}"##) }
    #expect(error?.pointer == "/2/k")
    #expect(Untouched(view) == before)
    // A refused update has no diagnostics. The next update reports the key.
    #expect(Self.keys(try view.update(##"{"new":1}"##)).count == 1)
  }

  @Test func `old versions are rebuilt without the unknown keys`() throws {
    let view = try LiveViewCoordinator.mounted(Self.page)
    try view.update(##"{"0":"1","new":{"0":"a"},"2":{"k":{"0":{"new":1,"0":"y"},"kc":1}}}"##)
    let markup = try #require(view.view?.rendered(at: 1)).render().markup
    try view.update(##"{"0":"2"}"##)
    #expect(try #require(view.view?.rendered(at: 1)).render().markup == markup)
    #expect(String(decoding: markup, as: UTF8.self) == "<p>1</p><i>b</i><ul><li>y</li></ul>")
  }
}
