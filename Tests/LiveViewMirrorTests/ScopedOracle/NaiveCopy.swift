import MarkupDocument
import MirrorViews

/// A document as a dictionary, changed exactly as the documentation of `ChangeSet` says.
///
/// It is created once and then changed only by change sets, so the effect of a wrong change set
/// stays visible in later versions.
struct NaiveCopy {
  fileprivate struct Node {
    var content: NodeContent
    var parent: NodeRef?
    var children: [NodeRef] = []
  }

  private var nodes: [NodeRef: Node] = [:]
  /// The highest number that was ever used. New nodes must have higher numbers.
  private var lastNumber = 0

  init(_ document: Document) {
    for node in document.nodes(from: document.root) {
      nodes[node] = Node(
        content: document.content(of: node) ?? .root, parent: document.parent(of: node),
        children: document.children(of: node))
    }
    lastNumber = document.nextNumber - 1
  }

  // MARK: - Applying

  /// - Returns: the violated rule of the change set, if any.
  mutating func apply(_ changeSet: ChangeSet) -> String? {
    let before = nodes
    for change in changeSet.all {
      if let fault = departOrChange(change, before) { return "\(fault), in \(change)" }
    }
    for case .remove(let gone, _, _) in changeSet.all {
      for node in gone {
        if nodes.removeValue(forKey: node) == nil { return "node \(node) is removed but does not exist" }
      }
    }
    var arrivals: [NodeRef: [(index: Int, node: NodeRef)]] = [:]
    var newest = lastNumber
    for change in changeSet.all {
      switch change {
      case .add(let subtree, let position):
        for (place, node) in subtree.nodes.enumerated() {
          if node.ref.number <= lastNumber { return "the number of \(node.ref) was used before" }
          newest = max(newest, node.ref.number)
          let parent = place == 0 ? position.parent : node.parent.map { subtree.nodes[$0].ref }
          guard nodes.updateValue(Node(content: node.content, parent: parent), forKey: node.ref) == nil else {
            return "\(node.ref) is added twice"
          }
          if place > 0, let parent { nodes[parent]?.children.append(node.ref) }
        }
        arrivals[position.parent, default: []].append((position.index, subtree.root))
      case .move(let node, _, _, let to):
        nodes[node]?.parent = to.parent
        arrivals[to.parent, default: []].append((to.index, node))
      case .text, .attributes, .remove: break
      }
    }
    lastNumber = newest
    for (parent, arriving) in arrivals {
      guard var children = nodes[parent]?.children else { return "a node arrives in \(parent), which does not exist" }
      for (index, node) in arriving.sorted(by: { $0.index < $1.index }) {
        guard index <= children.count else { return "\(node) arrives at \(index) of \(children.count) in \(parent)" }
        children.insert(node, at: index)
      }
      nodes[parent]?.children = children
    }
    return nil
  }

  /// Takes a removed or moved node out of its parent, or changes a text or attributes.
  private mutating func departOrChange(_ change: Change, _ before: [NodeRef: Node]) -> String? {
    switch change {
    case .remove(let gone, let from, _):
      guard let node = gone.first, before.child(of: from) == node else { return "another node stands there" }
      nodes[from.parent]?.children.removeAll { $0 == node }
    case .move(let node, _, let from, _):
      guard before.child(of: from) == node else { return "another node stands there" }
      nodes[from.parent]?.children.removeAll { $0 == node }
    case .text(let node, _, let old, let new):
      switch before[node]?.content {
      case .text(let text)? where text.utf8.elementsEqual(old.utf8): nodes[node]?.content = .text(new)
      case .comment(let text)? where text.utf8.elementsEqual(old.utf8): nodes[node]?.content = .comment(new)
      case .processingInstruction(let instruction)? where instruction.data.utf8.elementsEqual(old.utf8):
        nodes[node]?.content = .processingInstruction(.init(target: instruction.target, data: new))
      default: return "the old text of the change is wrong"
      }
      if old.utf8.elementsEqual(new.utf8) { return "the text does not change" }
    case .attributes(let node, let tag, let changes):
      guard case .element(var element)? = before[node]?.content, element.tag == tag else {
        return "the node is no element with this tag"
      }
      for change in changes {
        let place = element.attributes.firstIndex { $0.name == change.name }
        guard place.map({ Array(element.attributes[$0].value.utf8) }) == change.before.map({ Array($0.utf8) }) else {
          return "the old value of \(change.name) is wrong"
        }
        if let place { element.attributes.remove(at: place) }
        if let value = change.after { element.attributes.append(Element.Attribute(change.name, value)) }
      }
      nodes[node]?.content = .element(element)
    case .add: break
    }
    return nil
  }

  // MARK: - Comparing

  /// - Returns: the first difference between the copy and the document, node references included.
  func difference(from document: Document) -> String? {
    if nodes.count != document.count { return "the copy has \(nodes.count) nodes, the document \(document.count)" }
    for place in document.tree.preorder() {
      let ref = document.ref(place)
      guard let node = nodes[ref] else { return "the copy has no \(ref)" }
      if !node.content.isEqual(to: document.tree[place]) {
        return "\(ref) is \(node.content) in the copy and \(document.tree[place]) in the document"
      }
      if node.parent != document.tree.parent(of: place).map(document.ref) { return "\(ref) has another parent" }
      let children = document.tree.children(of: place).map(document.ref)
      if node.children != children { return "\(ref) has the children \(node.children) in the copy, not \(children)" }
    }
    return nil
  }

  /// The nodes to notify, by the rule of `ChangeSet.notified` but with independent code.
  static func notified(by changeSet: ChangeSet, in document: Document) -> [NodeRef] {
    let added = Set(
      changeSet.changes.flatMap { change -> [NodeRef] in
        if case .add(let subtree, _) = change { subtree.nodes.map(\.ref) } else { [] }
      })
    var nodes: Set<NodeRef> = []
    for change in changeSet.changes {
      if case .attributes(let node, _, _) = change { nodes.insert(node) } else { nodes.formUnion(change.parents) }
    }
    nodes.subtract(added)
    if nodes.isEmpty { return [] }
    return document.nodes(from: document.root).filter(nodes.contains)
  }
}

extension [NodeRef: NaiveCopy.Node] {
  fileprivate func child(of position: Position) -> NodeRef? {
    guard let children = self[position.parent]?.children, children.indices.contains(position.index) else { return nil }
    return children[position.index]
  }
}
