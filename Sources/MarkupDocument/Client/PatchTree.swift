internal import MirrorSupport

/// The nodes of a ``ClientPatch`` in one array, both those of the document and those of the new
/// markup.
///
/// Unlike a ``NodeTree``, it supports what a patch needs of a browser's DOM. Nodes move from one
/// tree to the other, an element has an index among the child elements of its parent, and the
/// content of a `template` is separate from its children. It also stores the state that LiveView's
/// client keeps for an element.
///
/// A node is never removed from the array, so an index stays valid. Only ``insert(_:into:before:)``
/// and ``detach(_:)`` change the links between nodes.
struct PatchTree {
  typealias Index = Int32

  static let none: Index = -1

  /// The state that LiveView's client keeps for an element.
  struct State: Hashable {
    /// The stream that inserted the element into its container.
    var stream: String?
    /// The attributes that `JS.ignore_attributes` protects.
    var ignored: [String] = []
    /// The id of the `template` whose portal shows the element.
    var portal: String?
    /// The component whose root element it is.
    var component: Int?

    static let none = State()
  }

  /// The kinds of containers whose children a patch keeps.
  enum Container { case append, prepend, stream }

  struct Node {
    var content: NodeContent { didSet { readRules() } }
    // Cached, because every child reads these properties of its parent, and each read would search
    // the parent's attributes.
    private(set) var container: Container?
    private(set) var updateRule = Element.UpdateRule.replace
    /// Whether this is a list with several selectable options.
    private(set) var isMultiple = false
    var state = State.none
    /// The identity of the node on the wire.
    var origin: Origin?
    /// The number of the fragment whose root this is. Negative in the new markup if the client
    /// numbers the root anew.
    var root: Int?
    var parent = none
    var first = none
    var last = none
    var previous = none
    var next = none
    /// The number of child elements.
    var elementCount: Int32 = 0
    /// The node's index in the document's storage; -1 if it does not come from there.
    var old = none
    /// The node's index in the page's storage; -1 if it does not come from there.
    var page = none
    /// Whether the client renders the element without its content (`data-phx-skip`).
    var isSkipped = false
    /// Whether the page already has the skipped element as the client renders it, so that
    /// ``makeEmpty(_:)`` leaves it unchanged.
    var isEmptied = false
    /// Whether this is an entry of an `append` or `prepend` container from before a join, which the
    /// join may remove.
    var isPrunable = false
    /// Whether the patch has matched or inserted the node.
    var isPatched = false
    /// Whether the patch has inserted the node or one of its ancestors.
    var isInserted = false
    /// The matching node of the document, for a node of the page.
    var partner = none
    /// Whether this is a `template` whose content is separate from its children.
    var isTemplate = false
    var isElement: Bool { if case .element = content { true } else { false } }

    init(_ content: NodeContent) {
      self.content = content
      readRules()
    }

    private mutating func readRules() {
      guard case .element(let element) = content else { return }
      (container, updateRule) = (Container(element), element.updateRule)
      isMultiple = element.tag == "select" && element["multiple"] != nil
    }
  }

  private(set) var nodes: [Node] = []
  /// The number of insertions so far.
  private(set) var insertionCount = 0
  /// The child elements of parents whose children are often looked up by index.
  private var counted = CountedChildren()
  /// The `details` elements that have, or had, a name and `open`, grouped by name and enclosing
  /// `template`.
  var openDetails: [DetailsGroup: Set<Index>] = [:]
  /// Whether a `details` element was closed because another one with its name is open.
  var hasClosedDetails = false
  /// The topmost nodes of the trees that a browser shows.
  var documents: [Index] = []
  /// The form fields that hide a property of their form.
  private(set) var hidingFields: [FormProperty: [Index]] = [:]
  /// The remaining budget for searches of the first element with an id.
  let search = SearchBudget()
  /// For each parent, over how many child elements ``element(at:in:)`` has walked in all its calls.
  /// Once this exceeds four times the number of the parent's child elements, the parent is added to
  /// ``counted``.
  private var passedCounts: [Index: Int] = [:]
  /// See ``Dialect/isPatchedByBrowser``.
  let isPatchedByBrowser: Bool

  init(dialect: Dialect) { isPatchedByBrowser = dialect.isPatchedByBrowser }

  subscript(node: Index) -> Node {
    get { nodes[Int(node)] }
    _modify { yield &nodes[Int(node)] }
  }

  mutating func reserveCapacity(_ count: Int) { nodes.reserveCapacity(count) }

