internal import MarkupDocument
internal import RenderedTree

/// The cases in which the effect of an update in LiveView's client depends on more of the page than
/// the diff names. They need a full update.
///
/// ``ScopedUpdate``, ``SlotUpdate`` and ``Region`` call these checks before the document changes.
/// So a reason that a check throws leads to a full update of an unchanged document.
extension Document {
  /// - Parameter passed: the nodes that were accepted before. The function adds the node and its
  ///   ancestors.
  /// - Throws: if an update inside of a node may have effects elsewhere. Examples: in a `select`,
  ///   one option can deselect the others; the client does not patch the content of a `template`;
  ///   the entries of an append container stay although the page does not render them.
  /// - Complexity: O(*depth*), and for many nodes together O(*nodes*); O(1) for a page without such
  ///   elements.
  func checkClientRules(around node: NodeRef, _ passed: inout Set<NodeRef>) throws(FullUpdateReason) {
    guard hasClientRules || marks.hasClientState else { return }
    if marks.ignored[node] != nil {
      throw .ignoredAttributes
    }
    var step: NodeRef? = node
    while let node = step, passed.insert(node).inserted {
      if marks.portals[node] != nil { throw .contentOfPortal }
      if let element = content(of: node)?.element, element.isPatchedAsWhole(in: dialect) {
        throw .patchedAsWhole(element.tag)
      }
      step = parent(of: node)
    }
  }

  /// - Throws: if adding, removing or moving children of an element may have effects elsewhere.
  func checkClientRules(amongChildrenOf node: NodeRef, _ passed: inout Set<NodeRef>) throws(FullUpdateReason) {
    guard hasClientRules || marks.hasClientState else { return }
    if !marks.portals.isEmpty { throw .portals }
    try checkClientRules(around: node, &passed)
  }
}

extension Document {
  /// - Parameter renewed: elements that are the root of another fragment than before. The client
  ///   numbers such roots. It replaces an element whose number is new, and all later siblings
  ///   without an id.
  /// - Throws: if children of an element are added, removed or moved before a sibling whose state
  ///   the client keeps. The client finds an element without an id by its place among its siblings,
  ///   so it could assign the state to another element.
  /// - Complexity: O(*changes* + *elements with a state* · (*depth* + *siblings*)), for at most 256
  ///   elements with a state.
  func checkNeighbours(of changes: [Change], renewed: [NodeRef]) throws(FullUpdateReason) {
    guard keepsStateByPlace else { return }
    try checkDetails(changedBy: changes)
    /// For each parent, the first index at which its children differ.
    var starts: [NodeRef: Int] = [:]
    for change in changes {
      switch change {
      case .add(_, let place), .remove(_, let place, _): starts.lower(place)
      case .move(_, _, let from, let to):
        starts.lower(from)
        starts.lower(to)
      case .text, .attributes: continue
      }
    }
    var indexes = SiblingIndexes()
    for node in renewed {
      guard let parent = parent(of: node) else { continue }
      starts.lower(Position(parent: parent, index: indexes.index(of: node, in: self)))
    }
    if starts.isEmpty { return }
    guard let stateful = wholeElementRefs, stateful.count + marks.ignored.count <= 256 else { throw .statefulSibling }
    for element in stateful + marks.ignored.keys {
      var node = element
      while let parent = parent(of: node) {
        if let start = starts[parent], content(of: node)?.element?.id == nil,
          indexes.index(of: node, in: self) >= start
        {
          throw .statefulSibling
        }
        node = parent
      }
    }
  }

