/// The order in which the client walks over nodes, and the keys by which it finds elements. Fields
/// of a form can change both; see ``FormProperty``. The walk in `ClientPatch+Morph.swift` uses
/// both. A walk that takes too many steps stops with ``ClientFailure/endless``.
extension ClientPatch {
  /// The nodes below an element in the order in which the client walks over them. A form with a
  /// field named `nextSibling` or `nodeType` changes that order.
  ///
  /// - Parameter enters: whether the walk goes on inside of a node.
  func nodes(
    below top: PatchTree.Index, entering enters: (PatchTree.Index) -> Bool = { _ in true }
  ) throws(ClientFailure) -> [PatchTree.Index] {
    var nodes: [PatchTree.Index] = []
    var pending = firstChild(top).map { [$0] } ?? []
    while let node = pending.popLast() {
      if nodes.count > 4 * tree.nodes.count { throw .endless }
      nodes.append(node)
      if let next = next(node).index { pending.append(next) }
      if enters(node), let child = firstChild(node) { pending.append(child) }
    }
    return nodes
  }

  /// The first child; `nil` if a field hides `nodeType`, because the client then does not treat the
  /// node as an element.
  private func firstChild(_ node: PatchTree.Index) -> PatchTree.Index? {
    hidesNodeType(node) ? nil : tree.firstChild(node)
  }

  func hidesNodeType(_ node: PatchTree.Index) -> Bool { !tree.fields(hiding: .nodeType, of: node).isEmpty }

  /// The node that the client takes for the next sibling. For a form with a field named
  /// `nextSibling`, it is that field; several such fields are a list and not a node.
  func next(_ node: PatchTree.Index) -> Sibling {
    let fields = tree.fields(hiding: .nextSibling, of: node)
    return fields.isEmpty ? .node(tree.next(node)) : fields.count == 1 ? .field(fields[0]) : .list
  }

  enum Sibling {
    case node(PatchTree.Index?)
    case field(PatchTree.Index)
    case list

    var index: PatchTree.Index? {
      switch self {
      case .node(let node): node
      case .field(let field): field
      case .list: nil
      }
    }
  }

  /// The child with which the client continues after another one.
  ///
  /// - Throws: if several fields are named `nextSibling`, or if the client goes in circles.
  mutating func child(after node: PatchTree.Index) throws(ClientFailure) -> PatchTree.Index? {
    switch next(node) {
    case .node(let sibling): return sibling
    case .list: throw .formField(FormProperty.nextSibling.rawValue)
    case .field(let field):
      // A walk over old or new children passes each form once, and a second time if the form was
      // found by its key. More steps mean that the client goes in circles.
      hiddenStepCount += 1
      if hiddenStepCount > 4 * (tree.hidingFields[.nextSibling]?.count ?? 0) + 16 { throw .endless }
      return field
    }
  }

  /// The key by which the client finds an element. In the native dialect only stream containers,
  /// ignored elements and stream items have keys; all other elements are matched by position.
  ///
  /// - Client: `getNodeKey` in `dom_patch.js`, 1.0+. Origin: phoenix_live_view#2845.
  func key(_ node: PatchTree.Index) -> PatchKey? {
    if tree.isPatchedByBrowser {
      if let field = tree.idField(of: node) { return .field(field) }
      return tree[node].key(byIDAlone: rules.isJoin)
    }
    let isItem = tree.parent(node).map { tree[$0].updateRule } == .stream
    return isItem || tree[node].updateRule != .replace ? tree[node].key(byIDAlone: true) : nil
  }

  /// The key of a node, as ``key(_:)`` returns it.
  ///
  /// - Throws: if the client cannot read the key. The node is then a form without an id, and one of
  ///   its fields hides `getAttribute`.
  func readableKey(_ node: PatchTree.Index) throws(ClientFailure) -> PatchKey? {
    let key = key(node)
    switch key {
    case .id, .field: break
    default: if !rules.isJoin { try check(.getAttribute, of: node) }
    }
    return key
  }

  /// - Throws: if the node is a form, and one of its fields hides the property, which the client is
  ///   about to read.
  func check(_ property: FormProperty, of node: PatchTree.Index) throws(ClientFailure) {
    if !tree.fields(hiding: property, of: node).isEmpty { throw .formField(property.rawValue) }
  }

  /// Whether two elements have the same tag, ignoring case.
  func isSameTag(_ a: PatchTree.Index, _ b: PatchTree.Index) throws(ClientFailure) -> Bool {
    try check(.nodeName, of: a)
    try check(.nodeName, of: b)
    guard let a = tree.element(a), let b = tree.element(b) else { return false }
    return a.tag == b.tag || a.tag.lowercased() == b.tag.lowercased()
  }
}
