internal import MarkupDocument
internal import RenderedTree

/// Finds, in a parsed page, the nodes of the static elements of templates. It stores the nodes as a
/// `Site` in each instance (fragment or entry) of a template.
///
/// The linker walks the tree of instances and the tree of nodes in parallel. An anchor is a static
/// element of a template that is needed to find slots. The offset of each anchor's tag in the
/// markup is known. Its node is the one that begins at this offset and has the expected parent. If
/// there is no such node, the instance gets no `Site`; until it is linked again, a change inside of
/// it needs a region in an enclosing instance.
///
/// A full update makes one linker for the page, and a scoped update one for each region. Parts must
/// be linked in the order of their offsets, because the walk only moves forwards. The linker has
/// components and templates only within ``with(_:_:_:)``.
struct Linker {
  /// An open element of the walk.
  private struct Frame {
    /// The first child that the walk has not passed.
    var cursor: NodeTree.Index?
    /// Whether the content is not linked, because it cannot be addressed by slot.
    var isBlocked: Bool
    /// Whether the document keeps children that the page does not list: items of a stream, or
    /// ignored content.
    var keepsChildren = false
    /// The element whose end tag closes the frame.
    var node: NodeTree.Index?
  }

  private let tree: NodeTree
  private let irregular: Set<NodeTree.Index>
  private let tags: [ElementTags]
  /// The document numbers of the page's nodes, by index in the page's storage; 0 for a node that
  /// the document does not have.
  private let nodeNumbers: [Int]
  /// The document, if the page was patched into one with rules of the client. An element that keeps
  /// its children also keeps its `phx-update` attribute, so the document may have this attribute
  /// when the page does not.
  private let document: Document?
  /// Whether an element of the page or of the document may keep its children.
  private let hasClientRules: Bool
  /// The view's components, while the linker works on them; see ``with(_:_:_:)``.
  private var components: [Int: Fragment] = [:]
  private var frames: [Frame]
  /// The node of the last anchor that has begun.
  private var passed: NodeTree.Index?
  /// The offset of the walk in the markup.
  var offset = 0
  /// The depth of the instance whose slots are visited.
  var depth = 0
  /// The components that were linked.
  private var met: Set<Int> = []
  /// The view's templates, while the linker works on them; see ``with(_:_:_:)``.
  private var templates: TemplateTable
  /// Whether patching the same page once more may change content or identities: the page shows a
  /// stream outside of a container that keeps its items, or it shows a component twice.
  private(set) var isUnstable = false

  /// - Parameters:
  ///   - page: the parsed markup.
  ///   - parent: the node of the page whose children the markup became.
  ///   - nodeNumbers: the document numbers of the page's nodes, by index in the page's storage.
  ///   - document: the document, if the page was patched into one.
  init(_ page: Page, below parent: NodeTree.Index, nodeNumbers: [Int], document: Document?) {
    templates = TemplateTable(dialect: page.dialect)
    tree = page.tree
    irregular = page.irregular
    tags = page.tags
    self.nodeNumbers = nodeNumbers
    self.document = document?.hasClientRules == true ? document : nil
    hasClientRules = page.hasClientRules || self.document != nil
    frames = [Frame(cursor: tree.firstChild(of: parent), isBlocked: irregular.contains(parent))]
  }

  /// Moves the view's components and templates into the linker while `body` runs. They are swapped
  /// and not copied, so that they are changed in place.
  mutating func with(
    _ others: inout [Int: Fragment], _ table: inout TemplateTable, _ body: (inout Linker) -> Void
  ) {
    swap(&components, &others)
    swap(&templates, &table)
    body(&self)
    swap(&components, &others)
    swap(&templates, &table)
  }

  // MARK: - Instances

  mutating func linkFragment(_ fragment: inout Fragment) {
    let site = linkInstance(of: fragment.statics, templates.read(fragment.statics), &fragment.slots)
    fragment.site = site
  }

  /// Links the entries with these indices, which have the same template.
  mutating func linkEntries(_ indices: Range<Int>, of comprehension: inout Comprehension) {
    if indices.isEmpty { return }
    let (statics, template) = (comprehension.statics, templates.read(comprehension.statics))
    for entry in indices {
      let site = linkInstance(of: statics, template, &comprehension.entries[entry].slots)
      comprehension.entries[entry].site = site
      if site == nil { comprehension.isLinked = false }
    }
  }