  /// - Throws: if a `details` element with a name opens, closes, is removed or is moved. Only one
  ///   of the `details` elements with the same name can be open, so the result depends on all of
  ///   them.
  /// - Complexity: O(*changes* + *elements with a state* · *depth*), for at most 256 elements with
  ///   a state.
  private func checkDetails(changedBy changes: [Change]) throws(FullUpdateReason) {
    var tops: Set<NodeRef> = []
    for change in changes {
      switch change {
      case .remove(let nodes, _, _): tops.insert(nodes[0])
      case .move(let node, _, _, _): tops.insert(node)
      case .attributes(_, "details", let attributes):
        if attributes.contains(where: { $0.name == "open" || $0.name == "name" }) { throw .openDetails }
      case .add, .attributes, .text: continue
      }
    }
    if tops.isEmpty { return }
    guard let stateful = wholeElementRefs else { throw .statefulSibling }
    for element in stateful where content(of: element)?.element?.isNamedDetails == true {
      var node: NodeRef? = element
      while let step = node {
        if tops.contains(step) { throw .openDetails }
        node = parent(of: step)
      }
    }
  }

  /// Whether the document may have elements whose state the client keeps, and which the client
  /// finds by their place because they have no id.
  var keepsStateByPlace: Bool { !marks.ignored.isEmpty || hasWholeElements }
}

extension [NodeRef: Int] {
  fileprivate mutating func lower(_ place: Position) {
    self[place.parent] = Swift.min(self[place.parent] ?? .max, place.index)
  }
}

extension Document {
  /// - Throws: if an id moves to an element with another tag, or to the root of a component. The
  ///   client then leaves the element that had the id in its place, or takes it for the element
  ///   that now has the id. It also throws if the root of a component has a new id. In all these
  ///   cases, the result depends on the client's version, and on whether the client patches only
  ///   the component or the page.
  func checkIDs(in page: Page, below top: NodeTree.Index) throws(FullUpdateReason) {
    for node in page.tree.preorder(from: top) where node != top {
      guard let element = page.tree[node].element else { continue }
      let root = page.origins[node]?.rootComponent.flatMap(rootNode)
      if dialect.isPatchedByBrowser, let root, content(of: root)?.element?.id != element.id {
        throw .newComponentID
      }
      guard let id = element.id, let known = self.node(withID: id), let former = content(of: known)?.element
      else { continue }
      let isHandedOver = former.tag != element.tag || former.namespace != element.namespace
      if isHandedOver || root.map({ $0 != known }) ?? false {
        throw .movedID
      }
    }
  }
}

extension Document {
  /// - Throws: if an element with `phx-update` is removed or gets a new id. The client may then
  ///   match another element with this element or with one of its items, depending on the rest of
  ///   the patch. Example: if the client patches a component on its own, its root element is kept
  ///   even if its id changes.
  func checkContainers(in page: Page, below top: NodeTree.Index) throws(FullUpdateReason) {
    func containers(_ tree: NodeTree, from top: NodeTree.Index) -> Set<String?> {
      Set(tree.preorder(from: top).lazy.compactMap { tree[$0].element }.filter { $0.updateRule != .replace }.map(\.id))
    }
    let known = containers(tree, from: NodeTree.root)
    if known.isEmpty { return }
    guard known.isSubset(of: containers(page.tree, from: top)) else {
      throw .lostContainer
    }
  }
}

extension ParsedRegion {
  /// - Throws: if a stream deletes an element that is also in the markup of the page. The client
  ///   then adds the element again, and leaves out the content of components that the diff does not
  ///   name. It also throws if the limit of a stream removes an element of the page's markup,
  ///   because the next patch of the page adds the element again.
  func check(_ streams: [StreamPatch]) throws(FullUpdateReason) {
    let deletes = Set(streams.lazy.flatMap(\.deletes))
    if !deletes.isEmpty,
      page.tree.preorder(from: parent).contains(where: { page.tree[$0].element?.id.map(deletes.contains) == true })
    {
      throw .deletedListed
    }
    let inserts = streams.flatMap(\.inserts)
    guard inserts.contains(where: { $0.limit != nil }) else { return }
    let items = Set(inserts.map(\.id))
    for container in page.tree.preorder(from: parent) where page.tree[container].element?.updateRule == .stream {
      for child in page.tree.children(of: container) where nodeNumbers[Int(child.raw)] == 0 {
        guard let id = page.tree[child].element?.id, !items.contains(id) else { continue }
        throw .limitRemovesOther
      }
    }
  }
}

