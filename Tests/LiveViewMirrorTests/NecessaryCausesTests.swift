import Foundation
@testable import LiveViewMirror
import MarkupDocument
import RecordingFixtures
import RenderedTree
import Testing

/// Causes are necessary: without any one of the slots that a change names, the rest of the diff
/// does not lead to the same change.
@Suite struct NecessaryCausesTests {
  /// Each slot is left out, one at a time, but only one slot of each diff of a larger document.
  private static let largeDocument = 1_000

  @Test(arguments: Recording.all, UpdateOptions.Pipeline.allCases)
  func `no change of a recording happens without one of its causes`(
    recording: Recording, pipeline: UpdateOptions.Pipeline
  ) throws {
    var views = RecordedViews(recording, options: UpdateOptions(pipeline: pipeline))
    for step in recording.steps {
      let (view, receive) = try views.next(step)
      let before = view.view
      guard let record = try receive(), record.version > 0, let before else { continue }
      let limit = before.document.count > Self.largeDocument ? 1 : .max
      let causes = NecessaryCauses(of: record, from: before, trying: limit)
      for needless in causes.needless {
        Issue.record("step \(step.index): \(needless) in \(record.input.prefix(400))")
      }
    }
  }
}

/// Applies a diff without each of its causes, by a full update.
struct NecessaryCauses {
  /// The causes without which the change happens as well.
  private(set) var needless: [String] = []

  /// - Parameters:
  ///   - before: the view before the update.
  ///   - limit: the maximum number of slots that are left out. They are chosen by the version, so
  ///     that all kinds are tried.
  init(of record: ChangeRecord, from before: ViewState, trying limit: Int) {
    guard let diff = try? JSONSerialization.jsonObject(with: Data(record.input.utf8)),
      let tree = try? JSONSerialization.jsonObject(with: Data(before.rendered.json.text.utf8))
    else { return }
    let changes = record.changeSet.changes
    let all = Self.counts(changes)
    let names = Set(record.slots.joined()).sorted()
    for position in 0..<min(limit, names.count) {
      let name = names[(record.version + position * max(1, names.count / limit)) % names.count]
      guard let reduced = ReducedDiff(leavingOut: name, of: diff, before: tree) else { continue }
      let rest = Self.counts(Self.changes(of: reduced.bytes, from: before))
      for (change, slots) in zip(changes, record.slots) where slots.contains(name) {
        let effect = Self.effect(of: change)
        if rest[effect, default: 0] >= all[effect, default: 0] {
          needless.append("\(change) by \(slots.joined(separator: " ")) without \(name)")
        }
      }
    }
  }

  /// - Returns: no changes if the diff is refused.
  private static func changes(of diff: [UInt8], from before: ViewState) -> [Change] {
    guard let message = try? WireDecoder().update(diff, isMount: false),
      let update = try? FullUpdate(message, to: before, because: .verification)
    else { return [] }
    return update.prepared.changeSet.changes
  }

  private static func counts(_ changes: [Change]) -> [String: Int] {
    Dictionary(changes.map { (effect(of: $0), 1) }, uniquingKeysWith: +)
  }

  /// The place and the result of a change, without the names of new nodes.
  private static func effect(of change: Change) -> String {
    switch change {
    case .text(let node, _, _, let after): "text \(node) \(after)"
    case .attributes(let node, _, let changes): "attributes \(node) \(changes)"
    case .add(let subtree, let position): "add \(position) \(subtree.nodes.map { "\($0.content)" })"
    case .remove(let nodes, _, _): "remove \(nodes[0])"
    case .move(let node, _, _, let to): "move \(node) \(to)"
    }
  }
}
