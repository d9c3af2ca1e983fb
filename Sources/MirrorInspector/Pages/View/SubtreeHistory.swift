internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorAnalysis

/// The changes of a node, and of the nodes that were below it at the time of the change, newest
/// version first. The tab *Node* of ``ViewPage`` lists them. For example, the changes of a table
/// row include those of its cells.
struct SubtreeHistory {
  /// The changes of one version.
  struct Version {
    let record: ChangeRecord
    /// The positions of the node's own changes in the record's change set.
    let own: [Int]
    /// The positions of the first changes below the node.
    let below: [Int]
    /// The number of the other changes below the node.
    let more: Int
  }

  /// The maximum number of listed versions.
  static let versionLimit = 50
  /// The maximum number of listed changes below the node in one version.
  static let changeLimit = 5

  private(set) var versions: [Version] = []
  /// The number of versions before the listed ones that changed the subtree.
  private(set) var earlierCount = 0

  /// Walks from the newest version of the node to the oldest, and reverts moves and removals on the
  /// way. So a change is listed if its node was below the selected one at the time of the change.
  ///
  /// - Parameters:
  ///   - removal: the version that removed the node; `nil` if the node is in the newest version.
  ///   - showsBlanks: whether to list changes of white space and HEEx's comments below the node.
  /// - Complexity: O(*changes in the log* · *depth* + *nodes that the log removes*), and that of
  ///   ``ViewState/document(at:)`` for a removed node.
  init(of node: NodeRef, in view: ViewState, removedAt removal: Int?, includingBlanks showsBlanks: Bool) {
    let last = removal.flatMap { view.document(at: $0 - 1) } ?? view.document
    var places = Places(document: last, top: node)
    for record in view.log.records.reversed() where record.version <= removal ?? .max {
      let changes = record.changeSet.changes
      var below: Set<Int> = []
      func add(_ isBelow: (Change) -> Bool) {
        for position in changes.indices where isBelow(changes[position]) {
          if showsBlanks || !changes[position].isSeldomOfInterest { below.insert(position) }
        }
      }
      if record.version != removal {
        add { $0.nodeAfter.map(places.isBelowTop) ?? false }
        for change in record.changeSet.all { places.revert(change) }
      }
      add { $0.nodeBefore.map(places.isBelowTop) ?? false }
      let own = changes.indices.reversed().filter { changes[$0].concerns(node) }
      below.subtract(own)
      if own.isEmpty && below.isEmpty { continue }
      guard versions.count < Self.versionLimit else {
        earlierCount += 1
        continue
      }
      let listed = Array(below.sorted().prefix(Self.changeLimit))
      versions.append(Version(record: record, own: own, below: listed, more: below.count - listed.count))
    }
  }

  /// The parents of nodes at an earlier version than that of the document. Each call of
  /// ``revert(_:)`` undoes one change.
  private struct Places {
    let document: Document
    let top: NodeRef
    /// The parents that differ from those in the document.
    private var parents: [NodeRef: NodeRef] = [:]

    init(document: Document, top: NodeRef) { (self.document, self.top) = (document, top) }

    mutating func revert(_ change: Change) {
      switch change {
      case .remove(let nodes, let position, _):
        parents[nodes[0]] = position.parent
        // Exact parents are not needed, because the removed nodes are one subtree: either all of
        // them were below the selected node, or none was.
        for node in nodes.dropFirst() { parents[node] = nodes[0] }
      case .move(let node, _, let from, _): parents[node] = from.parent
      case .text, .attributes, .add: break
      }
    }

    func isBelowTop(_ node: NodeRef) -> Bool {
      var step = node
      while let parent = parents[step] ?? document.parent(of: step) {
        if parent == top { return true }
        step = parent
      }
      return false
    }
  }
}

extension Change {
  /// The changed, added or moved node, which is in the document after the change.
  fileprivate var nodeAfter: NodeRef? { if case .remove = self { nil } else { node } }

  /// The changed, removed or moved node, which was in the document before the change.
  fileprivate var nodeBefore: NodeRef? { if case .add = self { nil } else { node } }
}
