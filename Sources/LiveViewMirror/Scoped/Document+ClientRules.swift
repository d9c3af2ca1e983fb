internal import MarkupDocument
internal import RenderedTree

/// Where LiveView's client looks at more than what a diff names. There the full path is taken.
extension Document {
  /// - Throws: where an update of a node, or of what is in it, may have effects elsewhere: in a `select` one option decides
  ///   about the others, the content of a `template` is fixed, entries of an append container stay without being rendered.
  /// - Complexity: O(*depth*); O(1) for a page without such elements.
  func checkClientRules(around node: NodeRef) throws(FullPath) {
    guard hasClientRules || marks.hasClientState else { return }
    if marks.ignored[node] != nil { throw FullPath("the client keeps attributes of an element that changes") }
    var step: NodeRef? = node
    while let node = step {
      if marks.portals[node] != nil { throw FullPath("the change is in what a portal shows") }
      if let element = content(of: node)?.element, element.isPatchedAsWhole(in: dialect) {
        throw FullPath("the client patches the <\(element.tag)> around the change as a whole")
      }
      step = parent(of: node)
    }
  }

  /// - Throws: where the children of an element that come, leave or move may have effects elsewhere.
  func checkClientRules(amongChildrenOf node: NodeRef) throws(FullPath) {
    guard hasClientRules || marks.hasClientState else { return }
    if !marks.portals.isEmpty { throw FullPath("the page has portals, and elements may come or go") }
    try checkClientRules(around: node)
  }
}

extension Document {
  /// - Throws: where children of an element come or leave, and a client's walk over its children may take other elements
  ///   for those that stay: what the client keeps with an element goes with the wrong one.
  /// - Complexity: O(*elements with a state* · *depth*), and at most some hundred of these.
  func checkNeighbours(of changes: [Change], under parent: NodeRef) throws(FullPath) {
    guard !marks.ignored.isEmpty || hasWholeElements,
      changes.contains(where: { change in
        switch change {
        case .add, .remove, .move: true
        case .text, .attributes: false
        }
      })
    else { return }
    if hasWholeElement(within: parent) || marks.ignored.keys.contains(where: { path(to: $0).contains(parent) }) {
      throw FullPath("elements come or go beside one whose state the client keeps")
    }
  }
}

extension ViewState {
  /// - Throws: where the whole document has to be looked at, whatever the diff names.
  func checkClientRules(for diff: Diff) throws(FullPath) {
    // Of several elements with an id, the client removes and matches others than those whose places say so.
    if document.hasDuplicateIDs { throw FullPath("an id stands more than once in the page") }
    if !diff.components.isEmpty, !diff.root.namesNothing,
      document.hidesComponents(among: Set(diff.components.map(\.cid)))
    {
      throw FullPath("a component changes in another one that the client leaves as it is")
    }
  }
}

extension Page {
  /// - Throws: where new markup has an element that the client treats by more than its place.
  func checkClientRules(below top: NodeTree.Index) throws(FullPath) {
    for node in tree.preorder(from: top) where node != top {
      guard let element = tree[node].element, element.actsWhenAdded(in: dialect) else { continue }
      throw FullPath("the client treats a new <\(element.tag)> otherwise than its markup says")
    }
  }
}
