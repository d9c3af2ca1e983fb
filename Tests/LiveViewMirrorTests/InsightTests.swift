import MarkupDocument
import RecordingFixtures
import Testing

@testable import LiveViewMirror
@testable import MirrorAnalysis

/// What can be improved about a view, the most bytes first.
@Suite struct InsightTests {
  private func insights(_ mount: String, _ diffs: String...) throws -> [Insight] {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    try view.mount(Array(mount.utf8), dialect: .html)
    for diff in diffs { try view.update(diff) }
    return try #require(view.view).insights
  }

  private static let list =
    #"{"0":{"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2},"s":["<li>","</li>"]},"s":["<ul>","</ul>"]}"#
  private static let plain = #"{"0":{"d":[["a"],["b"]],"s":["<li>","</li>"]},"s":["<ul>","</ul>"]}"#

  @Test func `a list without keys costs the bytes of the entries that were on the page, and gets a key`() throws {
    let found = try insights(Self.list, #"{"0":{"k":{"0":{"0":"new"},"1":{"0":"a"},"2":{"0":"b"},"kc":3}}}"#)
    #expect(found.map(\.code) == ["unkeyed-list"])
    // `{"0":"a"}` and `{"0":"b"}` of 64 B.
    #expect(found[0].savesBytes == 18 && found[0].versions == [1])
    #expect(found[0].message == "The list in slot 0 has no key: 18 B for each insertion or removal (28 %).")
    #expect(found[0].advice == Advice.unkeyed && Advice.unkeyed.contains("`:key={item.id}`"))
  }

  @Test func `the sentence about a list without keys is about its insertions and removals alone`() throws {
    let found = try insights(
      Self.list, #"{"0":{"k":{"0":{"0":"new"},"1":{"0":"a"},"2":{"0":"b"},"kc":3}}}"#,
      #"{"0":{"k":{"0":{"0":"new"},"kc":3}}}"#)
    #expect(found.map(\.savesBytes) == [18 + 5] && found[0].versions == [1, 2])
    #expect(found[0].message == "The list in slot 0 has no key: 18 B for each insertion or removal (28 %).")
  }

  @Test func `a list in the entries of a list without keys is counted once`() throws {
    func entry(_ name: String, statics: String = "") -> String {
      let text = String(repeating: "x", count: 50)
      return #"{"0":"\#(name)","1":{"k":{"0":{"0":"\#(text)"},"kc":1}\#(statics)}}"#
    }
    let entries = ["a", "b", "c"].enumerated().map { number, name in
      "\"\(number)\":" + entry(name, statics: #","s":["<i>","</i>"]"#)
    }
    let found = try insights(
      #"{"0":{"k":{\#(entries.joined(separator: ",")),"kc":3},"s":["<li>","","</li>"]},"s":["<ul>","</ul>"]}"#,
      #"{"0":{"k":{"0":\#(entry("b")),"1":\#(entry("c")),"kc":2}}}"#)
    #expect(found.map(\.code) == ["unkeyed-list"])
    #expect(found.map(\.savesBytes) == [2 * entry("b").utf8.count])
  }

  @Test func `a list without keys stays a finding when the log no longer keeps its diffs`() throws {
    let view = LiveViewCoordinator(
      id: "main", options: UpdateOptions().withAnalyses, limits: MirrorLimits(versions: 4))
    try view.mount(
      Array(
        #"{"0":{"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2},"s":["<li>","</li>"]},"1":"","s":["<ul>","</ul><p>","</p>"]}"#
          .utf8), dialect: .html)
    try view.update(#"{"0":{"k":{"0":{"0":"new"},"1":{"0":"a"},"2":{"0":"b"},"kc":3}}}"#)
    #expect(try #require(view.view).insights.map(\.savesBytes) == [18])
    for number in 1...50 { try view.update(#"{"1":"\#(number)"}"#) }
    let found = try #require(view.view).insights
    #expect(found.map(\.code) == ["unkeyed-list"] && found[0].savesBytes == 0 && found[0].versions.isEmpty)
    #expect(found[0].advice == Advice.unkeyed)
  }

  @Test func `a list of LiveView 1_0 gets a stream, and no key`() throws {
    let found = try insights(
      Self.plain, #"{"0":{"d":[["new"],["a"],["b"]]}}"#, #"{"0":{"d":[["new"],["a"],["c"]]}}"#)
    #expect(found.map(\.code) == ["resent-list"])
    // `["a"]` and `["b"]` at another position, then `"new"` and `"a"` at their own.
    #expect(found[0].savesBytes == 10 + 8 && found[0].versions == [1, 2])
    #expect(found[0].advice == Advice.positional)
    #expect(found.allSatisfy { $0.advice?.contains(":key") == false })
  }

  @Test func `an entry that moves later has a key, so its list has no insight any more`() throws {
    let found = try insights(
      Self.list, #"{"0":{"k":{"0":{"0":"new"},"1":{"0":"a"},"2":{"0":"b"},"kc":3}}}"#,
      #"{"0":{"k":{"0":1,"1":0,"kc":3,"km":true}}}"#)
    #expect(found.isEmpty)
  }

  @Test func `values and entries that were sent without a change are insights, the most bytes first`() throws {
    let found = try insights(
      #"{"0":"short","1":{"k":{"0":{"0":"a very long entry"},"1":{"0":"b"},"kc":2},"s":["<li>","</li>"]},"s":["<p>","</p><ul>","</ul>"]}"#,
      #"{"0":"short","1":{"k":{"0":{"0":"a very long entry"},"kc":2}}}"#, #"{"0":"short"}"#)
    #expect(found.map(\.code) == ["resent-list", "resent-value"])
    #expect(found.map(\.savesBytes) == [19, 14])
    #expect(found.map(\.versions) == [[1], [1, 2]])
    #expect(
      found[1].message.hasPrefix("The value `\"short\"` in slot 0 was sent without a change: 7 B for each diff ("))
    #expect(found[0].advice == Advice.unchangedEntries && found[1].advice == Advice.unchangedValue)
  }

  @Test func `a value that is long, or is not the same in all diffs, is not named`() throws {
    let found = try insights(
      #"{"0":"a","1":"\#(String(repeating: "b", count: 30))","s":["<p>","</p><b>","</b>"]}"#, #"{"0":"a"}"#,
      #"{"0":"c"}"#, #"{"0":"c"}"#, #"{"1":"\#(String(repeating: "b", count: 30))"}"#)
    #expect(found.map { $0.message.prefix(24) } == ["The value in slot 1 was ", "The value in slot 0 was "])
  }

  @Test func `elements that one diff removes and adds again have lost their identity`() throws {
    let found = try insights(
      #"{"0":"<p id=\"a\">1</p>","s":["<div>","</div>"]}"#, #"{"0":"<b id=\"a\">1</b>"}"#, #"{"0":"<p>1</p>"}"#)
    #expect(found.map(\.code) == ["lost-identity"])
    #expect(found[0].message == "1 element was removed and added again with the same id.")
    #expect(found[0].savesBytes == 0 && found[0].advice == Advice.recreated && found[0].versions == [1])
  }

  @Test func `findings follow without bytes, with their remedy and the versions that show them`() throws {
    let found = try insights(
      #"{"0":"1","1":"x","s":["<p id=a></p><p id=a>","</p><i>","</i>"]}"#, #"{"0":"2","1":"x"}"#, #"{"0":"3"}"#)
    #expect(found.map(\.code) == ["resent-value", "duplicate-id"])
    #expect(found[1].savesBytes == 0 && found[1].versions == [0, 1, 2])
    #expect(found[1].advice == DiagnosticCode["duplicate-id"]?.remedy)
  }

  @Test func `a finding names each diff that shows it, and a rejected input no version`() throws {
    let view = try LiveViewCoordinator.mounted(#"{"0":"a","s":["<p>","</p>"]}"#)
    let key = String(repeating: "x", count: 500)
    for number in 1...4 { try view.update(#"{"0":"\#(number)","\#(key)":1}"#) }
    #expect(throws: UpdateError.self) { try view.update(#"{"7":"x"}"#) }
    let found = try #require(view.view).insights
    #expect(found.map(\.code) == ["unknown-key", "rejected-diff"])
    #expect(found.map(\.versions) == [[1, 2, 3, 4], []])
  }

  @Test func `a value is named, also if a diff without it has sent more slots than its record names`() throws {
    let names = (1...120).map { "\"\($0)\":\"b\"" }.joined(separator: ",")
    let statics = Array(repeating: "\"<i></i>\"", count: 122).joined(separator: ",")
    let found = try insights(
      #"{"0":"a",\#(names),"s":[\#(statics)]}"#, #"{"0":"a"}"#, "{\(names)}")
    #expect(found.contains { $0.message.hasPrefix("The value `\"a\"` in slot 0 was sent") })
  }

  @Test(arguments: Recording.all)
  func `no insight claims more than was sent, and each names diffs of the log`(recording: Recording) throws {
    var views = RecordedViews(recording)
    for step in recording.steps {
      let (_, receive) = try views.next(step)
      _ = try receive()
    }
    for view in views.all.values.compactMap(\.view) {
      let insights = view.insights
      #expect(insights.map(\.savesBytes) == insights.map(\.savesBytes).sorted(by: >))
      for insight in insights {
        let bytes = insight.versions.compactMap { view.log.record(of: $0)?.bytes }.reduce(0, +)
        #expect(insight.savesBytes <= bytes && (0...1).contains(insight.share) && !insight.message.isEmpty)
        #expect(insight.versions == insight.versions.sorted() && Set(insight.versions).count == insight.versions.count)
      }
      // Every wasted byte is in one insight, unless a list has shifted too.
      let diffs = view.log.records.filter { $0.version > 0 }
      let wasted = diffs.reduce(0) { $0 + $1.waste.bytes }
      let saved = insights.reduce(0) { $0 + $1.savesBytes }
      #expect(saved >= wasted && saved <= diffs.reduce(0) { $0 + $1.bytes })
      if view.wasteReport().lists.allSatisfy({ $0.shiftedEntryCount == 0 }) { #expect(saved == wasted) }
    }
  }
}
