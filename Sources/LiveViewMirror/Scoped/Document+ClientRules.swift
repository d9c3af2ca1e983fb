internal import MarkupDocument
internal import RenderedTree

/// Where LiveView's client looks at more than what a diff names. There the full path is taken.
extension Document {
  /// - Parameter passed: what was looked at already.
  /// - Throws: where an update of a node, or of what is in it, may have effects elsewhere: in a `select` one option decides
  ///   about the others, the content of a `template` is fixed, entries of an append container stay without being rendered.
  /// - Complexity: O(*depth*), and for many nodes together O(*nodes*); O(1) for a page without such elements.
  func checkClientRules(around node: NodeRef, _ passed: inout Set<NodeRef>) throws(FullPath) {
    guard hasClientRules || marks.hasClientState else { return }
    if marks.ignored[node] != nil { throw FullPath("the client keeps attributes of an element that changes") }
    var step: NodeRef? = node
    while let node = step, passed.insert(node).inserted {
      if marks.portals[node] != nil { throw FullPath("the change is in what a portal shows") }
      if let element = content(of: node)?.element, element.isPatchedAsWhole(in: dialect) {
        throw FullPath("the client patches the <\(element.tag)> around the change as a whole")
      }
      step = parent(of: node)
    }
  }

  /// - Throws: where the children of an element that come, leave or move may have effects elsewhere.
  func checkClientRules(amongChildrenOf node: NodeRef, _ passed: inout Set<NodeRef>) throws(FullPath) {
    guard hasClientRules || marks.hasClientState else { return }
    if !marks.portals.isEmpty { throw FullPath("the page has portals, and elements may come or go") }
    try checkClientRules(around: node, &passed)
  }
}

extension Document {
  /// - Parameter renewed: elements that the client numbers anew. One that it does not find by its former number is a new one,
  ///   and so are all siblings behind it that have no id.
  /// - Throws: where children of an element come, leave or move before one with a state that the client keeps. A client finds
  ///   an element without an id by its place among its siblings: what it keeps can end up with another one.
  /// - Complexity: O(*changes* + *elements with a state* · (*depth* + *siblings*)), and at most some hundred of these.
  func checkNeighbours(of changes: [Change], renewed: [NodeRef]) throws(FullPath) {
    guard keepsStateByPlace else { return }
    try checkDetails(changedBy: changes)
    /// By parent, the first place where the children differ.
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
    guard let stateful = wholeElementRefs, stateful.count + marks.ignored.count <= 256 else { throw Self.neighbour }
    for element in stateful + marks.ignored.keys {
      var node = element
      while let parent = parent(of: node) {
        if let start = starts[parent], content(of: node)?.element?.id == nil,
          indexes.index(of: node, in: self) >= start
        {
          throw Self.neighbour
        }
        node = parent
      }
    }
  }

  /// - Throws: where a `details` element with a name opens, closes, leaves or moves: which one of the name is open then
  ///   depends on all of them.
  /// - Complexity: O(*changes* + *elements with a state* · *depth*), and at most some hundred of these.
  private func checkDetails(changedBy changes: [Change]) throws(FullPath) {
    var tops: Set<NodeRef> = []
    for change in changes {
      switch change {
      case .remove(let nodes, _, _): tops.insert(nodes[0])
      case .move(let node, _, _, _): tops.insert(node)
      case .attributes(_, "details", let attributes):
        if attributes.contains(where: { $0.name == "open" || $0.name == "name" }) { throw Self.details }
      case .add, .attributes, .text: continue
      }
    }
    if tops.isEmpty { return }
    guard let stateful = wholeElementRefs else { throw Self.neighbour }
    for element in stateful where content(of: element)?.element?.isNamedDetails == true {
      var node: NodeRef? = element
      while let step = node {
        if tops.contains(step) { throw Self.details }
        node = parent(of: step)
      }
    }
  }

  private static let details = FullPath("which <details> of a name is open depends on all of them")

  /// Whether the client keeps a state with elements that may have no id.
  var keepsStateByPlace: Bool { !marks.ignored.isEmpty || hasWholeElements }

