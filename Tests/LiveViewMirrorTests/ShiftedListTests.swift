import Foundation
import MarkupDocument
import RecordingFixtures
import Testing

@testable import LiveViewMirror
@testable import MirrorAnalysis

/// The lists whose shifted entries one diff sent again.
@Suite struct ShiftedListTests {
  private func records(
    _ mount: String, _ diffs: [String], pipeline: UpdateOptions.Pipeline = .scoped
  ) throws -> [ChangeRecord] {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions(pipeline: pipeline).withAnalyses)
    try view.mount(Array(mount.utf8), dialect: .html)
    return try diffs.map { try view.update(Array($0.utf8)) }
  }

  private static let mount =
    #"{"0":{"d":[["a",""],["b",""],["c",""]],"s":["<li>","<i>","</i></li>"]},"s":["<ul>","</ul>"]}"#

  @Test(arguments: UnkeyedListTests.cases, [UpdateOptions.Pipeline.scoped, .full])
  func `a diff names the list whose entries the finding counts`(
    _ test: UnkeyedListTests.Case, pipeline: UpdateOptions.Pipeline
  ) throws {
    let lists = try records(test.mount, test.diffs, pipeline: pipeline).flatMap(\.shiftedLists.lists)
    // The first diff of this case has shifted the list. The second one shows that it has keys.
    let expected = test.name == "an entry moves after a shift" ? 2 : test.shifted
    #expect(lists.map(\.entries) == (expected > 0 ? [expected] : []))
    #expect(lists.allSatisfy { $0.slot == "0" })
  }

  @Test func `the bytes are those of the entries in the text of the diff`() throws {
    let entries = [##"[ "\u0061", "" ]"##, ##"["b",""]"##, ##"["c",  ""]"##]
    let diff = "{ \"0\" : {\"d\":[ [\"new\",\"\"], \(entries.joined(separator: " , "))]}}"
    let record = try #require(try records(Self.mount, [diff]).first)
    #expect(
      record.shiftedLists.lists == [
        .init(slot: "0", isPositional: true, entries: 3, count: 4, bytes: entries.reduce(0) { $0 + $1.utf8.count })
      ])
    // The second slot of each entry equals the one at its new position: only these are waste.
    #expect((record.waste.bytes, record.waste.slots) == (6, ["0.d.0.1", "0.d.1.1", "0.d.2.1"]))
  }

  @Test func `an entry that equals the one at its new position is not counted`() throws {
    let diff = #"{"0":{"d":[["x",""],["a",""],["b",""],["b",""]]}}"#
    let mount = Self.mount.replacing(#"["c",""]"#, with: #"["b",""]"#)
    let lists = try records(mount, [diff]).flatMap(\.shiftedLists.lists)
    #expect(lists == [.init(slot: "0", isPositional: true, entries: 2, count: 4, bytes: 16)])
  }

  @Test func `lists in components and in entries that moved are found`() throws {
    let list = #"{"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2},"s":["<i>","</i>"]}"#
    let mount =
      #"{"0":1,"1":{"k":{"0":{"0":\#(list)},"1":{"0":""},"kc":2},"s":["<p>","</p>"]},"c":{"1":{"0":\#(list),"s":["<b>","</b>"]}},"s":["<div>","","</div>"]}"#
    let shifted = #"{"k":{"0":{"0":"b"},"kc":1}}"#
    let lists = try records(
      mount, [#"{"1":{"k":{"0":1,"1":[0,{"0":\#(shifted)}],"kc":2,"km":true}},"c":{"1":{"0":\#(shifted)}}}"#]
    ).flatMap(\.shiftedLists.lists)
    #expect(lists.map(\.slot).sorted() == ["1.k.1.1.0", "c.1.0"])
    #expect(lists.allSatisfy { $0.bytes == 9 && $0.entries == 1 && $0.count == 1 && !$0.isPositional })
  }

  @Test func `a list that is known to have keys is not named`() throws {
    let keyed = #"{"0":{"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2},"s":["<li>","</li>"]},"s":["<ul>","</ul>"]}"#
    let lists = try records(
      keyed,
      [
        #"{"0":{"k":{"0":1,"1":0,"kc":2,"km":true}}}"#,
        #"{"0":{"k":{"0":{"0":"x"},"1":{"0":"b"},"2":{"0":"a"},"kc":3}}}"#,
      ]
    ).flatMap(\.shiftedLists.lists)
    #expect(lists.isEmpty)
  }

  @Test func `at most 20 lists are named, and the others are counted`() throws {
    let names = 0..<25
    let lists = names.map { "\"\($0)\":" + #"{"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2},"s":["<i>","</i>"]}"# }
    let statics = Array(repeating: #""<p></p>""#, count: names.count + 1).joined(separator: ",")
    let diff = names.map { "\"\($0)\":" + #"{"k":{"0":{"0":"b"},"kc":1}}"# }.joined(separator: ",")
    let record = try #require(
      try records("{\(lists.joined(separator: ",")),\"s\":[\(statics)]}", ["{\(diff)}"]).first)
    #expect((record.shiftedLists.lists.count, record.shiftedLists.more) == (20, 5))
    #expect(record.description.hasSuffix("\n  5 more lists with shifted entries"))
  }

  @Test func `the text says what was sent again`() throws {
    let record = try #require(try records(Self.mount, [#"{"0":{"d":[["b",""],["c",""]]}}"#]).first)
    let lines = record.description.split(separator: "\n")
    #expect(
      lines.contains(
        "  list in slot 0 sent again: 2 of 2 entries were on the page already at another position, 16 B (unkeyed-list)")
    )
  }

  /// For each recorded diff, the entries are compared with those of the version before it.
  @Test(arguments: Recording.all.filter { $0.name.contains("1.0.18/") })
  func `in recordings, the entries are on the page before the diff, and the bytes are theirs`(recording: Recording)
    throws
  {
    var views = RecordedViews(recording)
    var found = 0
    for step in recording.steps {
      let (_, receive) = try views.next(step)
      guard let record = try receive() else { continue }
      for list in record.shiftedLists.lists {
        found += 1
        let diff = try JSONSerialization.jsonObject(with: Data(record.input.utf8)) as? [String: Any]
        let value = list.slot.split(separator: ".").reduce(diff as Any?) { value, step in
          (value as? [String: Any])?[String(step)] ?? (value as? [Any])?[Int(step) ?? 0]
        }
        let entries = try #require((value as? [String: Any])?["d"] as? [Any])
        #expect(list.count == entries.count && list.entries <= entries.count && list.bytes < record.bytes)
        // Recorded frames have no white space, and no text that JSON can write in two ways.
        let sizes = try entries.map {
          try JSONSerialization.data(withJSONObject: $0, options: [.withoutEscapingSlashes]).count
        }
        #expect(list.bytes == sizes.suffix(list.entries).reduce(0, +))
      }
    }
    #expect((found > 0) == (UnkeyedListTests.recorded[recording.name] != nil), "\(found)")
  }
}
