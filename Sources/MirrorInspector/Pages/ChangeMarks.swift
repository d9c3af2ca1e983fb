internal import LiveViewMirror
internal import MarkupDocument

/// How a change is marked wherever it is shown: a sign and a word, never a colour alone.
enum ChangeMark: String, Hashable, CaseIterable {
  case changed, added, removed, moved

  var sign: String {
    switch self {
    case .changed: "~"
    case .added: "+"
    case .removed: "-"
    case .moved: "⇄"
    }
  }

  init(_ change: Change) {
    switch change {
    case .text, .attributes: self = .changed
    case .add: self = .added
    case .remove: self = .removed
    case .move: self = .moved
    }
  }

  var html: HTML {
    "<b class=\"mark \(rawValue)\" role=\"img\" aria-label=\"\(rawValue)\" title=\"\(rawValue)\">\(sign)</b>"
  }
}

/// What one version did to the nodes that it left: one mark for each line of its entry in the log but the removals,
/// which have no node any more. Both derive from the record's change set, so they cannot disagree.
struct ChangeMarks {
  private(set) var nodes: [NodeRef: [ChangeMark]] = [:]
  /// The attributes that changed.
  private(set) var attributes: [NodeRef: Set<String>] = [:]

  init(_ record: ChangeRecord?) {
    for change in record?.changeSet.changes ?? [] {
      if case .remove = change { continue }
      let mark = ChangeMark(change)
      if nodes[change.node]?.contains(mark) != true { nodes[change.node, default: []].append(mark) }
      if case .attributes(let node, _, let changes) = change {
        attributes[node, default: []].formUnion(changes.map(\.name))
      }
    }
  }

  func html(of node: NodeRef) -> HTML? { nodes[node].map { "\($0.map(\.html))" } }
}
