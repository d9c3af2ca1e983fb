@testable import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import RecordingFixtures
import RenderedTree
import Testing

/// Explanations of real traffic, of hostile updates and of large ones.
@Suite struct ExplainedRecordingTests {
  /// All parts, parents before their children.
  private func parts(_ part: DiffExplanation.Part) -> [DiffExplanation.Part] { [part] + part.children.flatMap(parts) }

  private func records(of recording: Recording) throws -> [ChangeRecord] {
    var views = RecordedViews(recording)
    return try recording.steps.compactMap { step in
      try views.next(step).receive()
    }
  }

  @Test(arguments: Recording.all)
  func `each slot of a change is a part with this change, and sizes fit`(recording: Recording) throws {
    for record in try records(of: recording) {
      let explanation = DiffExplanation(record)
      let all = parts(explanation.root)
      let place: Comment = "version \(record.version)"
      #expect(explanation.count == all.count && all.count <= DiffExplanation.Limits.parts, place)
      // Recordings are frames: their input is compact JSON, whatever the size of the frame.
      #expect(explanation.root.bytes == record.input.utf8.count, place)
      #expect(Set(all.map(\.path)).count == all.count, place)
      for part in all {
        #expect(part.children.reduce(0) { $0 + $1.bytes } <= part.bytes, "\(place) \(part.path)")
        #expect(part.nodes == part.changes.map { record.changeSet.changes[$0].node }.reduced, "\(place) \(part.path)")
        #expect(part.kind != .unknown, "\(place) \(part.path)")
      }
      if all.contains(where: { $0.moreChanges > 0 }) { continue }
      let byPath = Dictionary(uniqueKeysWithValues: all.map { ($0.path, $0) })
      for (change, slots) in record.slots.enumerated() {
        for slot in slots.isEmpty ? [""] : slots {
          // Beyond the limit, the change belongs to the nearest part around the slot.
          var path = slot
          while byPath[path] == nil, explanation.count == DiffExplanation.Limits.parts {
            path = path.lastIndex(of: ".").map { String(path[..<$0]) } ?? ""
          }
          #expect(byPath[path]?.changes.contains(change) == true, "\(place) slot \(slot)")
        }
      }
      for slot in record.waste.slots {
        // An entry that the limit of a stream has removed at once is waste, and the likely cause of
        // other removals.
        let part = byPath[slot]
        #expect(part?.isWaste == true || part?.changes.isEmpty == false, "\(place) waste \(slot)")
      }
    }
  }

  private func explain(_ rendered: String, _ diff: String) throws -> DiffExplanation {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    try view.mount(Array(rendered.utf8), dialect: .html)
    return DiffExplanation(try view.update(Array(diff.utf8)))
  }

  @Test func `a long list has at most 200 parts, and those that caused a change`() throws {
    let entries = (0..<5_000).map { #""\#($0)":{"0":"e\#($0)"}"# }
    let rendered =
      #"{"s":["<ul>","</ul>"],"0":{"s":["<li>","</li>"],"k":{\#(entries.joined(separator: ",")),"kc":5000}}}"#
    let again = entries.enumerated().map { $0 % 1_000 == 999 ? #""\#($0)":{"0":"new"}"# : $1 }
    let explanation = try explain(rendered, #"{"0":{"k":{\#(again.joined(separator: ",")),"kc":5000}}}"#)
    let keyed = try #require(parts(explanation.root).first { $0.kind == .keyed })
    // 200, the 100 that the record names as waste, the five that changed, and `kc`.
    #expect(keyed.children.count == 306 && keyed.more == 4_695)
    #expect(
      keyed.children.filter { entry in entry.children.contains { !$0.changes.isEmpty } }.map(\.path).suffix(1) == [
        "0.k.4999"
      ])
    #expect(keyed.children.last?.kind == .count && !keyed.isWaste)
    #expect(explanation.unmarkedWaste == 4_895)
    #expect(explanation.description.contains("… 4,695 more parts") && explanation.description.hasSuffix("not marked"))
  }

  @Test func `the changes of slots beyond the limit belong to the nearest part around them`() throws {
    func entries(_ text: String) -> String {
      (0..<2_500).map { #""\#($0)":{"0":"\#(text)\#($0)"}"# }.joined(separator: ",")
    }
    let explanation = try explain(
      #"{"s":["<ul>","</ul>"],"0":{"s":["<li>","</li>"],"k":{\#(entries("a")),"kc":2500}}}"#,
      #"{"0":{"k":{\#(entries("b")),"kc":2500}}}"#)
    let all = parts(explanation.root)
    #expect(all.count == 2_000)
    let keyed = try #require(all.first { $0.kind == .keyed })
    #expect((keyed.changes.count, keyed.moreChanges, keyed.more) == (200, 303, 504))
    #expect(all.filter { $0.kind == .entry }.allSatisfy { $0.changes.count == 1 && $0.more == 1 })
    #expect(explanation.root.changes.isEmpty)
  }

  @Test func `a deep diff is cut at 48 steps, and its changes belong to the last part`() throws {
    var (rendered, diff) = (#"{"s":["<b>","</b>"],"0":"x"}"#, #"{"0":"y"}"#)
    for _ in 0..<200 {
      rendered = #"{"s":["<b>","</b>"],"0":\#(rendered)}"#
      diff = #"{"0":\#(diff)}"#
    }
    let all = parts(try explain(rendered, diff).root)
    #expect(all.count == 49)
    #expect(all.last?.changes == [0] && all.last?.more == 1)
    #expect(all.dropLast().allSatisfy { $0.changes.isEmpty })
  }

  @Test func `hostile names and values are shortened`() throws {
    let name = String(repeating: "n", count: 100_000)
    let explanation = try explain(
      #"{"s":["<p>","</p>"],"0":"0"}"#,
      #"{"0":"\#(String(repeating: #"\ud83d\ude00"#, count: 10_000))","\#(name)":[[[[{}]]]],"e":[["\#(name)",{}]]}"#)
    #expect(explanation.description.utf8.count < 1_500)
    let text = try #require(parts(explanation.root).first { $0.path == "0" })
    #expect(text.value == String(repeating: "😀", count: 80) + "…" && text.bytes == 120_002)
  }
}

extension [NodeRef] {
  /// Each once.
  fileprivate var reduced: [NodeRef] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
