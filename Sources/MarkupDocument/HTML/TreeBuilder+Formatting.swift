/// Formatting elements that outlive their parents: reconstruction and the adoption agency.
extension TreeBuilder {
  /// Opens the element of the current start tag and makes it an active formatting element.
  mutating func insertFormattingElement() {
    let tag = tokenizer.tag
    let node = insertElement()
    listFormattingElement(node, tag)
  }

  /// Makes the current node an active formatting element.
  mutating func listFormattingElement(_ node: Index, _ tag: KnownTag) {
    guard let left = formatting.push(node, tag, place: open.count - 1, in: tree) else { return }
    // Within the element that left, the list is not what the open elements say it is.
    if open.place(of: left, hint: open.count) != nil { regularity.mark(left) } else { regularity.lose() }
  }

  /// 13.2.4.3 Reconstruct the active formatting elements: opens again, as clones, those that were closed by others' ends.
  mutating func reconstructFormatting() {
    var place = formatting.entries.count
    while place > 0 {
      let entry = formatting.entries[place - 1]
      if entry.isMarker { break }
      if let found = open.place(of: entry.node, hint: entry.placeHint) {
        if found != entry.placeHint { formatting.hint(found, at: place - 1) }
        break
      }
      place -= 1
    }
    while place < formatting.entries.count {
      let entry = formatting.entries[place]
      guard let clone = clone(entry.node) else { return }
      append(clone)
      open.push(clone, entry.tag, .html, entry.tag.key)
      formatting.set(clone, placeHint: open.count - 1, at: place)
      place += 1
    }
  }

  /// A new element for the token of another; nil when the allowance is used up.
  private mutating func clone(_ node: Index) -> Index? {
    guard formatting.takeClone(of: tree[node]) else {
      if !hasReportedLimit {
        report("formatting-limit", "Too much unclosed formatting: the elements are not opened again from here on.")
      }
      hasReportedLimit = true
      return nil
    }
    return tree.make(tree[node])
  }

  // MARK: - The adoption agency

  /// 13.2.6.4.7 The adoption agency algorithm, for the end tag (or the second start tag) of a formatting element.
  mutating func runAdoptionAgency(for tag: KnownTag) {
    if open.current.isHTML(tag), formatting.place(of: open.current.node) == nil {
      open.pop()
      return
    }
    for _ in 0..<8 {
      guard let listPlace = formatting.lastPlace(of: tag) else {
        closeAnyOther()
        return
      }
      let entry = formatting.entries[listPlace]
      guard let place = open.place(of: entry.node, hint: entry.placeHint) else {
        report("misnested-end-tag", "`<\(tag.name)>` was closed by the end of what held it, before this.")
        formatting.remove(at: listPlace)
        return
      }
      guard isInScope(place) else {
        reportStrayEndTag()
        return
      }
      if place != open.count - 1 { reportMisnested(closing: place) }
      let entries = open.entries
      guard let furthestBlock = entries[(place + 1)...].firstIndex(where: { $0.traits.contains(.special) }) else {
        open.pop(to: place)
        formatting.remove(at: listPlace)
        return
      }
      guard adopt(place, furthestBlock, bookmark: listPlace) else { return }
    }
  }

  private func isInScope(_ place: Int) -> Bool {
    !open.entries[(place + 1)...].contains { $0.traits.contains(.scopeBorder) }
  }

  /// One round: the formatting element ends before the furthest block, and a clone of it takes in the block's children.
  private mutating func adopt(_ place: Int, _ furthestBlock: Int, bookmark: Int) -> Bool {
    let formattingNode = open.entries[place].node
    let block = open.entries[furthestBlock].node
    let ancestor = open.entries[place - 1]
    var bookmark = bookmark
    var lastNode = block
    var index = furthestBlock
    var blockPlace = furthestBlock
    var inner = 0
    while true {
      inner += 1
      index -= 1
      let node = open.entries[index].node
      if node == formattingNode { break }
      var inList = formatting.place(of: node)
      if inner > 3, let listed = inList {
        formatting.remove(at: listed)
        if listed < bookmark { bookmark -= 1 }
        inList = nil
      }
      guard let listed = inList else {
        open.remove(at: index)
        blockPlace -= 1
        continue
      }
      guard let clone = clone(node) else { return false }
      open.replaceNode(at: index, by: clone)
      formatting.set(clone, placeHint: index, at: listed)
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
    guard let listed = formatting.place(of: formattingNode) else { return false }
    var entry = formatting.entries[listed]
    entry.node = clone
    entry.placeHint = blockPlace
    formatting.remove(at: listed)
    if listed < bookmark { bookmark -= 1 }
    formatting.insert(entry, at: bookmark)
    open.move(from: place, above: blockPlace, as: clone)
    return true
  }
}

extension NodeTree {
  /// Detaches a node and makes the texts to its sides, if there are two, one.
  mutating func detachJoiningText(_ node: Index) {
    let (previous, next) = (previous(of: node), next(of: node))
    detach(node)
    guard let previous, let next, case .text(let text) = self[next], appendText(text, to: previous) else { return }
    remove(next)
  }
}
