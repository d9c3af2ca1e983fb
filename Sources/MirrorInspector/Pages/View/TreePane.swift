internal import LiveViewMirror
internal import MarkupDocument
internal import NodeObservation

/// The document of the shown version as lines, one for each node that an ``Outline`` selects: at
/// most a few hundred. ``ViewPage`` makes one for its pane in the middle.
///
/// The tree is a flat list whose items have their level (`aria-level`), so that an update replaces
/// single lines.
struct TreePane {
  let page: ViewPage
  /// `nil` if the page does not show the tree, or if the shown version does not have the node at
  /// the top of the tree.
  let outline: Outline?
  /// The nodes that the shown version changed, in document order.
  private let changed: [NodeTree.Index]
  private let found: Set<NodeRef>
  private let notified: Set<NodeRef>

  private var document: Document { page.document }

  init(_ page: ViewPage) {
    self.page = page
    let document = page.document
    let search = page.search
    found = Set(search?.matches ?? [])
    notified = Set(page.record?.notified ?? [])
    changed = document.inDocumentOrder(Set(page.marks.nodes.keys)).compactMap { document.treeIndex(of: $0) }
    guard page.query.show.hasTree, let top = document.treeIndex(of: page.ref(page.query.under) ?? document.root) else {
      outline = nil
      return
    }
    let selected = [page.ref(page.query.node), search?.matches.first].compactMap { $0 }
    let (tree, showsBlanks) = (document.tree, page.query.showsBlanks)
    let kept = Set(selected.compactMap { document.treeIndex(of: $0) })
    outline = Outline(
      of: tree, top: top, first: max(0, page.query.from ?? 0),
      focus: (selected + (search?.matches.dropFirst() ?? [])).compactMap { document.treeIndex(of: $0) } + changed,
      marked: changed, hiding: { !showsBlanks && tree[$0].isSeldomOfInterest && !kept.contains($0) },
      closing: { document.dialect.hidesContent(of: tree[$0]) })
  }

  var lines: [PageRegion.Line] {
    guard let outline else { return [] }
    var lines: [PageRegion.Line] = []
    add(outline.top, level: 1, in: outline, to: &lines)
    return lines
  }

  /// The line of a node, and those of its shown descendants. The outline limits the depth, so the
  /// recursion is bounded.
  private func add(_ place: NodeTree.Index, level: Int, in outline: Outline, to lines: inout [PageRegion.Line]) {
    let items = outline.items(below: place)
    let text = document.tree.onlyText(of: place).flatMap { text in
      if case .node? = items.first { text } else { nil }
    }
    let isOpen = !items.isEmpty && text == nil
    lines.append(line(of: place, with: text, level: level, isOpen: isOpen))
    guard isOpen else { return }
    for item in items {
      switch item {
      case .node(let child): add(child, level: level + 1, in: outline, to: &lines)
      case .gap(let from, let nodes, let changed):
        lines.append(gap(below: document.ref(place), from: from, nodes: nodes, changed: changed, level: level + 1))
      }
    }
  }

  /// The line of one node: marks, a link with the description, source line, component, subscribers,
  /// number. If its only child is a text, the link contains the text.
  private func line(of place: NodeTree.Index, with text: NodeTree.Index?, level: Int, isOpen: Bool) -> PageRegion.Line {
    let node = document.ref(place)
    let inner = text.map { document.ref($0) }
    let isSelected = page.query.node.map { $0 == node.number || $0 == inner?.number } ?? false
    let heat = [node, inner].compactMap { $0.flatMap { page.heat.levels[$0] } }.max()
    let classes = [
      [node, inner].contains { $0.map { page.marks.nodes[$0] != nil } ?? false } ? "touched" as HTML : nil,
      page.marks.nodes[node]?.last.map { "\($0.rawValue)" as HTML },
      [node, inner].contains { $0.map(found.contains) ?? false } ? "found" : nil,
      heat.map { "heat-\($0)" as HTML },
    ].compactMap { $0 }.joined(by: " ")
    let attribute: HTML? = classes.isEmpty ? nil : " class=\"\(classes)\""
    let html: HTML = """
      <li id="n\(node.number)" role="treeitem" aria-level="\(level)" aria-selected="\(isSelected ? "true" : "false")"\
      \(isOpen ? " aria-expanded=\"true\"" as HTML : nil)\(attribute)>\
      <span class="what">\(isOpen ? "<span class=\"fold\" aria-hidden=\"true\"></span>" as HTML : nil)\(page.marks.html(of: node))\
      <a class="node" data-node="\(node.number)" href="\(page.link(toNode: node))">\(content(document.tree[place], of: node))\
      \(text.map(inside))</a></span>\(source(of: node))\(component(of: node))\(listeners(to: node))<i class="ref">\(node.number)</i></li>

      """
    return PageRegion.Line(key: "n\(node.number)", html: html)
  }

