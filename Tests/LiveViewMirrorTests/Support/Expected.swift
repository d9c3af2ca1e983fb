import LiveViewMirror
import MarkupDocument
import NodeObservation
import RecordingFixtures
import RenderedTree
import Testing

/// The nodes to notify, and the moves, additions and removals that lead from one document to
/// another, computed naively.
struct Expected {
  var notified: [NodeRef] = []
  /// For each parent, the smallest number of its kept children that must move within it.
  var moves: [NodeRef: Int] = [:]
  /// Nodes that changed their parent.
  var moved: Set<NodeRef> = []
  var added: Set<NodeRef> = []
  var removed: Set<NodeRef> = []

  init(from old: Document, to new: Document) {
    let (before, after) = (Set(old.nodes(from: old.root)), Set(new.nodes(from: new.root)))
    added = after.subtracting(before)
    removed = before.subtracting(after)
    for node in new.nodes(from: new.root) where before.contains(node) {
      let (was, `is`) = (old.children(of: node), new.children(of: node))
      let isNotified =
        was != `is` || old.content(of: node)?.isEqual(to: new.content(of: node) ?? .root) != true
        || `is`.contains { child in
          guard let text = old.content(of: child), text.element == nil, let now = new.content(of: child) else {
            return false
          }
          return Self.bytes(text) != Self.bytes(now)
        }
      if isNotified, old.content(of: node)?.element != nil || node == new.root { notified.append(node) }
      let kept = `is`.filter { was.contains($0) }
      let places = kept.compactMap { was.firstIndex(of: $0) }
      let longest = places.longestRise
      if longest < kept.count { moves[node] = kept.count - longest }
      moved.formUnion(`is`.filter { before.contains($0) && !was.contains($0) })
    }
    for node in added { moved.formUnion(new.children(of: node).filter(before.contains)) }
  }

  private static func bytes(_ content: NodeContent) -> [UInt8] {
    switch content {
    case .text(let text), .comment(let text): Array(text.utf8)
    case .processingInstruction(let instruction): Array("\(instruction.target) \(instruction.data)".utf8)
    case .element, .root: []
    }
  }

  /// The first difference between a change set and the expected moves, additions and removals, if
  /// any.
  func fault(in changeSet: ChangeSet) -> String? {
    var (within, across): ([NodeRef: Int], Set<NodeRef>) = ([:], [])
    var (came, went): (Set<NodeRef>, Set<NodeRef>) = ([], [])
    for change in changeSet.all {
      switch change {
      case .move(let node, _, let from, let to):
        if from.parent == to.parent { within[to.parent, default: 0] += 1 } else { across.insert(node) }
      case .add(let subtree, _): came.formUnion(subtree.nodes.map(\.ref))
      case .remove(let nodes, _, _): went.formUnion(nodes)
      case .text, .attributes: continue
      }
    }
    if within != moves { return "moved within parents \(within), expected \(moves)" }
    if across != moved { return "moved across parents \(across.sorted()), expected \(moved.sorted())" }
    if came != added { return "added \(came.sorted()), expected \(added.sorted())" }
    if went != removed { return "removed \(went.sorted()), expected \(removed.sorted())" }
    return nil
  }
}
