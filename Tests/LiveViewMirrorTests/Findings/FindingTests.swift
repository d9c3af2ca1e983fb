@testable import LiveViewMirror
@testable import MirrorAnalysis
import Foundation
import MarkupDocument
import NodeObservation
import RecordingFixtures
import RenderedTree
import Testing

/// Each cause of diagnostics once, over all versions of an epoch.
@Suite struct FindingTests {
  static let page = ##"{"0":"a","s":["<p id=\"d\">","</p><div><i id=\"d\">x</i></div>"]}"##

  private func findings(_ view: LiveViewCoordinator) throws -> [Finding] { try #require(view.view).findings }

  @Test func `a duplicate id is one finding however many diffs show it, with the paths of both elements`() throws {
    let view = try LiveViewCoordinator.mounted(Self.page)
    for text in 1...3 { try view.update(##"{"0":"\##(text)"}"##) }
    let found = try #require(try findings(view).first)
    #expect(try findings(view).count == 1)
    #expect(found.code == "duplicate-id")
    #expect(found.message == #"The id "d" is on more than one element. It identifies only the first one."#)
    #expect(found.locatedNodes.map(\.path) == ["p:nth-child(1)", "div:nth-child(2) > i:nth-child(1)"])
    #expect(found.locatedNodes.map { $0.node.number } == [2, 5])
    #expect((found.firstVersion, found.lastVersion, found.count) == (0, 3, 4))
    #expect(found.isCurrent == true)
    #expect(found.explanation == "/help/diagnostics#duplicate-id")
  }

  @Test func `three elements with one id are one finding, which one diff shows once`() throws {
    let view = try LiveViewCoordinator.mounted(#"{"s":["<p id=a></p><p id=a></p><p id=a></p>"]}"#)
    #expect(view.log.record(of: 0)?.diagnostics.count == 2)
    let found = try findings(view)
    #expect(found.map(\.count) == [1] && found.map(\.locatedNodes.count) == [3])
  }

  @Test func `a duplicate id that was removed is no longer current`() throws {
    let twice = ##"<p id=\"d\"></p>"##
    let view = try LiveViewCoordinator.mounted(##"{"0":"\##(twice)","s":["<p id=\"d\"></p><div>","</div>"]}"##)
    #expect(try findings(view).map(\.isCurrent) == [true])
    try view.update(##"{"0":""}"##)
    #expect(try findings(view).map(\.isCurrent) == [false])
    #expect(try findings(view).map(\.lastVersion) == [0])
    try view.update(##"{"0":"\##(twice)"}"##)
    #expect(try findings(view).map { "\($0.firstVersion) \($0.lastVersion) \($0.count)" } == ["0 2 2"])
  }

  @Test func `whether an unlisted duplicate id is current is not known`() throws {
    let pairs = (0..<30).map { "<p id=a\($0)></p><p id=a\($0)></p>" }.joined()
    let view = try LiveViewCoordinator.mounted(##"{"0":"","s":["<div>","</div>\##(pairs)"]}"##)
    // Ten more duplicates precede the others in the list.
    let more = (0..<10).map { "<b id=b\($0)></b><b id=b\($0)></b>" }.joined()
    try view.update(##"{"0":"\##(more)"}"##)
    let states = Dictionary(grouping: try findings(view), by: \.isCurrent).mapValues(\.count)
    #expect(states == [true: 21, nil: 10])
  }

  @Test func `a repair names the element that it is in, and not the offset`() throws {
    let view = try LiveViewCoordinator.mounted(##"{"0":"","s":["<div id=\"m\">","</p></div>"]}"##)
    try view.update(##"{"0":"longer"}"##)
    let found = try #require(try findings(view).first)
    #expect(try findings(view).count == 1)
    #expect(found.message == "Stray `</p>`: browsers insert an empty `<p>`. Found in `<div#m>`.")
    #expect(found.locatedNodes.map(\.path) == ["div:nth-child(1)"])
    #expect(view.log.record(of: 0)?.diagnostics.first?.node?.number == 2)
  }

  @Test func `the repair of a part is past when the whole page is read without it, and unknown before`() throws {
    let view = try LiveViewCoordinator.mounted(##"{"0":"","1":"a","s":["<div>","</div><u>","</u>"]}"##)
    try view.update(##"{"0":"<b>x</i></b>"}"##)
    #expect(try findings(view).map(\.isCurrent) == [true])
    try view.update(##"{"1":"b"}"##)
    #expect(view.log.record(of: 2)?.path == .scoped)
    #expect(try findings(view).map(\.isCurrent) == [nil])
    try view.update(##"{"0":"<b>x</b>","1":"<div>b</div></div>"}"##)
    let last = try #require(view.log.record(of: 3))
    if last.readsWholePage { #expect(try findings(view)[0].isCurrent == false) }
  }

  @Test func `a rejected diff is a finding for each place and reason`() throws {
    let view = try LiveViewCoordinator.mounted(Self.page)
    for diff in [##"{"7":"x"}"##, ##"{"7":"y"}"##, ##"{"8":"y"}"##] {
      #expect(throws: UpdateError.self) { try view.update(diff) }
    }
    let rejected = try findings(view).filter { $0.code == "rejected-diff" }
    #expect(rejected.map(\.count) == [2, 1])
    #expect(rejected.map(\.isCurrent) == [true, true])
    #expect(rejected[0].message.hasPrefix("An input was rejected at /7: this slot does not exist"))
    try view.update(##"{"0":"z"}"##)
    #expect(try findings(view).filter { $0.code == "rejected-diff" }.map(\.isCurrent) == [nil, nil])
  }

  @Test func `an unknown key is counted in each diff that has it`() throws {
    let view = try LiveViewCoordinator.mounted(##"{"0":"a","s":["<p>","</p>"]}"##)
    for text in 1...4 { try view.update(##"{"0":"\##(text)","new":1}"##) }
    try view.update(##"{"0":"5"}"##)
    let found = try findings(view)
    #expect(found.map { "\($0.code) \($0.count) \($0.firstVersion)–\($0.lastVersion)" } == ["unknown-key 4 1–4"])
    #expect(found[0].isCurrent == false)
    #expect(try flagged(view) == [1, 2, 3, 4])
  }

  /// The versions that the findings are about.
  private func flagged(_ view: LiveViewCoordinator) throws -> [Int] {
    let view = try #require(view.view)
    return view.log.records.filter { view.findingEntries.count(in: $0) > 0 }.map(\.version)
  }

  static let stream = ##"""
    {"0":{"k":{"0":{"0":"s-1"},"kc":1},"s":["<li id=\"","\">x</li>"],"stream":["songs",[["s-1",-1,null,false]],[]]},"s":["<ul id=\"l\" phx-update=\"stream\">","</ul>"]}
    """##

  @Test(arguments: [UpdateOptions.Pipeline.scoped, .full])
  func `a stream's unknown children are one finding for each stream and operation`(pipeline: UpdateOptions.Pipeline)
    throws
  {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions(pipeline: pipeline).withAnalyses)
    try view.mount(Array(Self.stream.utf8), dialect: .html)
    for id in 5...7 {
      try view.update(##"{"0":{"k":{"kc":0},"stream":["songs",[],["s-\##(id)"]]}}"##)
      try view.update(
        ##"{"0":{"k":{"0":{"0":"t-\##(id)"},"kc":1},"stream":["songs",[["t-\##(id)",-1,null,true]],[]]}}"##)
    }
    try view.update(##"{"0":{"k":{"kc":0},"stream":["songs",[],["s-1"]]}}"##)
    let found = try findings(view)
    #expect(found.map(\.code) == ["unknown-stream-child", "unknown-stream-child"])
    #expect(found.map(\.count) == [3, 3] && found.map(\.isCurrent) == [false, false])
    #expect(
      found[0].message
        == #"Stream "songs" deletes the item "s-7", which the page does not have; browsers ignore it"#)
    #expect(view.markup == #"<ul id="l" phx-update="stream"></ul>"#)
  }

  @Test func `at most 200 findings are kept, and one that counts the diffs with others`() throws {
    let view = try LiveViewCoordinator.mounted(##"{"0":"a","s":["<p>","</p>"]}"##)
    for round in 0..<300 {
      #expect(throws: UpdateError.self) { try view.update(##"{"\##(round + 5)":"x"}"##) }
    }
    let found = try findings(view)
    #expect(found.count == 201)
    #expect(found.last?.code == "more-findings" && found.last?.count == 100)
    #expect(found.last?.message.contains("200") == true)
  }

  @Test func `long ids do not make a finding long`() throws {
    let id = String(repeating: "é", count: 100_000)
    let view = try LiveViewCoordinator.mounted(
      ##"{"s":["<p id=\##(id)></p><p id=\##(id)></p><p id=\##(id)x></p><p id=\##(id)x>"]}"##)
    let found = try findings(view)
    #expect(found.filter { $0.code == "duplicate-id" }.count == 2)
    for finding in found {
      #expect(finding.message.utf8.count + finding.locatedNodes.reduce(0) { $0 + $1.path.utf8.count } < 2_000)
    }
  }

  @Test func `findings survive the eviction of their entries, and a remount begins without them`() throws {
    var limits = MirrorLimits()
    limits.versions = 3
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses, limits: limits)
    try view.mount(Array(Self.page.utf8), dialect: .html)
    for text in 1...20 { try view.update(##"{"0":"\##(text)"}"##) }
    #expect(view.log.record(of: 0) == nil)
    #expect(try findings(view).map { "\($0.firstVersion) \($0.lastVersion) \($0.count)" } == ["0 20 21"])
    try view.mount(Array(##"{"s":["<p>x</p>"]}"##.utf8), dialect: .html)
    #expect(try findings(view) == [])
  }

  @Test func `a component that was never reported as destroyed is a finding until the report comes`() throws {
    let view = LiveViewCoordinator(id: "lv:a", options: UpdateOptions().withAnalyses)
    func send(_ frame: String) throws {
      let decoder = WireDecoder()
      _ = try view.receive(try #require(try decoder.decode(Array(frame.utf8), as: .frames).first).get(), dialect: .html)
    }
    try send(
      ##"["1","1","lv:a","phx_reply",{"status":"ok","response":{"rendered":{"0":1,"1":"","s":["<div>","</div><u>","</u>"],"c":{"1":{"s":["<b>c</b>"]}}}}}]"##
    )
    try send(##"["1",null,"lv:a","diff",{"0":""}]"##)
    for text in 1...18 { try send(##"["1",null,"lv:a","diff",{"1":"\##(text)"}]"##) }
    #expect(try findings(view) == [])
    for text in 19...21 { try send(##"["1",null,"lv:a","diff",{"1":"\##(text)"}]"##) }
    let found = try #require(try findings(view).first)
    #expect(found.code == "component-not-removed" && found.firstVersion == 1 && found.isCurrent == true)
    // The diff that hid the component, and not the later ones.
    #expect(try flagged(view) == [1])
    #expect(found.message.hasPrefix("1 component is no longer in the page") && found.message.contains(": 1."))
    try send(##"["1","9","lv:a","phx_reply",{"status":"ok","response":{"cids":[1]}}]"##)
    #expect(try findings(view) == [])
  }

  @Test func `a hidden component of a feed without frames is not a finding`() throws {
    let view = try LiveViewCoordinator.mounted(
      ##"{"0":1,"1":"","s":["<div>","</div><u>","</u>"],"c":{"1":{"s":["<b>c</b>"]}}}"##)
    try view.update(##"{"0":""}"##)
    for text in 1...40 { try view.update(##"{"1":"\##(text)"}"##) }
    #expect(try findings(view) == [])
  }

  /// The causes in the diagnostics of a record, found without ``DocumentDiagnostic/subject``.
  private func causes(of record: ChangeRecord) -> Set<String> {
    Set(
      record.diagnostics.map { diagnostic in
        var cause = diagnostic.message.replacing(#/ \(at byte \d+ of [^)]*\)$/#, with: "")
        if let id = diagnostic.message.firstMatch(of: #/^id "(.*)" is used at /#) { cause = String(id.1) }
        if let stream = diagnostic.message.firstMatch(of: #/^stream "(.*)" (updates|deletes) /#) {
          cause = "\(stream.1) \(stream.2)"
        }
        if diagnostic.message.hasSuffix("more duplicate ids") { cause = "" }
        return "\(diagnostic.code) \(cause)"
      })
  }

  @Test(arguments: Recording.all)
  func `the findings of a recording are the distinct causes of its diagnostics`(recording: Recording) throws {
    let decoder = WireDecoder()
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    var counts: [String: Int] = [:]
    for step in recording.steps where step.topic == "lv:\(recording.rootID)" {
      let message = try #require(try decoder.decode(step.frame, as: .frames).first).get()
      if case .rendered = message.content { counts = [:] }
      if let record = try view.receive(message, dialect: recording.isNative ? .native : .html) {
        for cause in causes(of: record) { counts[cause, default: 0] += 1 }
      }
    }
    // These two are not derived from the diagnostics of the log.
    let found = try findings(view).filter { !["component-not-removed", "unkeyed-list"].contains($0.code) }
    #expect(found.count == counts.count, "\(found) \(counts)")
    #expect(
      found.map { "\($0.code) \($0.count)" }.sorted()
        == counts.map { "\($0.key.prefix { $0 != " " }) \($0.value)" }.sorted())
  }
}
