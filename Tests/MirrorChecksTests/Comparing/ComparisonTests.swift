import MarkupDocument
import RecordingFixtures
import Testing

@testable import MirrorChecks

@Suite struct ComparisonTests {
  private static let page = #"{"0":"0","1":"x","s":["<div id=\"phx-GOnolpJNSyO1mwYB\"><p>"," ","</p></div>"]}"#

  /// Three increments, the last one with another result after the change.
  private func sessions() throws -> Comparison {
    var (before, after) = (
      Session(Self.page), Session(Self.page.replacing("GOnolpJNSyO1mwYB", with: "GPxxxxxxSyO1mwYC"), topic: "lv:phx-2")
    )
    for number in 1...3 {
      before.event("inc", after: 20, #"{"0":"\#(number)","1":"x"}"#)
      after.event("inc", after: 10, #"{"0":"\#(number == 3 ? 4 : number)"}"#)
    }
    before.event("gone", #"{"0":"9"}"#)
    after.event("new|one", #"{"0":"9"}"#)
    return Comparison(try before.recorded("before.ndjson"), try after.recorded("after.ndjson"))
  }

  @Test func `a recording equals itself`() throws {
    let session = Session.shop
    let comparison = Comparison(try session.recorded(), try session.recorded())
    #expect(comparison.divergence == nil)
    #expect(comparison.unmatched == [])
    #expect(comparison.rows.allSatisfy { !$0.values.contains(where: \.hasChanged) })
  }

  @Test(arguments: ["1.1.33/03_todo", "1.1.33/07_streams", "1.1.33/05_components"])
  func `two versions of LiveView show the same pages`(name: String) throws {
    let (old, new) = (try recorded(name), try recorded(name.replacing("1.1.33", with: "1.2.10")))
    let comparison = Comparison(old, new)
    #expect(comparison.divergence == nil, "\(String(describing: comparison.divergence?.difference))")
  }

  private func recorded(_ name: String) throws -> (recorder: Recorder, measurement: Measurement) {
    let recorder = Recorder(name: name, keepsPages: true)
    return (recorder, try recorder.measure(try #require(Fixtures.recording(name))))
  }

  /// Such changes are compared without the rest of the page.
  @Test(arguments: [
    ("<p>", "</p>", "1 ", "1", false), ("<p>", "</p>", "", " ", false), ("<p>", "</p>", "1", "", true),
    ("<p>", "</p>", " ", "1", true), ("<pre>", "</pre>", "1 ", "1", true), ("<p class='", "'></p>", "1 ", "1", true),
    ("<p data-phx-loc='", "'></p>", "1", "2", false), ("<!--", "-->", "1", "2", false),
    ("<p id='phx-", "'></p>", "GOnolpJNSyO1mwYB", "GPxxxxxxSyO1mwYC", false),
    ("<i id='phx-GOnolpJNSyO1mwYB'></i><p id='phx-", "'></p>", "GOnolpJNSyO1mwYB", "GPxxxxxxSyO1mwYC", true),
  ])
  func `changed texts and attributes are compared`(
    open: String, close: String, before: String, after: String, isDifferent: Bool
  ) throws {
    // The inputs differ from the mount on.
    let sessions = [before, after].enumerated().map { number, value in
      var session = Session(#"{"0":"x","s":["\#(open)","\#(close)<!--\#(number)-->"]}"#)
      for value in ["y", value, "z"] { session.event("set", #"{"0":"\#(value)"}"#) }
      return session
    }
    let comparison = Comparison(try sessions[0].recorded("before.ndjson"), try sessions[1].recorded("after.ndjson"))
    #expect(comparison.divergence?.before.version == (isDifferent ? 2 : nil))
  }

  @Test func `the first version with different pages is found, with both pages`() throws {
    let divergence = try #require(try sessions().divergence)
    #expect(divergence.before == ViewVersion(view: "lv:phx-1", epoch: 1, version: 3))
    #expect(divergence.after == ViewVersion(view: "lv:phx-2", epoch: 1, version: 3))
    #expect(divergence.cause == .event("inc"))
    #expect(divergence.beforeTree == [#"<div id="phx-1">"#, "  <p>", #"    "3 x""#])
    #expect(divergence.afterTree == [#"<div id="phx-1">"#, "  <p>", #"    "4 x""#])
  }

  @Test func `pages may differ from the mount on, and after a remount`() throws {
    var (before, after) = (Session(Self.page), Session(Self.page.replacing(#""0":"0""#, with: #""0":"1""#)))
    #expect(Comparison(try before.recorded(), try after.recorded()).divergence?.title == "the mount of lv:phx-1")
    after = before
    before.mount(Self.page)
    after.mount(Self.page)
    before.push(#"{"0":"1"}"#)
    after.push(#"{"0":"2"}"#)
    #expect(
      Comparison(try before.recorded(), try after.recorded()).divergence?.title
        == "v1 of lv:phx-1 after mount 2 (server push)")
  }

  @Test func `what only one recording has is said`() throws {
    var (before, after) = (Session(Self.page), Session(Self.page))
    before.push(#"{"0":"1"}"#)
    after.mount(Self.page)
    let comparison = Comparison(try before.recorded(), try after.recorded())
    #expect(
      comparison.unmatched == [
        "lv:phx-1 has 1 diff before, and 0 after", "lv:phx-1 was mounted 1 time before, and 2 times after",
      ])
    #expect(comparison.divergence == nil)
  }

  // MARK: - Outputs

  @Test func `text, JSON and Markdown have the differences and the pages`() throws {
    let comparison = try sessions()
    try expect(ComparisonText(comparison, style: .plain).text, isFile: "comparison.txt")
    try expect(ComparisonJSON.text(comparison), isFile: "comparison.json")
    try expect(ComparisonMarkdown.text(comparison), isFile: "comparison.md")
  }

  @Test func `the pages are the same`() throws {
    let session = Session(Self.page)
    let comparison = Comparison(try session.recorded("a"), try session.recorded("b"))
    #expect(
      ComparisonText(comparison, style: .plain).text == """
        a → b

                                           before  after  difference
          all diffs  largest mount           79 B   79 B           =
                     diffs                      0      0           =
                     bytes                    0 B    0 B           =
                     changed nodes              0      0           =
                     bytes without effect     0 B    0 B           =
                     idle re-renders            0      0           =

        ✓ The pages of all versions that both have are the same

        """)
  }

  // MARK: - Pages and lines

  @Test func `a page has no session, no comments and no lines of templates`() throws {
    let document = try Self.document(
      #"""
      <div id="phx-GOnolpJNSyO1mwYB" data-phx-session="S" data-phx-static="T" data-phx-main>
        <!-- <Shop.render> lib/shop.ex:8 (shop) -->
        <p  class="b"   id=a data-phx-loc="12">One
          line</p><pre> two  spaces</pre><input name="_csrf_token" value="X"><i for="phx-GOnolpJNSyO1mwYB-1" data-phx-id="phx-feedback-for"></i>
      </div>
      """#)
    #expect(
      ComparableTree(document).lines == [
        #"<div data-phx-main id="phx-1">"#, #"  <p class="b" id="a">"#, #"    "One line""#, "  <pre>",
        #"    " two  spaces""#, #"  <input name="_csrf_token">"#,
        #"  <i data-phx-id="phx-feedback-for" for="phx-2">"#,
      ])
  }

  private static func document(_ markup: String) throws -> Document {
    var session = Session(#"{"0":"","s":["",""]}"#)
    session.push("{\"0\":\(json(markup))}")
    let playback = try #require(try session.recorded().recorder.playbacks.first)
    var document = playback.first
    for diff in playback.diffs { document.apply(diff.changeSet) }
    return document
  }

  private static func json(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
  }

  @Test func `lines far from a change are left out`() {
    let old = (0..<20).map(String.init)
    var new = old
    new[10] = "x"
    new.insert("y", at: 11)
    #expect(
      LineDifference(old, new).lines == [
        .gap(7), .both("7"), .both("8"), .both("9"), .before("10"), .after("x"), .after("y"), .both("11"), .both("12"),
        .both("13"), .gap(6),
      ])
    #expect(LineDifference(old, old).lines == [.gap(20)])
    #expect(LineDifference([], ["a"]).lines == [.after("a")])
    #expect(
      LineDifference(["a", "b", "a"], ["b", "a", "a"]).lines == [.before("a"), .both("b"), .after("a"), .both("a")])
  }

  @Test func `long texts are compared without the work of a square`() {
    let (old, new) = ((0..<5_000).map { "a\($0)" }, (0..<5_000).map { "b\($0)" })
    #expect(LineDifference(old, new).lines.count == 10_000)
  }
}