  mutating func make(_ content: NodeContent) -> Index {
    var node = Node(content)
    if case .element(let element) = content { node.isTemplate = isPatchedByBrowser && element.isHTML("template") }
    nodes.append(node)
    let index = Index(nodes.count - 1)
    if isPatchedByBrowser, let element = node.content.element {
      for property in element.hiddenProperties { hidingFields[property, default: []].append(index) }
    }
    noteDetails(index)
    return index
  }

  // MARK: - Reading

  func element(_ node: Index) -> Element? { nodes[Int(node)].content.element }

  /// The first child as scripts see it. The content of a `template` is not among its children.
  func firstChild(_ node: Index) -> Index? {
    nodes[Int(node)].isTemplate ? nil : existing(nodes[Int(node)].first)
  }

  /// The first child or, for a `template`, the first node of its content.
  func firstInside(_ node: Index) -> Index? { existing(nodes[Int(node)].first) }

  func next(_ node: Index) -> Index? { existing(nodes[Int(node)].next) }
  func previous(_ node: Index) -> Index? { existing(nodes[Int(node)].previous) }
  func parent(_ node: Index) -> Index? { existing(nodes[Int(node)].parent) }

  private func existing(_ node: Index) -> Index? { node == Self.none ? nil : node }

  func firstElement(in node: Index) -> Index? { nearestElement(from: firstInside(node), next) }

  func lastElement(in node: Index) -> Index? { nearestElement(from: existing(nodes[Int(node)].last), previous) }

  func nextElement(_ node: Index) -> Index? { nearestElement(from: next(node), next) }

  func previousElement(_ node: Index) -> Index? { nearestElement(from: previous(node), previous) }

  @inline(__always)
  private func nearestElement(from start: Index?, _ step: (Index) -> Index?) -> Index? {
    var node = start
    while let known = node, !nodes[Int(known)].isElement { node = step(known) }
    return node
  }

  /// The child element at an index; `nil` if the index is too large.
  ///
  /// - Complexity: O(*index*); O(log *n*) expected after many lookups in one parent.
  mutating func element(at index: Int, in parent: Index) -> Index? {
    if index >= Int(nodes[Int(parent)].elementCount) { return nil }
    if !counted.counts(parent) {
      passedCounts[parent, default: 0] += index
      guard passedCounts[parent, default: 0] > 4 * Int(nodes[Int(parent)].elementCount) else {
        var child = firstElement(in: parent)
        for _ in 0..<index { child = child.flatMap(nextElement) }
        return child
      }
      counted.count(elements(in: parent), of: parent)
    }
    return counted.child(at: index, of: parent)
  }

  /// Whether an element is a child of a parent, and its index among the child elements is at most
  /// `index`.
  ///
  /// - Complexity: O(*index*), or O(log *n*) expected after many lookups in the parent.
  func isChild(_ node: Index, of parent: Index, atOrBefore index: Int) -> Bool {
    guard nodes[Int(node)].parent == parent else { return false }
    if counted.counts(parent) { return counted.index(of: node) <= index }
    var child = firstElement(in: parent)
    for _ in 0..<index {
      if child == node { return true }
      child = child.flatMap(nextElement)
    }
    return child == node
  }

  /// The child elements, first to last, as an array that later edits do not affect.
  func elements(in node: Index) -> [Index] {
    var elements: [Index] = []
    var child = firstElement(in: node)
    while let step = child {
      elements.append(step)
      child = nextElement(step)
    }
    return elements
  }

  /// Whether the client keeps the matching element of the document instead of comparing it with
  /// this element of the new markup.
  ///
  /// - Client: `skipCIDSibling` in `dom_patch.js`, 1.0+. Origin: phoenix_live_view#679.
  func keepsFormer(_ node: Index) -> Bool {
    nodes[Int(node)].isSkipped || isPatchedByBrowser && element(node)?["data-phx-skip"] != nil
  }

  /// The nodes from `top` on in document order, without the content of templates.
  func preorder(from top: Index) -> some Sequence<Index> { sequence(first: top) { successor(of: $0, within: top) } }

  /// The next node in document order within `top`, without the content of templates.
  ///
  /// - Parameter skippingChildren: whether to continue after the subtree of `node`.
  func successor(of node: Index, within top: Index, skippingChildren: Bool = false) -> Index? {
    if !skippingChildren, let child = firstChild(node) { return child }
    var node = node
    while node != top {
      if let sibling = next(node) { return sibling }
      guard let above = parent(node) else { return nil }
      node = above
    }
    return nil
  }