  private mutating func linkInstance(of statics: Statics, _ template: Template, _ slots: inout [Slot]) -> Site? {
    depth += 1
    defer { depth -= 1 }
    var site = Site(anchors: template.anchors.count, depth: depth)
    guard walk(statics.parts.indices, of: template, statics, &slots, &site, events: { template.events[$0] }) else {
      return nil
    }
    site.finish(as: template)
    return site
  }

  /// Links one static element of an instance again, with its content.
  ///
  /// - Returns: the instance's new site; `nil` if a node was not found.
  mutating func relinkElement(_ anchor: Int, of site: Site, _ statics: Statics, _ slots: inout [Slot]) -> Site? {
    let template = templates.read(statics)
    let range = template.anchors[anchor].start..<template.anchors[anchor].end
    var site = site
    for inner in template.anchors.indices where range.contains(template.anchors[inner].start) { site.set(inner, to: 0) }
    // The markup begins with the element, but `walk(_:of:_:_:_:events:)` advances by whole parts.
    offset -= range.lowerBound.offset
    let parts = range.lowerBound.part..<range.upperBound.part + 1
    let isFound = walk(parts, of: template, statics, &slots, &site) { part in
      template.events[part].filter { event in
        switch event {
        case .open(let inner, _), .leaf(let inner, _), .tagEnd(let inner, _), .close(let inner):
          range.contains(template.anchors[inner].start)
        }
      }
    }
    site.finish(as: template)
    return isFound ? site : nil
  }

  /// Links parts of a template and the slots between them. After a node was not found, the
  /// remaining slots are still visited, because they may hold streams and components.
  ///
  /// - Parameter events: returns the starts and ends of anchors in a part of the template.
  /// - Returns: whether all nodes were found.
  private mutating func walk(
    _ parts: Range<Int>, of template: Template, _ statics: Statics, _ slots: inout [Slot], _ site: inout Site,
    events: (Int) -> [Template.Event]
  ) -> Bool {
    let openFrames = frames.count
    defer { frames.removeLast(frames.count - openFrames) }
    var isFound = template.isReadable && !frames[openFrames - 1].isBlocked
    if !isFound { block() }
    func giveUp() {
      isFound = false
      frames.removeLast(frames.count - openFrames)
      block()
    }
    for part in parts {
      if isFound, !follow(events(part), of: template, slots, &site) { giveUp() }
      offset += statics.parts[part].utf8.count
      // A slot follows each part but the last.
      guard part + 1 < parts.upperBound, part < slots.count else { continue }
      if isFound, case .tag = template.positions[part] {
        if !slots[part].isPlain { giveUp() }
        block()
        linkSlot(part, of: &slots)
        frames.removeLast()
      } else {
        linkSlot(part, of: &slots)
      }
    }
    return isFound
  }

  // MARK: - Slots

  mutating func linkSlot(_ index: Int, of slots: inout [Slot]) {
    switch slots[index] {
    case .text(let text): offset += text.utf8.count
    case .component(let cid): linkComponent(cid)
    case .fragment:
      guard var fragment = slots.takeFragment(at: index) else { return }
      linkFragment(&fragment)
      slots[index] = .fragment(fragment)
    case .comprehension:
      guard var comprehension = slots.takeComprehension(at: index) else { return }
      linkComprehension(&comprehension)
      slots[index] = .comprehension(comprehension)
    }
  }

  private mutating func linkComprehension(_ comprehension: inout Comprehension) {
    // Entries of a stream are not linked: the tree forgets them, and the document keeps their nodes
    // by id.
    let isStream = comprehension.stream != nil
    if isStream {
      if !frames[frames.count - 1].keepsChildren { isUnstable = true }
      block()
    }
    comprehension.isLinked = true
    linkEntries(comprehension.entries.indices, of: &comprehension)
    if isStream { frames.removeLast() }
  }

  mutating func linkComponent(_ cid: Int) {
    guard var component = components.removeValue(forKey: cid) else { return }
    linkFragment(&component)
    // A component that the page shows twice, or that does not begin with a static node, has no
    // known position. Its site only records that it is shown.
    let isFirst = met.insert(cid).inserted
    if !isFirst { isUnstable = true }
    if !isFirst || component.site?.boundaryNode(.left) == nil {
      component.site = Site(shownAtDepth: depth)
    }
    components[cid] = component
  }

