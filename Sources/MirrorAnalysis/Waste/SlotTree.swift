internal import LiveViewMirror
internal import MirrorSupport
internal import RenderedTree

/// The template slots of a view, as a tree in which paths share their prefixes. ``SlotTotals`` has
/// one. Nodes are only added, and a parent comes before its children.
///
/// Each node has the template that its children belong to. So the line of a slot can be found even
/// if the Rendered no longer has the slot, as for the entries of streams.
///
/// At most ``maximumNodes`` nodes are made. Paths end after ``maximumDepth`` steps: the costs of a
/// deeper slot are added to the node at that depth.
struct SlotTree: Sendable {
  typealias Node = Int32

  static let root: Node = 0
  /// The node of all slots that have no place in the tree.
  static let none: Node = -1
  static let maximumNodes = 4_096
  /// The extra steps of moved entries do not count, so a path may have up to twice as many steps.
  static let maximumDepth = SlotPathCache.maximumSteps
  /// The maximum size of ``components``. At this size the table is emptied, and the templates of
  /// components are compared again.
  private static let maximumComponents = 4_096

  /// One node of the tree.
  struct Entry: Sendable {
    let parent: Node
    let step: Int
    let depth: Int32
    /// The child that was last found. Diffs name slots in ascending order, so the next one is most
    /// likely this child or the one after it.
    var lastChild = SlotTree.none
    /// The next child of the same parent. For the last child, this is the first one.
    var next = SlotTree.none
    /// The template of the children.
    var statics: Statics?
  }

  private struct Key: Hashable {
    var parent: Node
    var step: Int
  }

  private(set) var entries = [Entry(parent: SlotTree.none, step: 0, depth: 0)]
  private var children: [Key: Node] = [:]
  private(set) var templates = KeptTemplates()
  /// For each template, the first component that has it.
  private(set) var firstComponents: [ObjectIdentifier: Int] = [:]
  /// For each component, the first one with its template.
  private(set) var components: [Int: Int] = [:]

  init() {}

  /// A tree without nodes, with the templates and components of an earlier tree.
  init(keeping templates: KeptTemplates, firstComponents: [ObjectIdentifier: Int], components: [Int: Int]) {
    (self.templates, self.firstComponents, self.components) = (templates, firstComponents, components)
  }

  /// An estimate in bytes.
  var memory: Int { entries.count * 96 + components.count * 32 + templates.bytes }

  /// To be called after the nodes of one diff were found.
  mutating func endDiff() { templates.endDiff() }

  // MARK: - Steps

  /// Steps are numbers: an index is ≥ 0, a component is ``component`` minus its id, and all other
  /// steps are between them.
  enum Code {
    static let keys = ["k", "d", "stream", "kc", "s", "c", "p"]
    static let entry = -1
    static let other = -2
    static let component = -1_000
    static let (keyed, positional) = (key("k"), key("d"))
    static let allComponents = key("c")

    static func key(_ key: String) -> Int { keys.firstIndex(of: key).map { -3 - $0 } ?? other }
  }

  private func name(_ step: Int) -> String {
    switch step {
    case 0...: "\(step)"
    case Code.entry: "*"
    case ...Code.component: "*\(Code.component - step)"
    default: -3 - step < Code.keys.count && step != Code.other ? Code.keys[-3 - step] : "?"
    }
  }

  /// The name of a template slot: `2.k.*.1` is slot 1 of every entry of the list in slot 2. The
  /// entries of a list share one template, so all of them are one slot, on one line of a file.
  /// Empty for the whole page.
  ///
  /// The form is that of a slot's name in a diff, except:
  ///
  /// - The index of an entry after `k` (LiveView ≥ 1.1) or `d` (LiveView 1.0) is `*`. The extra
  ///   step of a moved entry with changes (`2.k.4.1.0`) is left out.
  /// - The id of a component is written as `*` and the id of the component that came first with the
  ///   same template: `c.*3.0` is slot 0 of component 3 and of all later components with its
  ///   template. Which module a component belongs to is not on the wire.
  func name(of node: Node) -> String {
    var steps: [String] = []
    var node = node
    while node > Self.root {
      steps.append(name(entries[Int(node)].step))
      node = entries[Int(node)].parent
    }
    return steps.reversed().joined(separator: ".")
  }