  private static let neighbour = FullPath("elements come or go beside one whose state the client keeps")
}

extension [NodeRef: Int] {
  fileprivate mutating func lower(_ place: Position) {
    self[place.parent] = Swift.min(self[place.parent] ?? .max, place.index)
  }
}

extension Document {
  /// - Throws: where an id is handed to an element of another kind, or to the root of a component. The client then leaves the
  ///   former element where it is, or takes it for another one. And where the root of a component has another id than before,
  ///   among elements whose state the client keeps: it stays the same element where the component is patched by itself, and
  ///   is a new one where the page is.
  func checkIDs(in page: Page, below top: NodeTree.Index) throws(FullPath) {
    for node in page.tree.preorder(from: top) where node != top {
      guard let element = page.tree[node].element else { continue }
      let root = page.origins[node]?.rootComponent.flatMap(rootNode)
      if hasClientRules, let root, content(of: root)?.element?.id != element.id {
        throw FullPath("a component has another id, and the client keeps a state of elements")
      }
      guard let id = element.id, let known = self.node(withID: id), let former = content(of: known)?.element
      else { continue }
      let isHandedOver = former.tag != element.tag || former.namespace != element.namespace
      if isHandedOver || root.map({ $0 != known }) ?? false { throw FullPath("an id is handed to another element") }
    }
  }
}

extension Document {
  /// - Throws: where an element that keeps its content leaves with a part, or has another id: whether the client takes it,
  ///   or its items, for another one depends on the rest of the patch. The root of a component that is patched by itself
  ///   stays itself, whatever its id.
  func checkContainers(in page: Page, below top: NodeTree.Index) throws(FullPath) {
    func containers(_ tree: NodeTree, from top: NodeTree.Index) -> Set<String?> {
      Set(tree.preorder(from: top).lazy.compactMap { tree[$0].element }.filter { $0.updateRule != .replace }.map(\.id))
    }
    let known = containers(tree, from: NodeTree.root)
    if known.isEmpty { return }
    guard known.isSubset(of: containers(page.tree, from: top)) else {
      throw FullPath("an element that keeps its content leaves, or has another id")
    }
  }
}

extension Linkage {
  /// - Throws: where the limit of a stream takes out a child that the page lists itself: the next patch of the page brings it
  ///   back.
  func checkLimits(of streams: [StreamPatch]) throws(FullPath) {
    let inserts = streams.flatMap(\.inserts)
    guard inserts.contains(where: { $0.limit != nil }) else { return }
    let items = Set(inserts.map(\.id))
    for container in page.tree.preorder(from: parent) where page.tree[container].element?.updateRule == .stream {
      for child in page.tree.children(of: container) where names[Int(child.raw)] == 0 {
        guard let id = page.tree[child].element?.id, !items.contains(id) else { continue }
        throw FullPath("a stream's limit takes out a child that the stream has not put there")
      }
    }
  }

  /// Whether the next patch of the same page leaves the containers of streams in the part as they are: they hold items and
  /// nothing else. Texts, comments and elements without an id leave a container with a patch that brings no child.
  func isSettled(in document: Document) -> Bool {
    guard document.hasClientRules else { return true }
    return page.tree.preorder(from: parent).allSatisfy { node in
      guard page.tree[node].element?.updateRule == .stream else { return true }
      let container = NodeRef(epoch: document.epoch, number: names[Int(node.raw)])
      return document.children(of: container).allSatisfy { document.marks.streams[$0] != nil }
    }
  }
}

extension ViewState {
  /// - Throws: where the whole document has to be looked at, whatever the diff names.
  func checkClientRules(for diff: Diff, touching touched: TouchedSlots) throws(FullPath) {
    // Of several elements with an id, the client removes and matches others than those whose places say so.
    if document.hasDuplicateIDs { throw FullPath("an id stands more than once in the page") }
    if document.dialect == .native { return }
    if touched.renewsRoots, document.keepsStateByPlace {
      throw FullPath("a fragment is sent again, and the client takes its element for a new one")
    }
    if !diff.components.isEmpty, document.mayHideComponents(Document.Named(diff, touched)) {
      throw FullPath("a component changes in an element that the client leaves as it is")
    }
  }
}

