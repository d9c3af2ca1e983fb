import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import NodeObservation
import RenderedTree

extension LiveViewCoordinator {
  /// A view with its first page mounted.
  static func mounted(_ json: String, dialect: Dialect = .html) throws -> LiveViewCoordinator {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    try view.mount(Array(json.utf8), dialect: dialect)
    return view
  }

  @discardableResult
  func update(_ json: String) throws(UpdateError) -> ChangeRecord { try update(Array(json.utf8)) }

  /// The markup of the document; empty if nothing is mounted.
  var markup: String { document.map { $0.markup(of: $0.root) } ?? "" }
}

extension ChangeRecord {
  /// One line for each change, with the slots that caused it.
  var lines: [String] {
    zip(changeSet.changes, slots).map { change, slots in
      slots.isEmpty ? "\(change)" : "\(change) by \(slots.joined(separator: " "))"
    }
  }

  var notifiedNumbers: [Int] { notified.map { Int($0.number) } }
}

/// The state that a refused input must not change.
struct Untouched: Equatable {
  var version: Int?
  var epoch: Int?
  var nodes: [NodeRef]
  var markup: String
  var rendered: String?
  var counts: [NodeRef: NodePublishers.Count]
  /// The number of updates, and of components that were destroyed.
  var effects: Int?

  init(_ view: LiveViewCoordinator) {
    let state = view.view
    version = state?.version
    epoch = state?.epoch
    nodes = state.map { $0.document.nodes(from: $0.document.root) } ?? []
    markup = view.markup
    rendered = state?.rendered.json.text
    counts = view.publishers.counts()
    effects = state?.log.entries.reduce(0) { $0 + ($1.record == nil ? 0 : 1) + $1.destroyed.count }
  }
}
