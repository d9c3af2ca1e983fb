/// The nodes of a patch: those of the document that is patched and those of the markup that patches it, in one array.
///
/// It has what a browser's DOM has and a ``NodeTree`` has not: a node moves from one tree to the other, its place among
/// the elements of its parent can be asked for, and the content of a `template` is no child of it. What LiveView's client
/// keeps with an element beside its attributes is kept here too.
struct PatchTree {
  typealias Index = Int32

  static let none: Index = -1

  /// What LiveView's client knows of an element.
  struct State: Hashable {
    /// The stream that has put the element in its container.
    var stream: String?
    /// The attributes that `JS.ignore_attributes` has named.
    var ignored: [String] = []
    /// The id of the `template` that the element was teleported from.
    var portal: String?
    /// The component whose root element it is.
    var component: Int?

    static let none = State()
  }

  /// What `phx-update` makes of an element whose children a patch keeps.
  enum Container { case append, prepend, stream }

  struct Node {
    var content: NodeContent { didSet { readRules() } }
    // Every child asks for these: a search among very many attributes would be one for each of them.
    private(set) var container: Container?
    private(set) var updateRule = Element.UpdateRule.replace
    /// A list of which several options can be selected.
    private(set) var isMultiple = false
    var state = State.none
    /// What the wire says the node is.
    var origin: Origin?
    /// The number of the fragment whose root it is. Negative in markup for one that the client numbers anew.
    var root: Int?
    var parent = none
    var first = none
    var last = none
    var previous = none
    var next = none
    /// How many of the children are elements.
    var elements: Int32 = 0
    /// The place in the document that the node comes from, or -1.
    var old = none
    /// The place in the page that the node comes from, or -1.
    var page = none
    /// The client left the element out, since nothing in it has changed (`data-phx-skip`).
    var isSkipped = false
    /// An entry of an append or prepend container as it was before a join: the join may remove it.
    var isPrunable = false
    /// The patch has looked at the node: it was matched or is new.
    var isPatched = false
    /// The patch has inserted the node, in its own right or with the one around it.
    var isInserted = false
    /// For a node of the page: the node of the document that it was matched with.
    var partner = none
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
  /// How many nodes were put somewhere.
  private(set) var insertions = 0
  /// The child elements of parents that are asked for them by index very often.
  private var counted = CountedChildren()
  /// The `details` elements that have, or had, a name and `open`, by what they may exclude each other in.
  var openDetails: [DetailsGroup: Set<Index>] = [:]
  /// Whether one of them was closed because of another one.
  var hasClosedDetails = false
  /// By parent, how many children ``element(at:in:)`` has passed.
  private var passed: [Index: Int] = [:]
  /// Whether elements have the meanings that HTML gives them.
  let isHTML: Bool

  init(dialect: Dialect) { isHTML = dialect == .html }

  subscript(node: Index) -> Node {
    get { nodes[Int(node)] }
    _modify { yield &nodes[Int(node)] }
  }

  mutating func reserveCapacity(_ count: Int) { nodes.reserveCapacity(count) }

  mutating func make(_ content: NodeContent) -> Index {
    var node = Node(content)
    if case .element(let element) = content { node.isTemplate = isHTML && element.isHTML("template") }
    nodes.append(node)
    let index = Index(nodes.count - 1)
    noteDetails(index)
    return index
  }

  // MARK: - Reading

  func element(_ node: Index) -> Element? { nodes[Int(node)].content.element }

  /// The first child as a script sees it: the content of a `template` is not among its children.
  func firstChild(_ node: Index) -> Index? {
    nodes[Int(node)].isTemplate ? nil : existing(nodes[Int(node)].first)
  }

  /// The first child, or the first node of the content of a `template`.
  func firstInside(_ node: Index) -> Index? { existing(nodes[Int(node)].first) }

  func next(_ node: Index) -> Index? { existing(nodes[Int(node)].next) }
  func previous(_ node: Index) -> Index? { existing(nodes[Int(node)].previous) }
  func parent(_ node: Index) -> Index? { existing(nodes[Int(node)].parent) }

  private func existing(_ node: Index) -> Index? { node == Self.none ? nil : node }