  /// Whether `node` is `top` or a descendant of it, also in the content of a `template`.
  ///
  /// - Complexity: O(*depth*).
  func isInside(_ node: Index, of top: Index) -> Bool { sequence(first: node) { parent($0) }.contains(top) }

  /// Whether `node` is `top` or a descendant of it, outside of every `template`.
  func isConnected(_ node: Index, to top: Index) -> Bool {
    var step = node
    while step != top {
      guard let above = parent(step), !nodes[Int(above)].isTemplate else { return false }
      step = above
    }
    return true
  }

  // MARK: - Editing

  mutating func detach(_ node: Index) {
    let n = nodes[Int(node)]
    guard n.parent != Self.none else { return }
    if n.previous == Self.none {
      nodes[Int(n.parent)].first = n.next
    } else {
      nodes[Int(n.previous)].next = n.next
    }
    if n.next == Self.none {
      nodes[Int(n.parent)].last = n.previous
    } else {
      nodes[Int(n.next)].previous = n.previous
    }
    if n.isElement {
      nodes[Int(n.parent)].elementCount -= 1
      if counted.counts(n.parent) { counted.remove(node, from: n.parent) }
    }
    nodes[Int(node)].parent = Self.none
    nodes[Int(node)].previous = Self.none
    nodes[Int(node)].next = Self.none
  }

  /// Like ``insert(_:into:before:)``, except that a node is not moved into itself or into one of
  /// its descendants. A browser throws a `HierarchyRequestError` in that case.
  /// ``ContainerRestorer`` needs this, because it finds nodes by their id.
  ///
  /// - Complexity: O(*depth*).
  mutating func insertUnlessCyclic(_ node: Index, into parent: Index, before sibling: Index?) {
    if isInside(parent, of: node) { return }
    insert(node, into: parent, before: sibling)
  }

  /// Inserts a node before a sibling or, without one, at the end. The node is detached from its
  /// former parent first. The caller makes sure that `parent` is not the node itself or one of its
  /// descendants.
  mutating func insert(_ node: Index, into parent: Index, before sibling: Index?) {
    if sibling == node { return }
    insertionCount += 1
    let isArriving =
      !openDetails.isEmpty && (self.parent(node) == nil || top(of: node) != top(of: node, in: parent))
    defer { if isArriving { closeArrivingDetails(in: node) } }
    detach(node)
    let following = sibling ?? Self.none
    let preceding = following == Self.none ? nodes[Int(parent)].last : nodes[Int(following)].previous
    nodes[Int(node)].parent = parent
    nodes[Int(node)].next = following
    nodes[Int(node)].previous = preceding
    if preceding == Self.none { nodes[Int(parent)].first = node } else { nodes[Int(preceding)].next = node }
    if following == Self.none { nodes[Int(parent)].last = node } else { nodes[Int(following)].previous = node }
    if nodes[Int(node)].isElement {
      nodes[Int(parent)].elementCount += 1
      if counted.counts(parent) { counted.insert(node, before: nextElement(node), in: parent) }
    }
  }

  /// Reduces an element to what the client renders for a skipped element, which is the tag, the
  /// `id` and a mark.
  mutating func makeEmpty(_ node: Index) {
    guard case .element(var element) = nodes[Int(node)].content else { return }
    if nodes[Int(node)].isEmptied { return }
    element.attributes.removeAll { $0.name != "id" }
    element.attributes.append(Element.Attribute("data-phx-skip", ""))
    nodes[Int(node)].content = .element(element)
    while let child = firstInside(node) { detach(child) }
  }

  /// A detached copy of a node and its descendants. Copies have no index in the document or page.
  mutating func copy(_ top: Index) -> Index {
    var pending: [(node: Index, parent: Index)] = [(top, Self.none)]
    var result = Self.none
    while let (node, parent) = pending.popLast() {
      let copy = make(nodes[Int(node)].content)
      nodes[Int(copy)].state = nodes[Int(node)].state
      nodes[Int(copy)].origin = nodes[Int(node)].origin
      nodes[Int(copy)].root = nodes[Int(node)].root
      if parent == Self.none { result = copy } else { insert(copy, into: parent, before: nil) }
      if nodes[Int(node)].isSkipped {
        makeEmpty(copy)
        continue
      }
      var child = existing(nodes[Int(node)].last)
      while let step = child {
        pending.append((step, copy))
        child = previous(step)
      }
    }
    return result
  }
}

extension PatchTree.Container {
  fileprivate init?(_ element: Element) {
    switch element["phx-update"] {
    case "append": self = .append
    case "prepend": self = .prepend
    case "stream": self = .stream
    default: return nil
    }
  }
}
