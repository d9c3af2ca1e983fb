internal import MarkupDocument

/// The positions of an update's changes as a reader counts them: elements among elements, from 1.
/// A ``Position`` counts white space and comments, too. ``ViewPage`` writes the items into the
/// lines of changes.
///
/// The positions before the update derive from the document after it, so no earlier version is
/// rebuilt.
struct ChangedItems {
  /// The items of removed and of moved elements, by their positions before the update.
  private(set) var before: [Position: Int] = [:]
  /// The items of added and of moved elements, by their positions after the update.
  private(set) var after: [Position: Int] = [:]

  init() {}

  /// - Parameter document: the document after the changes.
  /// - Complexity: O(*changes* log *changes* + *children of their parents*).
  init(of changes: [Change], in document: Document) {
    var arrivals: [NodeRef: Set<NodeRef>] = [:]
    var departures: [NodeRef: [(index: Int, isElement: Bool)]] = [:]
    func leave(_ position: Position, _ name: DisplayName) {
      departures[position.parent, default: []].append((position.index, name.tag != nil))
    }
    for change in changes {
      switch change {
      case .add(let subtree, let position): arrivals[position.parent, default: []].insert(subtree.root)
      case .remove(_, let position, let name): leave(position, name)
      case .move(let node, let name, let from, let to):
        leave(from, name)
        arrivals[to.parent, default: []].insert(node)
      case .text, .attributes: break
      }
    }
    for parent in Set(arrivals.keys).union(departures.keys) where document.contains(parent) {
      // `staying[n]` is the number of elements among the first `n` children that stay.
      let (arrived, left) = (arrivals[parent] ?? [], departures[parent] ?? [])
      var (item, staying) = (0, [0])
      for (index, child) in document.children(of: parent).enumerated() {
        let isElement = document.content(of: child)?.element != nil
        if isElement { item += 1 }
        if !arrived.contains(child) {
          staying.append((staying.last ?? 0) + (isElement ? 1 : 0))
        } else if isElement {
          after[Position(parent: parent, index: index)] = item
        }
      }
      var elements = 0
      for (count, place) in left.sorted(by: { $0.index < $1.index }).enumerated() where place.isElement {
        elements += 1
        // `count` children before this one leave, too.
        let stayed = staying[min(max(0, place.index - count), staying.count - 1)]
        before[Position(parent: parent, index: place.index)] = stayed + elements
      }
    }
  }
}
