internal import LiveViewMirror
internal import MirrorAnalysis
internal import MarkupDocument
internal import MirrorSupport

extension ViewPage {
  /// One change as one line: sign, node, before → after, position, and the slots of the diff that
  /// caused it, with their lines in the template. The tabs *Diff* and *Node* list such lines.
  ///
  /// - Parameters:
  ///   - position: the position of the change in the record's change set.
  ///   - sources: the template line of each slot, by slot path.
  func line(
    of change: Change, in record: ChangeRecord, at position: Int, from sources: [String: TemplateSource] = [:]
  ) -> HTML {
    let slots = record.slots.indices.contains(position) ? record.slots[position] : []
    let places = slots.map { "<code>\(ChangeRecord.name(ofSlot: $0))</code>" as HTML }
    let lines = slots.compactMap { sources[$0] }.reduce(into: [TemplateSource]()) { lines, line in
      if !lines.contains(line) { lines.append(line) }
    }.compactMap { source in
      source.location.map { location -> HTML in
        " \(source.element.map { "inside &lt;\($0)&gt; at " as HTML })\(sourceLink(location))"
      }
    }
    let causes: HTML? =
      slots.isEmpty
      ? nil
      : " <span class=\"slots\">\(slots.count == 1 ? "slot" : "slots")\u{A0}\(places.joined(by: ", "))\(lines)</span>"
    return "\(ChangeMark(change.op).html) \(words(of: change, in: record))\(causes)"
  }

  private func words(of change: Change, in record: ChangeRecord) -> HTML {
    // The names are those of the record, because the shown document may be of another version and
    // not have these nodes.
    let names = record.displayNames
    let items = record.version == version ? items : ChangedItems()
    switch change {
    case .text(let node, let parent, let before, let after):
      // The link selects the element around the text. `data-node` names the text, which the script
      // highlights.
      return """
        <a class="node" data-node="\(node.number)" href="\(link(toNode: parent))"><i class="ref">\(parent.number)</i>\u{A0}\
        \(names[parent].map(label) ?? "document")</a> <del>\(HTML.quoted(before))</del> → <ins>\(HTML.quoted(after))</ins>
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
        <span class="where">\(items.after[position].map { "as item \($0) of" as HTML } ?? "in") \(parent(position, names))</span>
        """
    case .remove(let nodes, let position, let name):
      return """
        \(nodeLink(change.node, named: name))\(size(nodes.count)) \
        <span class="where">\(items.before[position].map { "was item \($0) of" as HTML } ?? "was in") \(parent(position, names))</span>
        """
    case .move(let node, let name, let from, let to):
      let (old, new) = (items.before[from].map { "item \($0)" as HTML }, items.after[to].map { "item \($0)" as HTML })
      let way: HTML =
        if from.parent != to.parent {
          "from \(old.map { "\($0) of " as HTML })\(parent(from, names)) to \(new.map { "\($0) of " as HTML })\(parent(to, names))"
        } else if let old, let new {
          "from \(old) to \(new) of \(parent(to, names))"
        } else {
          "in \(parent(to, names))"
        }
      return "\(nodeLink(node, named: name)) <span class=\"where\">\(way)</span>"
    }
  }

  private func parent(_ position: Position, _ names: DisplayNames) -> HTML {
    nodeLink(position.parent, named: names[position.parent])
  }

  private func size(_ nodes: Int) -> HTML? {
    nodes == 1 ? nil : " <span class=\"size\">\(HTML.count(nodes, "node"))</span>"
  }
}

extension ViewPage {
  /// The number of changes of the shown version that the page lists, and the number of changes of
  /// white space and HEEx's comments that the page folds.
  var changeCounts: (shown: Int, blank: Int) {
    let changes = record?.changeSet.changes ?? []
    let blank = query.showsBlanks ? 0 : changes.count { $0.isSeldomOfInterest }
    return (changes.count - blank, blank)
  }
}

extension HTML {
  static func changes(_ count: Int, ofBlanks blankCount: Int = 0) -> HTML {
    "\(Formatted.changes(count, ofBlanks: blankCount))"
  }
}
