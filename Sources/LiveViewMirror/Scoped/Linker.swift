internal import MarkupDocument
internal import RenderedTree

/// Finds, in a parsed page, the nodes that the templates' static elements became, and leaves them with the instances.
///
/// It walks the tree of instances and the tree of nodes side by side, as the renderer wrote the one and the parser read it
/// into the other: where an instance's tag begins in the markup is known, so an anchor is the node that begins just there,
/// under the node that it should stand in. An instance for which that does not hold, for whatever reason, gets no
/// ``Site``, and is looked at from outside from then on.
struct Linker {
  private struct Frame {
    /// The first child that has not been passed.
    var cursor: NodeTree.Index?
    /// What stands in here is not addressed piece by piece.
    var isBlocked: Bool
    /// The document keeps the children that it has: they are a stream's items, or ignored.
    var keepsChildren = false
    /// The element whose end tag closes it.
    var node: NodeTree.Index?
  }

  private let tree: NodeTree
  private let irregular: Set<NodeTree.Index>
  private let ends: [Int32]
  private let dialect: Dialect
  /// By place in the page's storage, the number of a node in the document, 0 for one that has none.
  private let names: [Int]
  /// Where the nodes stand that were there before: an element that keeps its children also keeps saying so.
  private let document: Document?
  /// The view's components, while the linker works on them; see ``with(_:_:)``.
  private var components: [Int: Fragment] = [:]
  private var frames: [Frame]
  /// Where in the markup the walk stands.
  var offset = 0
  /// How deep the instance stands whose slots are walked through.
  var level = 0
  private var met: Set<Int> = []
  /// Those that were read on the way.
  private var read: [[String]: Statics] = [:]
  /// Whether the next page may show something else, or name nodes otherwise, although nothing changes: a stream was shown
  /// where no container keeps its items, or a component stands twice.
  private(set) var isUnsettled = false

  /// - Parameters:
  ///   - parent: the node of the page whose children the markup became.
  ///   - names: by place in the page's storage, the numbers that its nodes have in the document.
  init(_ page: Page, below parent: NodeTree.Index, names: [Int], document: Document?) {
    tree = page.tree
    irregular = page.irregular
    ends = page.ends
    dialect = page.dialect
    self.names = names
    self.document = document
    frames = [Frame(cursor: tree.firstChild(of: parent), isBlocked: irregular.contains(parent))]
  }

  /// Works with the view's components at hand, which nobody else holds meanwhile.
  mutating func with(_ others: inout [Int: Fragment], _ body: (inout Linker) -> Void) {
    swap(&components, &others)
    body(&self)
    swap(&components, &others)
  }

  // MARK: - Instances

  mutating func link(_ fragment: inout Fragment) {
    let site = link(fragment.statics, &fragment.slots)
    fragment.site = site
  }

  mutating func link(_ entry: inout Comprehension.Entry, of statics: Statics) {
    let site = link(statics, &entry.slots)
    entry.site = site
  }

  private mutating func link(_ statics: Statics, _ slots: inout [Slot]) -> Site? {
    let template = template(of: statics)
    var (nodes, opaque) = ([Int](repeating: 0, count: template.anchors.count), Set<Int>())
    level += 1
    defer { level -= 1 }
    let isFound = walk(statics.parts.indices, of: template, statics, &slots, &nodes, &opaque) { template.events[$0] }
    return isFound ? Site(template: template, nodes: nodes, opaque: opaque, level: level) : nil
  }

  /// Strings that are sent again and again, as with each of many components, are read once.
  private mutating func template(of statics: Statics) -> Template {
    if let known = statics.template as? Template { return known }
    // Strings are keys as texts; what was read of them counts bytes.
    if let known = read[statics.parts], known == statics {
      statics.template = known.template
    } else {
      read[statics.parts] = statics
    }
    return statics.template(for: dialect)
  }