  // MARK: - Nodes

  /// Opens a frame whose content is not linked.
  private mutating func block() {
    frames.append(Frame(cursor: nil, isBlocked: true, keepsChildren: frames[frames.count - 1].keepsChildren))
  }

  /// Follows the anchors that start and end in a part of the template.
  ///
  /// - Returns: whether all their nodes were found.
  private mutating func follow(
    _ events: [Template.Event], of template: Template, _ slots: [Slot], _ site: inout Site
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
        guard let node = pass(to: offset + start) else { return false }
        site.set(anchor, to: nodeNumbers[Int(node.raw)], isOpaque: irregular.contains(node))
      case .tagEnd(let anchor, let end):
        // A slot with a quote or a `>` can end the tag elsewhere. A slot can also turn the `/` of a
        // `/>` into a part of a value; the element then stays open, and the parent is irregular.
        guard site[anchor] == 0 || passed.map({ Int(tags[$0].startEnd) }) == offset + end else { return false }
      case .open(let anchor, let start):
        if frames[frames.count - 1].isBlocked {
          block()
          continue
        }
        guard let node = pass(to: offset + start) else { return false }
        let number = nodeNumbers[Int(node.raw)]
        let keepsChildren = hasClientRules && (tree[node].keepsChildren || isKept(number))
        let isOpaque = template.anchors[anchor].isSealed || irregular.contains(node) || keepsChildren
        site.set(anchor, to: number, isOpaque: isOpaque)
        frames.append(
          Frame(cursor: tree.firstChild(of: node), isBlocked: isOpaque, keepsChildren: keepsChildren, node: node))
      }
    }
    return true
  }

  /// Whether an element ends with the end tag at this offset. Its content may have closed it
  /// earlier, or have swallowed the end tag.
  private func isClosed(_ node: NodeTree.Index, at end: Int) -> Bool {
    Int(tags[node].close) == end
  }

  /// Whether the slots in an element of raw text cannot end it: their texts contain no `</` and no
  /// `<!`, and do not end with `<`, which could form an end tag with the string of the template
  /// after it.
  private func isPlain(_ anchor: Int, of template: Template, _ slots: [Slot]) -> Bool {
    slots[template.anchors[anchor].contentStart.part..<template.anchors[anchor].contentEnd.part].allSatisfy { slot in
      guard case .text(let text) = slot else { return false }
      return zip(text.utf8, text.utf8.dropFirst()).allSatisfy { $0 != UInt8(ascii: "<") || !"/!".utf8.contains($1) }
        && text.utf8.last != UInt8(ascii: "<")
    }
  }

  /// Whether the element of the document keeps its children, even if the page's element does not.
  private func isKept(_ number: Int) -> Bool {
    document.flatMap { $0.content(of: NodeRef(epoch: $0.epoch, number: number)) }?.keepsChildren ?? false
  }

  /// Moves the cursor behind the child that begins at an offset.
  ///
  /// - Returns: the child; `nil` if the current element has no child there, or if the document does
  ///   not have it.
  private mutating func pass(to start: Int) -> NodeTree.Index? {
    let frame = frames.count - 1
    while let node = frames[frame].cursor {
      let offset = tree.offset(of: node) ?? -1
      if offset > start { return nil }
      frames[frame].cursor = tree.next(of: node)
      if offset < start { continue }
      passed = nodeNumbers[Int(node.raw)] == 0 ? nil : node
      return passed
    }
    return nil
  }
}

extension Slot {
  /// Whether the slot contains no component and no stream. The nodes of components and streams
  /// cannot be found if the slot is in a start tag.
  fileprivate var isPlain: Bool {
    switch self {
    case .text: true
    case .component: false
    case .fragment(let fragment): fragment.slots.allSatisfy(\.isPlain)
    case .comprehension(let list): list.stream == nil && list.entries.allSatisfy { $0.slots.allSatisfy(\.isPlain) }
    }
  }
}

extension NodeContent {
  /// Whether the document may keep children that the page does not list.
  fileprivate var keepsChildren: Bool { element.map { $0.updateRule != .replace } ?? false }
}

extension Site {
  fileprivate mutating func finish(as template: Template) {
    func node(of anchor: Int?) -> Int? { anchor.flatMap { self[$0] == 0 ? nil : self[$0] } }
    finish(first: node(of: template.first), last: node(of: template.last))
  }
}