  func firstElement(in node: Index) -> Index? {
    var child = firstInside(node)
    while let step = child, !nodes[Int(step)].isElement { child = next(step) }
    return child
  }

  func lastElement(in node: Index) -> Index? {
    var child = existing(nodes[Int(node)].last)
    while let step = child, !nodes[Int(step)].isElement { child = previous(step) }
    return child
  }

  func nextElement(_ node: Index) -> Index? {
    var sibling = next(node)
    while let step = sibling, !nodes[Int(step)].isElement { sibling = next(step) }
    return sibling
  }

  func previousElement(_ node: Index) -> Index? {
    var sibling = previous(node)
    while let step = sibling, !nodes[Int(step)].isElement { sibling = previous(step) }
    return sibling
  }

  /// The child element at an index; `nil` behind the last.
  ///
  /// - Complexity: O(*index*); where one parent is asked again and again, O(log *n*) expected.
  mutating func element(at index: Int, in parent: Index) -> Index? {
    if index >= Int(nodes[Int(parent)].elements) { return nil }
    if !counted.counts(parent) {
      passed[parent, default: 0] += index
      guard passed[parent, default: 0] > 4 * Int(nodes[Int(parent)].elements) else {
        var child = firstElement(in: parent)
        for _ in 0..<index { child = child.flatMap(nextElement) }
        return child
      }
      counted.count(elements(in: parent), of: parent)
    }
    return counted.child(at: index, of: parent)
  }

  /// Whether an element is among the first elements of a parent, up to the one at an index.
  ///
  /// - Complexity: that of ``element(at:in:)``.
  func isElement(_ node: Index, among index: Int, in parent: Index) -> Bool {
    guard nodes[Int(node)].parent == parent else { return false }
    if counted.counts(parent) { return counted.index(of: node) <= index }
    var child = firstElement(in: parent)
    for _ in 0..<index {
      if child == node { return true }
      child = child.flatMap(nextElement)
    }
    return child == node
  }

  /// The child elements, first to last, as they are now.
  func elements(in node: Index) -> [Index] {
    var elements: [Index] = []
    var child = firstElement(in: node)
    while let step = child {
      elements.append(step)
      child = nextElement(step)
    }
    return elements
  }

  /// The node after `node` in document order within `top`; the content of a `template` is passed over.
  func successor(of node: Index, within top: Index) -> Index? {
    if let child = firstChild(node) { return child }
    var node = node
    while node != top {
      if let sibling = next(node) { return sibling }
      guard let above = parent(node) else { return nil }
      node = above
    }
    return nil
  }

  /// Whether `node` is `top` or below it, outside of every `template`.
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
      nodes[Int(n.parent)].elements -= 1
      if counted.counts(n.parent) { counted.remove(node, from: n.parent) }
    }
    nodes[Int(node)].parent = Self.none
    nodes[Int(node)].previous = Self.none
    nodes[Int(node)].next = Self.none
  }

  /// The same as ``insert(_:into:before:)`` for a node that an id or a selector finds, and that can therefore be the new
  /// parent or an ancestor of it. A browser throws a `HierarchyRequestError` there; here the node stays in its place.
  ///
  /// - Complexity: O(*depth*).
  mutating func move(_ node: Index, into parent: Index, before sibling: Index?) {
    var above: Index? = parent
    while let step = above {
      if step == node { return }
      above = self.parent(step)
    }
    insert(node, into: parent, before: sibling)
  }

  /// Puts a node before a sibling or, without one, at the end. It leaves its former place.
  mutating func insert(_ node: Index, into parent: Index, before sibling: Index?) {
    if sibling == node { return }
    insertions += 1
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
      nodes[Int(parent)].elements += 1
      if counted.counts(parent) { counted.insert(node, before: nextElement(node), in: parent) }
    }
  }

  /// What the client renders of an element that it leaves out: a tag with its `id`, if it has one, and nothing in it.
  private mutating func makeEmpty(_ node: Index) {
    guard case .element(var element) = nodes[Int(node)].content else { return }
    element.attributes.removeAll { $0.name != "id" }
    nodes[Int(node)].content = .element(element)
  }

  /// A copy of a node with all in it, which has no place yet and comes from nowhere.
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
