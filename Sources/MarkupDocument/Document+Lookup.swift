/// What is found without a walk: the indexes are kept with every change.
extension Document {
  /// The first element with an id, byte for byte.
  ///
  /// - Complexity: O(1); for an id that stands *k* times, what ``inDocumentOrder(_:)`` takes for *k* nodes.
  public func node(withID id: String) -> NodeRef? {
    let key = IDKey(id)
    if let only = ids.only(of: key) { return NodeRef(epoch: epoch, number: only) }
    let numbers = ids.numbers(of: key)
    return numbers.isEmpty ? nil : inDocumentOrder(refs(numbers)).first
  }

  /// How many elements have an id.
  package func count(ofID id: String) -> Int { ids.count(of: IDKey(id)) }

  /// Whether any id stands more than once.
  package var hasDuplicateIDs: Bool { !ids.shared.isEmpty }

  /// The elements and comments that are marked as a component's, oldest first: one that stands twice has several.
  package func nodes(ofComponent cid: Int) -> [NodeRef] {
    componentNodes.numbers(of: cid).sorted().map { NodeRef(epoch: epoch, number: $0) }
  }

  /// The root element of a component; the oldest, where the component is in the document more than once.
  package func rootNode(ofComponent cid: Int) -> NodeRef? {
    nodes(ofComponent: cid).first { component(of: $0) == cid }
  }

  package var hasComponents: Bool { !componentNodes.isEmpty }

  /// The components whose root elements stand in the document.
  ///
  /// - Complexity: O(*components*).
  package var components: Set<Int> { componentNodes.keys }

  /// A node's position among its siblings; 0 for the root and for a node that is not in the document.
  ///
  /// - Complexity: O(*siblings* on the nearer side).
  package func index(of node: NodeRef) -> Int {
    guard let place = place(of: node), let parent = tree.parent(of: place) else { return 0 }
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
