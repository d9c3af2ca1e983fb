internal import MirrorSupport

/// Lookups of nodes, most of them by an index instead of a walk. Every change of the document
/// updates the indexes. Scoped updates and the routes of the inspector use these lookups.
extension Document {
  /// The first element in document order that has the given id. Ids are compared byte for byte.
  ///
  /// - Complexity: O(1); if *k* elements share the id, the cost of ordering *k* nodes.
  public func node(withID id: String) -> NodeRef? {
    let key = ByteString(id)
    if let only = ids.only(of: key) { return NodeRef(epoch: epoch, number: only) }
    let numbers = ids.numbers(of: key)
    return numbers.isEmpty ? nil : inDocumentOrder(refs(numbers)).first
  }

  /// The ids of the elements, in document order. An id that several elements share occurs several
  /// times.
  ///
  /// - Complexity: O(*nodes*).
  package var elementIDs: [String] { tree.preorder().compactMap { tree[$0].element?.id } }

  /// The number of elements that have the given id.
  package func count(ofID id: String) -> Int { ids.count(of: ByteString(id)) }

  /// Whether any id is on more than one element.
  package var hasDuplicateIDs: Bool { !ids.shared.isEmpty }

  /// The elements and comments that belong to a component, oldest first. A component that is
  /// rendered twice has the nodes of both copies.
  package func nodes(ofComponent cid: Int) -> [NodeRef] {
    componentNodes.numbers(of: cid).sorted().map { NodeRef(epoch: epoch, number: $0) }
  }

  /// The root element of a component; the oldest one if the component is in the document more than
  /// once.
  package func rootNode(ofComponent cid: Int) -> NodeRef? {
    nodes(ofComponent: cid).first { component(of: $0) == cid }
  }

  /// The components that have nodes in the document.
  ///
  /// - Complexity: O(*components*).
  package var components: Set<Int> { componentNodes.keys }

  /// The numbers of all elements, ascending.
  ///
  /// - Complexity: O(*nodes*).
  package var elementNumbers: [Int] {
    treeIndexes.numbers.filter { number in
      treeIndexes[number].map { tree[NodeTree.Index(raw: $0)].element != nil } ?? false
    }
  }

  /// The index of a node among its siblings; 0 for the root and for a node that is not in the
  /// document.
  ///
  /// - Complexity: O(*siblings* between the node and the nearer end).
  package func index(of node: NodeRef) -> Int {
    guard let treeIndex = treeIndex(of: node), let parent = tree.parent(of: treeIndex) else { return 0 }
    var (before, after) = (tree.previous(of: treeIndex), tree.next(of: treeIndex))
    var steps = 0
    while let left = before {
      guard let right = after else { return tree.childCount(of: parent) - 1 - steps }
      (before, after) = (tree.previous(of: left), tree.next(of: right))
      steps += 1
    }
    return steps
  }

  func refs(_ numbers: some Sequence<Int>) -> Set<NodeRef> {
    Set(numbers.lazy.map { NodeRef(epoch: epoch, number: $0) })
  }
}

/// These methods change the marks. They also update the index of components, so that it always
/// agrees with ``marks``.
extension Document {
  mutating func replaceMarks(by marks: Marks) {
    self.marks = marks
    componentNodes = NodesByKey()
    for (node, origin) in marks.origins {
      if let component = origin.component { componentNodes.insert(node.number, for: component) }
    }
  }

  /// - Parameter components: receives the component that the node belonged to.
  mutating func removeMarks(of node: NodeRef, unmarking components: inout Set<Int>) {
    if let component = marks.origins.removeValue(forKey: node)?.component {
      components.insert(component)
      componentNodes.remove(node.number, for: component)
    }
    if !marks.roots.isEmpty { marks.roots[node] = nil }
    marks.removeClientState(of: node)
  }

  mutating func addMarks(_ added: Marks) {
    for (node, origin) in added.origins { mark(node, origin) }
    marks.addStates(added)
  }

  mutating func mark(_ node: NodeRef, _ origin: Origin) {
    if let known = marks.origins.updateValue(origin, forKey: node)?.component {
      componentNodes.remove(node.number, for: known)
    }
    if let component = origin.component { componentNodes.insert(node.number, for: component) }
  }
}

/// A multimap from keys (ids, components) to nodes, optimised for keys with a single node.
package struct NodesByKey<Key: Hashable & Sendable>: Sendable {
  /// The node of each key that has exactly one.
  private var single: [Key: Int] = [:]
  /// The nodes of each key that has two or more.
  private(set) var shared: [Key: Set<Int>] = [:]

  mutating func reserveCapacity(_ keys: Int) { single.reserveCapacity(keys) }

  /// The number of keys.
  var count: Int { single.count + shared.count }

  package var keys: Set<Key> { Set(single.keys).union(shared.keys) }

  func count(of key: Key) -> Int { single[key] != nil ? 1 : shared[key]?.count ?? 0 }

  /// The numbers of a key's nodes, in no particular order.
  func numbers(of key: Key) -> [Int] {
    if let number = single[key] { return [number] }
    return shared.isEmpty ? [] : shared[key].map(Array.init) ?? []
  }

  /// The node of a key that has exactly one; otherwise `nil`.
  func only(of key: Key) -> Int? { single[key] }

  mutating func insert(_ number: Int, for key: Key) {
    if !shared.isEmpty, shared[key] != nil {
      shared[key]?.insert(number)
    } else if let known = single.updateValue(number, forKey: key), known != number {
      single[key] = nil
      shared[key] = [known, number]
    }
  }

  mutating func remove(_ number: Int, for key: Key) {
    if shared.isEmpty || shared[key] == nil {
      if single[key] == number { single[key] = nil }
      return
    }
    shared[key]?.remove(number)
    if let left = shared[key], left.count == 1, let last = left.first {
      shared[key] = nil
      single[key] = last
    }
  }
}