extension Document {
  /// - Throws: where the root of a component or function component is in another namespace than before, such as in a new `svg`: the
  ///   client keeps the element if the diff does not name it, and with it the namespace.
  /// - Complexity: O(*nodes of the part*).
  func checkNamespaces(in page: Page, below top: NodeTree.Index) throws(FullPath) {
    let known = Dictionary(marks.roots.map { ($1, $0) }) { first, _ in first }
    for node in page.tree.preorder(from: top) where node != top {
      guard let element = page.tree[node].element,
        let root = page.roots[node].flatMap({ known[$0] }) ?? page.origins[node]?.rootComponent.flatMap(rootNode),
        let former = content(of: root)?.element, former.namespace != element.namespace
      else { continue }
      throw FullPath("the root of a component is in another namespace than before")
    }
  }
}

extension Document {
  /// - Throws: where an element that the client finds by a key (an id, or the mark of a root) changes its depth. When such an
  ///   element moves into the sibling before it, the client continues behind its new place: it inserts the following siblings
  ///   again and leaves the former ones, until the next patch removes them (morphdom 2.7).
  /// - Complexity: O(*nodes of the part*).
  func checkDepths(in page: Page, below top: NodeTree.Index) throws(FullPath) {
    let known = Dictionary(marks.roots.map { ($1, $0) }) { first, _ in first }
    var depths: (before: [NodeTree.Index: Int], after: [NodeTree.Index: Int])?
    for node in page.tree.preorder(from: top) where node != top {
      guard let element = page.tree[node].element else { continue }
      let keyed =
        element.id.flatMap { self.node(withID: $0) } ?? page.roots[node].flatMap { known[$0] }
        ?? page.origins[node]?.rootComponent.flatMap(rootNode)
      guard let keyed, let place = place(of: keyed) else { continue }
      // The usual case: the element stays a child of the region's parent.
      if page.tree.parent(of: node) == top, tree.parent(of: place) == NodeTree.root { continue }
      let known = depths ?? (tree.depths(below: NodeTree.root), page.tree.depths(below: top))
      depths = known
      if known.before[place] != known.after[node] {
        throw FullPath("an element with an id is deeper in the page, or less deep")
      }
    }
  }

  /// Whether a patch of the whole page is the client's, with its keys. Otherwise the document becomes the page.
  var isPatchedByKey: Bool {
    hasClientRules || marks.hasClientState || !marks.roots.isEmpty || hasComponents
  }
}

extension NodeTree {
  /// How deep each node is below another: 1 for a child.
  fileprivate func depths(below top: Index) -> [Index: Int] {
    var depths: [Index: Int] = [top: 0]
    for node in preorder(from: top) where node != top {
      depths[node] = (parent(of: node).flatMap { depths[$0] } ?? 0) + 1
    }
    return depths
  }
}

extension Page {
  /// - Throws: where new markup has several root elements of one component or function component: the client finds one of them.
  func checkSingleRoots() throws(FullPath) {
    var met: Set<Int> = []
    let haveSingleRoots = origins.values.allSatisfy { $0.rootComponent.map { met.insert($0).inserted } ?? true }
    guard !haveSingleRoots || Set(roots.values).count < roots.count else { return }
    throw FullPath("a component has several root elements, and the client keeps a state of elements")
  }

  /// - Throws: where the root element of a component or function component holds something else than its markup: the client leaves
  ///   out that markup where a diff does not name it.
  func checkContainment() throws(FullPath) {
    guard !rootsAreContained else { return }
    throw FullPath("the root element of a component does not hold what its markup says")
  }

  /// - Throws: where new markup has an element that the client treats by more than its place.
  func checkClientRules(below top: NodeTree.Index) throws(FullPath) {
    for node in tree.preorder(from: top) where node != top {
      guard let element = tree[node].element else { continue }
      if element.actsWhenAdded(in: dialect) {
        throw FullPath("the client treats a new <\(element.tag)> otherwise than its markup says")
      }
      if dialect == .html, element.updateRule != .replace, element.id == nil {
        throw FullPath("an element that keeps its content has no id")
      }
    }
  }
}