  /// The innermost list around a node. A list is not around itself, but around its entries (`1.k`).
  func list(around node: Node) -> Node? {
    var node = node
    while node > Self.root {
      let step = entries[Int(node)].step
      node = entries[Int(node)].parent
      if step == Code.keyed || step == Code.positional || step == Code.key("stream") { return node }
    }
    return nil
  }

  // MARK: - Finding and adding

  /// The node after `parent` for a step of an update.
  ///
  /// - Parameter path: the path up to this step, and the tree after the update.
  /// - Returns: ``none`` if the tree is full.
  /// - Complexity: O(1); for a new node O(*steps*), and for a new component O(*bytes of its
  ///   template*).
  mutating func node(
    _ step: SlotPath.Step, after parent: Node, in rendered: Rendered, at path: () -> SlotPath
  ) -> Node {
    guard parent != Self.none else { return Self.none }
    if step == .changesOfMoved || entries[Int(parent)].depth >= Self.maximumDepth { return parent }
    let code = code(step, after: parent) ?? component(step, in: rendered)
    if let known = child(code, of: parent) { return known }
    guard entries.count < Self.maximumNodes else { return Self.none }
    let node = add(code, to: parent)
    noteTemplates(to: node, in: rendered, at: path())
    return node
  }

  /// - Returns: `nil` for the id of a component.
  private func code(_ step: SlotPath.Step, after parent: Node) -> Int? {
    switch (step, entries[Int(parent)].step) {
    case (.key(let key), _): Code.key(key)
    case (.changesOfMoved, _), (.index, Code.keyed), (.index, Code.positional): Code.entry
    case (.index, Code.allComponents) where entries[Int(parent)].parent == Self.root: nil
    case (.index(let index), _): index
    }
  }

  /// The node after `parent` for a step, if there is one.
  func known(_ step: SlotPath.Step, after parent: Node) -> Node? {
    let code = code(step, after: parent)
    if code == nil, case .index(let cid) = step {
      return children[Key(parent: parent, step: Code.component - (components[cid] ?? max(0, cid)))]
    }
    return code.flatMap { children[Key(parent: parent, step: $0)] }
  }

  private mutating func child(_ step: Int, of parent: Node) -> Node? {
    let last = entries[Int(parent)].lastChild
    if last == Self.none { return nil }
    if entries[Int(last)].step == step { return last }
    let next = entries[Int(last)].next
    if entries[Int(next)].step == step {
      entries[Int(parent)].lastChild = next
      return next
    }
    guard let known = children[Key(parent: parent, step: step)] else { return nil }
    entries[Int(parent)].lastChild = known
    return known
  }

  /// Adds a node of an earlier tree, with its template. The caller adds the nodes in their order in
  /// that tree. For the root, which every tree has, only the template is set.
  mutating func restore(_ step: Int, after parent: Node, statics: Statics?) {
    let node = parent == Self.none ? Self.root : add(step, to: parent)
    entries[Int(node)].statics = statics
  }

  private mutating func add(_ step: Int, to parent: Node) -> Node {
    let node = Node(entries.count)
    var entry = Entry(parent: parent, step: step, depth: entries[Int(parent)].depth + 1)
    let last = entries[Int(parent)].lastChild
    entry.next = last == Self.none ? node : entries[Int(last)].next
    entries.append(entry)
    if last != Self.none { entries[Int(last)].next = node }
    entries[Int(parent)].lastChild = node
    children[Key(parent: parent, step: step)] = node
    return node
  }

