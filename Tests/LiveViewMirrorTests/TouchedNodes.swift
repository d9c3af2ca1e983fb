import MarkupDocument

/// The nodes that a change set changes, by the kind of change, as a browser's `MutationObserver`
/// sees them: as paths of indexes among the children, from the view's element down. The path of a
/// removed node is that before the change.
///
/// Which children of a node move is a matter of choice, so moves among them are a path and their
/// number.
struct TouchedNodes {
  private(set) var paths: [String: [String]] = [:]

  init(_ changes: ChangeSet, from before: Document, to after: Document) {
    var moves: [NodeRef: Int] = [:]
    for change in changes.changes {
      switch change {
      case .text(let node, _, _, _): add(node, as: "text", in: after)
      case .attributes(let node, _, let attributes):
        // The client's own attributes say nothing of the page.
        if !attributes.allSatisfy({ $0.name.hasPrefix("data-phx-") }) { add(node, as: "attributes", in: after) }
      case .add(let subtree, _): add(subtree.root, as: "add", in: after)
      case .remove(let nodes, _, _): add(nodes[0], as: "remove", in: before)
      case .move(let node, _, let from, let to):
        if from.parent == to.parent { moves[to.parent, default: 0] += 1 } else { add(node, as: "move", in: after) }
      }
    }
    for (parent, count) in moves { add(parent, as: "reorder", in: after, ":\(count)") }
    paths = paths.mapValues { $0.sorted() }
  }

  private mutating func add(_ node: NodeRef, as kind: String, in document: Document, _ suffix: String = "") {
    var path: [String] = []
    var step = node
    while let parent = document.parent(of: step) {
      path.append("\(document.children(of: parent).firstIndex(of: step) ?? -1)")
      step = parent
    }
    paths[kind, default: []].append(path.reversed().joined(separator: "/") + suffix)
  }
}
