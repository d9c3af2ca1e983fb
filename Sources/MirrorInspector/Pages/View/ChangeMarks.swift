internal import LiveViewMirror
internal import MarkupDocument

/// The mark of a change: a sign and a word, never only a colour. The tree, the timeline and the
/// tables and lists of changes have the same marks.
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

  /// The line around the element in a picture of the page. The style sheet in ``DocumentPage`` must
  /// draw the same.
  var line: HTML {
    switch self {
    case .changed: "solid"
    case .added: "double"
    case .removed: "dashed"
    case .moved: "dotted"
    }
  }

  init(_ op: ChangeOp) {
    switch op {
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

/// The kinds of changes, as JSON and filters name them.
enum ChangeOp: String, CaseIterable {
  case text, attributes, add, remove, move
}

extension Change {
  var op: ChangeOp {
    switch self {
    case .text: .text
    case .attributes: .attributes
    case .add: .add
    case .remove: .remove
    case .move: .move
    }
  }
}

/// The marks of the nodes that one version changed and that still exist. ``ViewPage`` has the marks
/// of the shown version, for its tree and its mirror. The log entry and these marks derive from the
/// same change set, so they always agree.
struct ChangeMarks {
  private(set) var nodes: [NodeRef: [ChangeMark]] = [:]
  /// The changed attributes.
  private(set) var attributes: [NodeRef: Set<String>] = [:]

  init(_ record: ChangeRecord?) {
    for change in record?.changeSet.changes ?? [] {
      if case .remove = change { continue }
      let mark = ChangeMark(change.op)
      if nodes[change.node]?.contains(mark) != true { nodes[change.node, default: []].append(mark) }
      if case .attributes(let node, _, let changes) = change {
        attributes[node, default: []].formUnion(changes.map(\.name))
      }
    }
  }

  func html(of node: NodeRef) -> HTML? { nodes[node].map { "\($0.map(\.html))" } }
}
