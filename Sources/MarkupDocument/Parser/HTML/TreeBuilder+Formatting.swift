/// Formatting elements that continue after the end of their parents: reconstruction and the
/// adoption agency algorithm. The insertion mode "in body" uses both.
extension TreeBuilder {
  /// Inserts and opens the element of the current start tag, and adds it to the active formatting
  /// elements.
  mutating func insertFormattingElement() {
    let tag = tokenizer.tag
    let node = insertElement()
    listFormattingElement(node, tag)
  }

  /// Adds the current node to the active formatting elements.
  mutating func listFormattingElement(_ node: Index, _ tag: KnownTag) {
    guard let left = formatting.push(node, tag, openIndex: open.count - 1, in: tree) else { return }
    // The list is limited and has evicted `left`. So the list no longer follows from the open
    // elements: inside of `left` if this element is open, otherwise in the rest of the page.
    if open.position(of: left, hint: open.count) != nil { repairs.mark(left) } else { repairs.markRoot() }
  }

  /// Reconstructs the active formatting elements (13.2.4.3): if the end of another element has
  /// closed them, they are opened again, as clones.
  mutating func reconstructFormatting() {
    var index = formatting.entries.count
    while index > 0 {
      let entry = formatting.entries[index - 1]
      if entry.isMarker { break }
      if let found = open.position(of: entry.node, hint: entry.openIndexHint) {
        if found != entry.openIndexHint { formatting.hint(found, at: index - 1) }
        break
      }
      index -= 1
    }
    while index < formatting.entries.count {
      let entry = formatting.entries[index]
      guard let clone = clone(entry.node) else { return }
      append(clone)
      open.push(clone, entry.tag, .html, entry.tag.key)
      formatting.set(clone, openIndexHint: open.count - 1, at: index)
      index += 1
    }
  }

  /// A copy of an element without its children, or `nil` if the allowance for clones is used up.
  private mutating func clone(_ node: Index) -> Index? {
    guard formatting.takeClone(of: tree[node]) else {
      if !hasReportedLimit {
        report("formatting-limit", "Too many formatting elements are not closed: from here on they are not reopened.")
      }
      hasReportedLimit = true
      return nil
    }
    return tree.make(tree[node])
  }

  // MARK: - The adoption agency

  /// The adoption agency algorithm (13.2.6.4.7), for the end tag of a formatting element, or for
  /// the start tag of a second `a` or `nobr`.
  mutating func runAdoptionAgency(for tag: KnownTag) {
    if open.current.isHTML(tag), formatting.position(of: open.current.node) == nil {
      open.pop()
      return
    }
    for _ in 0..<8 {
      guard let listIndex = formatting.lastIndex(of: tag) else {
        closeAnyOther()
        return
      }
      let entry = formatting.entries[listIndex]
      guard let openIndex = open.position(of: entry.node, hint: entry.openIndexHint) else {
        report(
          "misnested-end-tag",
          "`</\(tag.name)>` comes after the end of the element around its `<\(tag.name)>`: browsers closed that one there."
        )
        formatting.remove(at: listIndex)
        return
      }
      guard isInScope(openIndex) else {
        reportStrayEndTag()
        return
      }
      if openIndex != open.count - 1 { reportMisnested(closing: openIndex) }
      let entries = open.entries
      guard let furthestBlock = entries[(openIndex + 1)...].firstIndex(where: { $0.traits.contains(.special) }) else {
        open.pop(to: openIndex)
        formatting.remove(at: listIndex)
        return
      }
      guard adopt(openIndex, furthestBlock, bookmark: listIndex) else { return }
    }
  }

  private func isInScope(_ openIndex: Int) -> Bool {
    !open.entries[(openIndex + 1)...].contains { $0.traits.contains(.scopeLimit) }
  }

  /// One round of the algorithm: the formatting element ends before the furthest block, and the
  /// children of the block move into a clone of the formatting element. The furthest block is the
  /// outermost special element that is open inside the formatting element.
  ///
  /// - Parameters:
  ///   - openIndex: the position of the formatting element in the stack of open elements.
  ///   - furthestBlock: the position of the furthest block in the stack.
  ///   - bookmark: the position of the formatting element in the list of active formatting
  ///     elements.
  /// - Returns: `false` if the allowance for clones is used up.
  private mutating func adopt(_ openIndex: Int, _ furthestBlock: Int, bookmark: Int) -> Bool {
    let formattingNode = open.entries[openIndex].node
    let block = open.entries[furthestBlock].node
    let ancestor = open.entries[openIndex - 1]
    var bookmark = bookmark
    var lastNode = block
    var index = furthestBlock
    var blockIndex = furthestBlock
    var inner = 0
    while true {
      inner += 1
      index -= 1
      let node = open.entries[index].node
      if node == formattingNode { break }
      var inList = formatting.position(of: node)
      if inner > 3, let listed = inList {
        formatting.remove(at: listed)
        if listed < bookmark { bookmark -= 1 }
        inList = nil
      }
      guard let listed = inList else {
        open.remove(at: index)
        blockIndex -= 1
        continue
      }
      guard let clone = clone(node) else { return false }
      open.replaceNode(at: index, by: clone)
      formatting.set(clone, openIndexHint: index, at: listed)
      if lastNode == block { bookmark = listed + 1 }
      tree.detachJoiningText(lastNode)
      tree.append(lastNode, to: clone)
      lastNode = clone
    }
    tree.detachJoiningText(lastNode)
    let target = appropriatePlace(in: ancestor)
    tree.insert(lastNode, into: target.parent, before: target.before)

    guard let clone = clone(formattingNode) else { return false }
    tree.moveChildren(of: block, to: clone)
    tree.append(clone, to: block)
    guard let listed = formatting.position(of: formattingNode) else { return false }
    var entry = formatting.entries[listed]
    entry.node = clone
    entry.openIndexHint = blockIndex
    formatting.remove(at: listed)
    if listed < bookmark { bookmark -= 1 }
    formatting.insert(entry, at: bookmark)
    open.move(from: openIndex, above: blockIndex, as: clone)
    return true
  }
}

extension NodeTree {
  /// Detaches a node. If both of its neighbours are text nodes, merges them into one.
  mutating func detachJoiningText(_ node: Index) {
    let (previous, next) = (previous(of: node), next(of: node))
    detach(node)
    guard let previous, let next, case .text(let text) = self[next], appendText(text, to: previous) else { return }
    remove(next)
  }
}
