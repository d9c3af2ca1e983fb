internal import LiveViewMirror
internal import MarkupDocument
internal import NodeObservation

extension ViewPage {
  var tree: HTML {
    let under = ref(query.under) ?? document.root
    let body: HTML
    if let top = document.treeIndex(of: under) {
      body = tree(below: top)
    } else {
      body = """
        <p class="note">There is no node \(under.number) in version \(version). \
        <a href="\(link("tree") { ($0.under, $0.from) = (nil, nil) })">Show the whole document</a></p>
        """
    }
    return """
      <section id="tree" class="panel" tabindex="-1" aria-labelledby="tree-title">
      <h2 id="tree-title">Tree</h2>
      <p class="jump"><a href="#log">to the log ↓</a></p>
      \(body)
      </section>
      """
  }

  private func tree(below top: NodeTree.Index) -> HTML {
    let changed = document.inDocumentOrder(Set(marks.nodes.keys)).compactMap { document.treeIndex(of: $0) }
    let selected = ref(query.node).flatMap { document.treeIndex(of: $0) }
    let outline = Outline(
      of: document.tree, top: top, first: max(0, query.from ?? 0), focus: [selected].compactMap { $0 } + changed,
      marked: changed)
    let summary: HTML =
      outline.count == outline.total
      ? HTML.count(outline.total, "node")
      : "\(HTML.count(outline.count)) of \(HTML.count(outline.total, "node"))"
    return """
      <p class="note">\(summary), \(HTML.count(changed.count, "node")) changed by v\(version)\
      <span class="legend"> <b class="mark changed">~</b> changed <b class="mark added">+</b> added \
      <b class="mark moved">⇄</b> moved</span></p>
      \(breadcrumb(to: document.ref(top)))\
      <ul class="tree">
      \(item(top, in: outline))\
      </ul>
      """
  }

  /// The path from the document to the shown subtree, as links.
  private func breadcrumb(to top: NodeRef) -> HTML? {
    guard top != document.root else { return nil }
    let steps = document.path(to: top).map { step -> HTML in
      if step == top { return "<li aria-current=\"true\">\(nodeLink(step))</li>" }
      let target = link("tree") { ($0.under, $0.from) = (step == document.root ? nil : step.number, nil) }
      return "<li>\(nodeLink(step, to: target))</li>"
    }
    return """
      <nav class="way" aria-label="The path to this subtree"><ol>\(steps)</ol></nav>

      """
  }

  // MARK: - Nodes

  /// A node and its shown descendants. The outline limits the depth, so the recursion is bounded.
  private func item(_ place: NodeTree.Index, in outline: Outline) -> HTML {
    let node = document.ref(place)
    let items = outline.items(below: place)
    if items.isEmpty { return "<li\(state(of: node))><div class=\"line\">\(line(of: place))</div></li>\n" }
    if let text = document.tree.onlyText(of: place), case .node? = items.first {
      return "<li\(state(of: node))><div class=\"line\">\(line(of: place, with: text))</div></li>\n"
    }
    let children = items.map { item -> HTML in
      switch item {
      case .node(let child): self.item(child, in: outline)
      case .gap(let from, let nodes, let changed): gap(below: node, from: from, nodes: nodes, changed: changed)
      }
    }
    return """
      <li\(state(of: node))><details open><summary class="line">\(line(of: place))</summary><ul>
      \(children)\
      </ul></details></li>

      """
  }

  /// The id for links, and the classes for the style sheet.
  private func state(of node: NodeRef) -> HTML {
    let isSelected = query.node == node.number
    let classes = [
      isSelected ? "selected" as HTML : nil, marks.nodes[node] == nil ? nil : "touched",
      document.content(of: node)?.isBlankText == true ? "blank-text" : nil,
    ].compactMap { $0 }.joined(by: " ")
    let attribute: HTML? = classes.isEmpty ? nil : " class=\"\(classes)\""
    return " id=\"n\(node.number)\"\(attribute)\(isSelected ? " aria-current=\"true\"" as HTML : nil)"
  }

  private func gap(below node: NodeRef, from: Int, nodes: Int, changed: Int) -> HTML {
    let target = link("tree") { ($0.under, $0.from) = (node.number, from == 0 ? nil : from) }
    let marked: HTML? =
      changed == 0 ? nil : ", <b class=\"mark changed\">~</b> \(HTML.count(changed)) of them changed"
    return "<li class=\"gap\"><a href=\"\(target)\">… \(HTML.count(nodes, "more node"))\(marked)</a></li>\n"
  }

  /// One node, with its text if that is its only child: mark, number, description, number of subscribers.
  private func line(of place: NodeTree.Index, with text: NodeTree.Index? = nil) -> HTML {
    let node = document.ref(place)
    let component: HTML? = document.component(of: node).map {
      " <span class=\"component\" title=\"root of component \($0)\">component \($0)</span>"
    }
    let source: HTML? = sources[node].map { source in
      let file = source.file.split(separator: "/").last.map(String.init) ?? source.file
      return " <span class=\"source\" title=\"\(source.file):\(source.line)\">\(file):\(source.line)</span>"
    }
    let inner: HTML? = text.map { " <span\(state(of: document.ref($0)))>\(entry(of: $0))</span>" }
    return "<span class=\"what\">\(entry(of: place))\(inner)</span>\(source)\(component)\(listeners(to: node))"
  }

  private func entry(of place: NodeTree.Index) -> HTML {
    let node = document.ref(place)
    return """
      \(marks.html(of: node))<a class="node" href="\(link(toNode: node))"><i class="ref">\(node.number)</i>\u{A0}\
      \(content(document.tree[place], of: node))</a>
      """
  }

  private func content(_ content: NodeContent, of node: NodeRef) -> HTML {
    switch content {
    case .root: return "document"
    case .text(let text): return "<span class=\"text\">\(HTML.quoted(text))</span>"
    case .comment(let text): return "<span class=\"comment\">&lt;!--\(HTML.quoted(text))--&gt;</span>"
    case .processingInstruction(let instruction):
      return "<span class=\"comment\">&lt;?\(instruction.target) \(HTML.quoted(instruction.data))?&gt;</span>"
    case .element(let element):
      let changed = marks.attributes[node] ?? []
      let attributes = element.attributes.map { attribute -> HTML in
        let value: HTML? = attribute.value.isEmpty ? nil : "=\(HTML.quoted(attribute.value, limit: 60))"
        let state: HTML? = changed.contains(attribute.name) ? " touched" : nil
        return " <bdi class=\"attribute\(state)\"><span class=\"name\">\(attribute.name)</span>\(value)</bdi>"
      }
      return "<bdi class=\"tag\">&lt;\(element.tag)</bdi>\(attributes)<span class=\"tag\">&gt;</span>"
    }
  }

  private func listeners(to node: NodeRef) -> HTML? {
    guard let count = subscribers[node], count.total > 0 else { return nil }
    let others = count.clients + count.subscriptions
    let state: HTML? = others > 0 ? " live" : nil
    let asked: HTML? = count.subscriptions > 0 ? ", \(HTML.count(count.subscriptions, "subscription"))" : nil
    let words: HTML = "\(HTML.count(count.observers, "observer")), \(HTML.count(count.clients, "client"))\(asked)"
    return """
       <span class="listeners\(state)" role="img" aria-label="\(words)" title="\(words)">◉\(count.observers)\
      \(others > 0 ? "+\(others)" as HTML : nil)</span>
      """
  }
}

extension NodeContent {
  fileprivate var isBlankText: Bool {
    guard case .text(let text) = self else { return false }
    return text.allSatisfy(\.isWhitespace)
  }
}