  private func gap(below node: NodeRef, from: Int, nodes: Int, changed: Int, level: Int) -> PageRegion.Line {
    let target = page.link("page") { ($0.under, $0.from) = (node.number, from == 0 ? nil : from) }
    let marked: HTML? =
      changed == 0 ? nil : ", <b class=\"mark changed\">~</b> \(HTML.count(changed)) of them changed"
    let html: HTML = """
      <li id="g\(node.number)-\(from)" role="treeitem" aria-level="\(level)" aria-selected="false" class="gap">\
      <a href="\(target)">… \(HTML.count(nodes, "more node"))\(marked)</a></li>

      """
    return PageRegion.Line(key: "g\(node.number)-\(from)", html: html)
  }

  // MARK: - The parts of a line

  /// The only text of an element, in the line of the element.
  private func inside(_ place: NodeTree.Index) -> HTML {
    let node = document.ref(place)
    return
      " <span id=\"n\(node.number)\" data-node=\"\(node.number)\">\(page.marks.html(of: node))\(content(document.tree[place], of: node))</span>"
  }

  private func content(_ content: NodeContent, of node: NodeRef) -> HTML {
    switch content {
    case .root: return "document"
    case .text(let text): return "<span class=\"text\">\(HTML.quoted(text))</span>"
    case .comment(let text): return "<span class=\"comment\">&lt;!--\(HTML.quoted(text))--&gt;</span>"
    case .processingInstruction(let instruction):
      return "<span class=\"comment\">&lt;?\(instruction.target) \(HTML.quoted(instruction.data))?&gt;</span>"
    case .element(let element):
      let changed = page.marks.attributes[node] ?? []
      let shown = element.attributes.filter {
        page.query.showsBlanks || !$0.isSeldomOfInterest || changed.contains($0.name)
      }
      let attributes = shown.map { attribute -> HTML in
        let value: HTML? = attribute.value.isEmpty ? nil : "=\(HTML.quoted(attribute.value, limit: 60))"
        let state: HTML? = changed.contains(attribute.name) ? " touched" : nil
        // A long value may be cut off.
        let whole: HTML? =
          attribute.value.utf8.count > 20 ? " title=\"\(attribute.value.unicodeScalars.prefix(500))\"" : nil
        return " <bdi class=\"attribute\(state)\"\(whole)><span class=\"name\">\(attribute.name)</span>\(value)</bdi>"
      }
      return "<bdi class=\"tag\">&lt;\(element.tag)</bdi>\(attributes)<span class=\"tag\">&gt;</span>"
    }
  }

  private func source(of node: NodeRef) -> HTML? {
    guard let source = page.sources[node] else { return nil }
    let function: HTML? = source.function.map {
      " <span class=\"component\" title=\"\($0)\">\(page.functionName($0))</span>"
    }
    return "\(function) \(page.sourceLink(source.location))"
  }

  private func component(of node: NodeRef) -> HTML? {
    document.component(of: node).map {
      " <span class=\"component\" title=\"root of component \($0)\">component \($0)</span>"
    }
  }

  /// The subscribers of a node in the newest version, and whether the shown diff notified them. On
  /// a page of an earlier version, only the notification is known. Usually, the only subscriber is
  /// the view of the element. This usual subscriber is shown only while the pointer or the focus is
  /// on the line.
  private func listeners(to node: NodeRef) -> HTML? {
    let count = page.isNewest ? page.view.observers.publishers.count(of: node) : .init()
    let isNotified = notified.contains(node)
    guard count.total > 0 || isNotified else { return nil }
    let words: [HTML?] = [
      isNotified ? "notified" : nil,
      count.total > 0 ? HTML.count(count.observers, "view") : nil,
      count.clients > 0 ? HTML.count(count.clients, "event client") : nil,
      count.subscriptions > 0 ? HTML.count(count.subscriptions, "subscription") : nil,
    ]
    let label = words.compactMap { $0 }.joined(by: ", ")
    let state: HTML? = isNotified ? " live" : count.total == 1 && count.observers == 1 ? " usual" : nil
    return """
       <span class="listeners\(state)" role="img" aria-label="\(label)" title="Subscribers: \(label)">◉\
      \(count.total > 0 ? HTML.count(count.total) : nil)</span>
      """
  }
}