  /// The step of a component: that of the first component with the same template.
  private mutating func component(_ step: SlotPath.Step, in rendered: Rendered) -> Int {
    guard case .index(let cid) = step else { return Code.other }
    if let known = components[cid] { return Code.component - known }
    guard let statics = rendered.components[cid]?.statics else { return Code.component - max(0, cid) }
    var first = cid
    if let template = templates.keep(statics) {
      first = firstComponents[ObjectIdentifier(template)] ?? cid
      firstComponents[ObjectIdentifier(template)] = first
    }
    if components.count >= Self.maximumComponents { components = [:] }
    components[cid] = max(0, first)
    return Code.component - max(0, first)
  }

  // MARK: - Templates

  /// Notes the templates of all nodes on the path to a node.
  private mutating func noteTemplates(to node: Node, in rendered: Rendered, at path: SlotPath) {
    var nodes = [node]
    while let parent = nodes.last.map({ entries[Int($0)].parent }), parent != Self.none { nodes.append(parent) }
    nodes.reverse()
    var walk = TemplateWalk(of: rendered)
    keep(walk.statics, at: Self.root)
    var position = 0
    for step in path.steps {
      walk.enter(step, in: rendered)
      if step == .changesOfMoved { continue }
      position += 1
      guard position < nodes.count else { return }
      keep(walk.statics, at: nodes[position])
    }
  }

  /// Sets the template of a node. `nil` changes nothing: a conditional block that the Rendered does
  /// not contain now keeps the template that it had before.
  private mutating func keep(_ statics: Statics?, at node: Node) {
    if let template = statics.flatMap({ templates.keep($0) }) { entries[Int(node)].statics = template }
  }
}

/// A walk through a Rendered along the path of a slot. ``SlotTree`` and
/// `Rendered.templates(ofSlot:)` make one.
struct TemplateWalk {
  private enum Content {
    case slots([Slot])
    case list(Comprehension)
    case components
    case nothing
  }

  private var content: Content
  private var depth = 0
  /// The statics of the fragment, component or comprehension at the current node. `nil` elsewhere.
  private(set) var statics: Statics?

  /// Whether the current node is an entry of a list, even if the Rendered does not have the entry,
  /// such as a past entry of a stream.
  private(set) var isAtEntry = false

  init(of rendered: Rendered) {
    (content, statics) = (.slots(rendered.root.slots), rendered.root.statics)
  }

  /// Whether the next step can be a slot of ``statics``.
  var isAtSlots: Bool { if case .slots = content { true } else { isAtEntry } }

  /// Whether the Rendered does not have the current node, and the node is not an entry of a list.
  var isLost: Bool { if case .nothing = content { !isAtEntry } else { false } }

  /// Whether a slot of the current node contains a template; `nil` if the Rendered does not have
  /// the node.
  func hasTemplate(in slot: Int) -> Bool? {
    guard case .slots(let slots) = content else { return nil }
    guard slots.indices.contains(slot) else { return false }
    return switch slots[slot] {
    case .fragment, .comprehension: true
    case .text, .component: false
    }
  }

  mutating func enter(_ step: SlotPath.Step, in rendered: Rendered) {
    defer { depth += 1 }
    isAtEntry = if case (.index, .list) = (step, content) { true } else { false }
    switch (step, content) {
    case (.index(let cid), .components):
      let component = rendered.components[cid]
      (content, statics) = (component.map { .slots($0.slots) } ?? .nothing, component?.statics)
    case (.index(let index), .slots(let slots)) where slots.indices.contains(index):
      switch slots[index] {
      case .fragment(let fragment): (content, statics) = (.slots(fragment.slots), fragment.statics)
      case .comprehension(let list): (content, statics) = (.list(list), list.statics)
      case .text, .component: (content, statics) = (.nothing, nil)
      }
    case (.index(let index), .list(let list)):
      content = list.entries.indices.contains(index) ? .slots(list.entries[index].slots) : .nothing
    case (.key("c"), _) where depth == 0: (content, statics) = (.components, nil)
    case (.key, .list), (.changesOfMoved, _): break
    default: (content, statics) = (.nothing, nil)
    }
  }
}