extension ViewState {
  /// - Throws: if the client may match or remove another element than the one that a diff means.
  func checkIDs() throws(FullUpdateReason) {
    if document.hasDuplicateIDs { throw .duplicateIDs }
    if document.dialect.isPatchedByBrowser, document.needsFullUpdates {
      throw .fieldNames
    }
  }

  /// - Throws: if the effect of the diff may depend on the whole document.
  func checkClientRules(for diff: Diff, touching touched: TouchedSlots) throws(FullUpdateReason) {
    try checkIDs()
    if !document.dialect.isPatchedByBrowser { return }
    if touched.renewsRoots, document.keepsStateByPlace {
      throw .renewedRoot
    }
    if !diff.components.isEmpty, document.mayHideComponents(Document.NamedParts(diff, touched)) {
      throw .hiddenComponent
    }
    if client.follows(.refusesIgnoredStar), document.marks.ignored.values.contains(where: \.stopsPatches) {
      throw .ignoresAllAttributes
    }
  }
}

extension Document {
  /// - Throws: if the root of a component or function component is in another namespace than
  ///   before, for example in a new `svg`. If the diff does not name the root, the client keeps the
  ///   element, and with it the old namespace.
  /// - Complexity: O(*nodes of the part*).
  func checkNamespaces(in page: Page, below top: NodeTree.Index) throws(FullUpdateReason) {
    let known = marks.oldestRoots
    for node in page.tree.preorder(from: top) where node != top {
      guard let element = page.tree[node].element,
        let root = page.roots[node].flatMap({ known[$0] }) ?? page.origins[node]?.rootComponent.flatMap(rootNode),
        let former = content(of: root)?.element, former.namespace != element.namespace
      else { continue }
      throw .newNamespace
    }
  }
}

extension Page {
  /// - Throws: if the markup has an element with which every update must be a full one; see
  ///   `Element.needsFullUpdates`.
  func checkFields(below top: NodeTree.Index) throws(FullUpdateReason) {
    for node in tree.preorder(from: top) where tree[node].element?.needsFullUpdates == true {
      throw .fieldNames
    }
  }

  /// - Throws: if the markup has several root elements of one component or function component: the
  ///   client finds only one of them.
  func checkSingleRoots() throws(FullUpdateReason) {
    var met: Set<Int> = []
    let haveSingleRoots = origins.values.allSatisfy { $0.rootComponent.map { met.insert($0).inserted } ?? true }
    guard !haveSingleRoots || Set(roots.values).count < roots.count else { return }
    throw .severalRoots
  }

  /// - Throws: if the root element of a component or function component does not contain exactly
  ///   its own markup, for example because of a missing end tag. The client leaves out the markup
  ///   of a root that a diff does not name, and the rest of the page would then be parsed
  ///   differently.
  func checkContainment() throws(FullUpdateReason) {
    guard !rootsAreContained else { return }
    throw .uncontainedRoot
  }

  /// - Throws: if the markup has an element whose addition has effects elsewhere in the client, or
  ///   an element with `phx-update` but without an id.
  func checkClientRules(below top: NodeTree.Index) throws(FullUpdateReason) {
    for node in tree.preorder(from: top) where node != top {
      guard let element = tree[node].element else { continue }
      if element.actsWhenAdded(in: dialect) {
        throw .actsWhenAdded(element.tag)
      }
      if dialect.isPatchedByBrowser, element.updateRule != .replace, element.id == nil {
        throw .containerWithoutID
      }
    }
  }
}

extension Morph.Outcome {
  /// - Throws: if an element that the client finds by a key gets another parent, or if the client
  ///   stops with an error. In both cases the result depends on more than the region. Example: a
  ///   keyed element moves into the sibling before it. The client (morphdom 2.7) then continues
  ///   after the new place, inserts copies of the following siblings, and leaves the originals
  ///   until the next patch removes them.
  func checkKeys() throws(FullUpdateReason) {
    if isUncertain { throw .movedKey }
  }
}
