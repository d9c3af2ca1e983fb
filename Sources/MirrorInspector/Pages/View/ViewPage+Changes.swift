internal import LiveViewMirror
internal import MirrorAnalysis
internal import MarkupDocument

extension ViewPage {
  /// One change as one line: sign, node, before → after, position, and the slots of the diff that
  /// caused it, with their lines in the template.
  ///
  /// - Parameters:
  ///   - position: the position of the change in the record's change set.
  ///   - sources: the lines of the slots.
  func line(
    of change: Change, in record: ChangeRecord, at position: Int, from sources: [String: TemplateSource] = [:]
  ) -> HTML {
    let slots = record.slots.indices.contains(position) ? record.slots[position] : []
    let places = slots.map { "<code>\(ChangeRecord.name(ofSlot: $0))</code>" as HTML }
    let lines = slots.compactMap { sources[$0]?.location }.reduce(into: [SourceLocation]()) { lines, line in
      if !lines.contains(line) { lines.append(line) }
    }.map { " \(sourceLink($0))" as HTML }
    let causes: HTML? =
      slots.isEmpty
      ? nil
      : " <span class=\"slots\">\(slots.count == 1 ? "slot" : "slots")\u{A0}\(places.joined(by: ", "))\(lines)</span>"
    return "\(ChangeMark(change.op).html) \(words(of: change, in: record))\(causes)"
  }

  private func words(of change: Change, in record: ChangeRecord) -> HTML {
    // The shown document may be of another version, without these nodes.
    let names = record.displayNames
    switch change {
    case .text(let node, let parent, let before, let after):
      return """
        \(nodeLink(node)) <del>\(HTML.quoted(before))</del> → <ins>\(HTML.quoted(after))</ins> \
        <span class="where">in \(nodeLink(parent, named: names[parent]))</span>
        """
    case .attributes(let node, let tag, let changes):
      let values = changes.map { change -> HTML in
        """
        <span class="change"><bdi class="name">\(change.name)</bdi> <del>\(HTML.quoted(change.before))</del> → \
        <ins>\(HTML.quoted(change.after))</ins></span>
        """
      }
      return "\(nodeLink(node, named: .element(tag: tag, id: nil))) \(values.joined(by: ", "))"
    case .add(let subtree, let position):
      return """
        \(nodeLink(subtree.root, named: subtree.displayName))\(size(subtree.count)) \
        <span class="where">under \(describe(position, names))</span>
        """
    case .remove(let nodes, let position, let name):
      return """
        \(nodeLink(change.node, named: name))\(size(nodes.count)) <span class="where">from \(describe(position, names))</span>
        """
    case .move(let node, let name, let from, let to):
      let way: HTML =
        from.parent == to.parent
        ? "under \(nodeLink(to.parent, named: names[to.parent])) from \(from.index) to \(to.index)"
        : "from \(describe(from, names)) to \(describe(to, names))"
      return "\(nodeLink(node, named: name)) <span class=\"where\">\(way)</span>"
    }
  }

  private func describe(_ position: Position, _ names: DisplayNames) -> HTML {
    "\(nodeLink(position.parent, named: names[position.parent])) at \(position.index)"
  }

  private func size(_ nodes: Int) -> HTML? {
    nodes == 1 ? nil : " <span class=\"size\">\(HTML.count(nodes, "node"))</span>"
  }
}
