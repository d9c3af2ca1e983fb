internal import MirrorSupport

/// Lookups by index instead of a walk; every change updates the indexes.
extension Document {
  /// The first element in document order with an id. Ids are compared byte for byte.
  ///
  /// - Complexity: O(1); if *k* elements share the id, the cost of ordering *k* nodes.
  public func node(withID id: String) -> NodeRef? {
    let key = ByteString(id)
    if let only = ids.only(of: key) { return NodeRef(epoch: epoch, number: only) }
    let numbers = ids.numbers(of: key)
    return numbers.isEmpty ? nil : inDocumentOrder(refs(numbers)).first
  }

  /// The ids of the elements, in document order; those of several elements several times.
  ///
  /// - Complexity: O(*nodes*).
  package var elementIDs: [String] { tree.preorder().compactMap { tree[$0].element?.id } }

  /// The number of elements with an id.
  package func count(ofID id: String) -> Int { ids.count(of: ByteString(id)) }

  /// Whether any id is on more than one element.
  package var hasDuplicateIDs: Bool { !ids.shared.isEmpty }

  /// The elements and comments that belong to a component, oldest first. A component that is rendered twice has the nodes of
  /// both copies.
  package func nodes(ofComponent cid: Int) -> [NodeRef] {
    componentNodes.numbers(of: cid).sorted().map { NodeRef(epoch: epoch, number: $0) }
  }

  /// The root element of a component; the oldest one if the component is in the document more than once.
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
    places.numbers.filter { number in
      places[number].map { tree[NodeTree.Index(raw: $0)].element != nil } ?? false
    }
  }

  /// The index of a node among its siblings; 0 for the root and for a node that is not in the document.
  ///
  /// - Complexity: O(*siblings* between the node and the nearer end).
  package func index(of node: NodeRef) -> Int {
    guard let place = treeIndex(of: node), let parent = tree.parent(of: place) else { return 0 }
    var (before, after) = (tree.previous(of: place), tree.next(of: place))
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