  /// Finds anew one static element of an instance with all in it.
  ///
  /// - Returns: the instance's site, with the nodes as they are now; `nil` where they could not be found.
  mutating func link(_ anchor: Int, of site: Site, _ statics: Statics, _ slots: inout [Slot]) -> Site? {
    let template = statics.template(for: dialect)
    let range = template.anchors[anchor].start..<template.anchors[anchor].end
    var (nodes, opaque) = (site.nodes, site.opaque)
    for inner in template.anchors.indices where range.contains(template.anchors[inner].start) { opaque.remove(inner) }
    // The first part begins with the element.
    offset -= range.lowerBound.offset
    let parts = range.lowerBound.part..<range.upperBound.part + 1
    let isFound = walk(parts, of: template, statics, &slots, &nodes, &opaque) { part in
      template.events[part].filter { event in
        switch event {
        case .open(let inner, _), .leaf(let inner, _), .close(let inner):
          range.contains(template.anchors[inner].start)
        }
      }
    }
    return isFound ? Site(template: template, nodes: nodes, opaque: opaque, level: site.level) : nil
  }

  /// Links parts of a template and the slots between them. After an element that was not found, the slots are still walked
  /// through, because they may hold streams and components.
  ///
  /// - Parameter events: what a part of the template opens and closes.
  /// - Returns: whether all elements were found.
  private mutating func walk(
    _ parts: Range<Int>, of template: Template, _ statics: Statics, _ slots: inout [Slot], _ nodes: inout [Int],
    _ opaque: inout Set<Int>, events: (Int) -> [Template.Event]
  ) -> Bool {
    let depth = frames.count
    defer { frames.removeLast(frames.count - depth) }
    var isFound = template.isReadable && !frames[depth - 1].isBlocked
    if !isFound { block() }
    for part in parts {
      if isFound, !follow(events(part), of: template, statics, slots, &nodes, &opaque) {
        isFound = false
        frames.removeLast(frames.count - depth)
        block()
      }
      offset += statics.parts[part].utf8.count
      // A slot follows each part but the last.
      guard part + 1 < parts.upperBound, part < slots.count else { continue }
      if isFound, case .tag = template.positions[part] {
        block()
        link(&slots, part)
        frames.removeLast()
      } else {
        link(&slots, part)
      }
    }
    return isFound
  }

  // MARK: - Slots

  mutating func link(_ slots: inout [Slot], _ index: Int) {
    switch slots[index] {
    case .text(let text): offset += text.utf8.count
    case .component(let cid): link(component: cid)
    case .fragment:
      guard var fragment = slots.takeFragment(at: index) else { return }
      link(&fragment)
      slots[index] = .fragment(fragment)
    case .comprehension:
      guard var comprehension = slots.takeComprehension(at: index) else { return }
      link(&comprehension)
      slots[index] = .comprehension(comprehension)
    }
  }

  private mutating func link(_ comprehension: inout Comprehension) {
    // The entries of a stream are forgotten by the tree; the document keeps them by their ids.
    let isStream = comprehension.stream != nil
    if isStream {
      if !frames[frames.count - 1].keepsChildren { isUnsettled = true }
      block()
    }
    var isLinked = true
    for entry in comprehension.entries.indices {
      link(&comprehension.entries[entry], of: comprehension.statics)
      if comprehension.entries[entry].site == nil { isLinked = false }
    }
    comprehension.isLinked = isLinked
    if isStream { frames.removeLast() }
  }

  mutating func link(component cid: Int) {
    guard var component = components.removeValue(forKey: cid) else { return }
    link(&component)
    // One that stands twice, or has no node to know it by, is shown and has no place of its own.
    let isFirst = met.insert(cid).inserted
    if !isFirst { isUnsettled = true }
    if !isFirst || component.site?.edge(.left) == nil {
      component.site = Site(template: nowhere, nodes: [], level: level)
    }
    components[cid] = component
  }

  // MARK: - Nodes

  private mutating func block() {
    frames.append(Frame(cursor: nil, isBlocked: true, keepsChildren: frames[frames.count - 1].keepsChildren))
  }

  /// Whether all that a part of the template opens and closes was found.
  private mutating func follow(
    _ events: [Template.Event], of template: Template, _ statics: Statics, _ slots: [Slot], _ nodes: inout [Int],
    _ opaque: inout Set<Int>
  ) -> Bool {
    for event in events {
      switch event {
      case .close(let anchor):
        guard let node = frames.removeLast().node else { continue }
        let isClosed =
          template.anchors[anchor].isRaw
          ? isPlain(anchor, of: template, slots)
          : isClosed(node, at: offset + template.anchors[anchor].contentEnd.offset)
        guard isClosed else { return false }
      case .leaf(let anchor, let start):
        if frames[frames.count - 1].isBlocked { continue }
        guard let node = pass(to: offset + start), isWhole(anchor, of: template, statics, slots) else { return false }
        nodes[anchor] = names[Int(node.raw)]
        if irregular.contains(node) { opaque.insert(anchor) }
      case .open(let anchor, let start):
        if frames[frames.count - 1].isBlocked {
          block()
          continue
        }
        guard let node = pass(to: offset + start), isWhole(anchor, of: template, statics, slots) else { return false }
        nodes[anchor] = names[Int(node.raw)]
        let keepsChildren = tree[node].keepsChildren || isKept(nodes[anchor])
        let isOpaque = template.anchors[anchor].isSealed || irregular.contains(node) || keepsChildren
        if isOpaque { opaque.insert(anchor) }
        frames.append(
          Frame(cursor: tree.firstChild(of: node), isBlocked: isOpaque, keepsChildren: keepsChildren, node: node))
      }
    }
    return true
  }

  /// Whether the start tag is what the template says. Without slots in it, it is.
  private func isWhole(_ anchor: Int, of template: Template, _ statics: Statics, _ slots: [Slot]) -> Bool {
    template.anchors[anchor].start.part == template.anchors[anchor].contentStart.part
      || TagScan.isWhole(anchor, of: template, statics, slots)
  }

  /// Whether an element ends with its own end tag: what stands in it has not swallowed that.
  private func isClosed(_ node: NodeTree.Index, at end: Int) -> Bool {
    ends.indices.contains(Int(node.raw)) && Int(ends[Int(node.raw)]) == end
  }

  /// Whether what stands in the slots of an element of raw text cannot end it.
  private func isPlain(_ anchor: Int, of template: Template, _ slots: [Slot]) -> Bool {
    slots[template.anchors[anchor].contentStart.part..<template.anchors[anchor].contentEnd.part].allSatisfy { slot in
      guard case .text(let text) = slot else { return false }
      return zip(text.utf8, text.utf8.dropFirst()).allSatisfy { $0 != UInt8(ascii: "<") || !"/!".utf8.contains($1) }
        && text.utf8.last != UInt8(ascii: "<")
    }
  }

  /// Whether the document has an element that keeps its children, whatever the page says.
  private func isKept(_ number: Int) -> Bool {
    document.flatMap { $0.content(of: NodeRef(epoch: $0.epoch, number: number)) }?.keepsChildren ?? false
  }

  /// The node that begins at a place of the markup, if it stands under the present parent and in the document.
  private mutating func pass(to start: Int) -> NodeTree.Index? {
    var cursor = frames[frames.count - 1].cursor
    while let node = cursor, tree.offset(of: node) ?? -1 < start { cursor = tree.next(of: node) }
    guard let node = cursor, tree.offset(of: node) == start, names[Int(node.raw)] != 0 else { return nil }
    frames[frames.count - 1].cursor = tree.next(of: node)
    return node
  }
}

/// Stands for the template of a component that is shown, nobody knows where.
private final class Nowhere: Sendable {}
private let nowhere = Nowhere()

extension NodeContent {
  /// Whether the children are not simply those that the page lists.
  fileprivate var keepsChildren: Bool { element.map { $0.updateRule != .replace } ?? false }
}

extension Statics {
  /// The strings as a template, read at their first use.
  func template(for dialect: Dialect) -> Template {
    if let template = template as? Template { return template }
    let template = Template(parts, dialect: dialect)
    self.template = template
    return template
  }
}
