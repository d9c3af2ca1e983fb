/// Inserting nodes into the tree (13.2.6.1 Creating and inserting nodes). All insertion modes use
/// it.
extension TreeBuilder {
  /// A position among the children of `parent`: before a node, or at the end if `before` is `nil`.
  struct InsertionPoint {
    var parent: Index
    var before: Index?
  }

  /// The appropriate place for inserting a node.
  ///
  /// A foster-parented node is inserted outside the current element.
  /// ``OpenElements/noteChange(_:)`` records this, so that the token counts as irregular, see
  /// ``isRegular(_:at:height:in:)``.
  mutating func appropriatePlace(in target: OpenElements.Entry) -> InsertionPoint {
    guard fosterParenting, target.namespace == .html, target.tag.fosters else {
      return InsertionPoint(parent: target.node, before: nil)
    }
    let entries = open.entries
    guard let last = entries.lastIndex(where: { $0.isHTML(.table) || $0.isHTML(.template) }) else {
      open.noteChange(1)
      return InsertionPoint(parent: NodeTree.root, before: nil)
    }
    if entries[last].tag == .template {
      open.noteChange(last + 1)
      return InsertionPoint(parent: entries[last].node, before: nil)
    }
    open.noteChange(last)
    if let parent = tree.parent(of: entries[last].node) {
      return InsertionPoint(parent: parent, before: entries[last].node)
    }
    return InsertionPoint(parent: entries[last - 1].node, before: nil)
  }

  // MARK: - Elements

  /// Inserts the element of the current start tag into the tree and opens it.
  @discardableResult
  mutating func insertElement() -> Index {
    let node = makeElement()
    append(node)
    open.push(node, tokenizer.tag, .html, tokenizer.key)
    return node
  }

  /// Inserts the element of the current start tag into the tree without opening it.
  @discardableResult
  mutating func insertVoidElement() -> Index {
    let node = makeElement()
    append(node)
    return node
  }

  /// Inserts and opens an element that has no tag in the markup, such as the `tbody` between
  /// `table` and `tr`.
  mutating func insertImplied(_ tag: KnownTag) {
    let node = tree.make(.element(Element(tag: tag.name)))
    append(node)
    open.push(node, tag, .html, tag.key)
  }

  private mutating func makeElement() -> Index {
    var attributes: [Element.Attribute] = []
    swap(&attributes, &tokenizer.attributes)
    let node = tree.make(
      .element(Element(tag: tokenizer.name, namespace: .html, attributes: attributes)), offset: tokenizer.offset)
    repairs.open(node, to: tokenizer.position)
    return node
  }

  /// Inserts an element, a comment or a processing instruction at the appropriate place.
  ///
  /// At a depth of 512 the node becomes a sibling of the current node, as in Chromium's
  /// `HTMLConstructionSite::AttachLater`. Nesting more tags does not make the tree deeper.
  mutating func append(_ node: Index) {
    let current = open.current
    if fosterParenting, current.namespace == .html, current.tag.fosters {
      let point = appropriatePlace(in: current)
      report("foster-parented", "An element is directly in a table: browsers move it before the table.")
      tree.insert(node, into: point.parent, before: point.before)
    } else if open.count > Self.maximumDepth, let parent = tree.parent(of: current.node) {
      if open.count == Self.maximumDepth + 1 {
        report(
          "maximum-depth",
          "Elements are nested more than \(Self.maximumDepth) levels deep: browsers make deeper elements siblings.")
      }
      open.noteChange(open.count - 1)
      tree.append(node, to: parent)
    } else {
      tree.append(node, to: current.node)
    }
  }

  mutating func insertComment() {
    append(tree.make(.comment(tokenizer.text), offset: tokenizer.offset))
  }

  mutating func insertProcessingInstruction() {
    let instruction = ProcessingInstruction(target: tokenizer.name, data: tokenizer.text)
    append(tree.make(.processingInstruction(instruction), offset: tokenizer.offset))
  }

  // MARK: - Text

  /// Inserts the current text at the appropriate place. Adjacent texts become one node.
  mutating func insertText() {
    insertText(tokenizer.text, at: tokenizer.offset)
  }

  mutating func insertText(_ text: String, at offset: Int) {
    let current = open.current
    var point = InsertionPoint(parent: current.node, before: nil)
    if fosterParenting, current.namespace == .html, current.tag.fosters {
      point = appropriatePlace(in: current)
      report("foster-parented", "A text is directly in a table: browsers move it before the table.")
    }
    let neighbour = point.before.map(tree.previous(of:)) ?? tree.lastChild(of: point.parent)
    if let neighbour, tree.appendText(text, to: neighbour) { return }
    tree.insert(tree.make(.text(text), offset: offset), into: point.parent, before: point.before)
  }

  /// Inserts an element that contains only text. Reads its text and its end tag.
  ///
  /// - Parameter decoding: whether character references in the text are resolved.
  mutating func insertRawText(decoding: Bool) {
    let tag = tokenizer.tag
    let name = tokenizer.name
    let node = insertElement()
    let start = tokenizer.offset
    let end = tag == .script ? tokenizer.endOfScript() : tokenizer.endOfRawText(closedBy: name)
    if tag == .textarea, tokenizer.position < end { tokenizer.dropLineFeed() }
    if tokenizer.position < end {
      tokenizer.readRaw(to: end, decoding: decoding)
      tree.append(tree.make(.text(tokenizer.text), offset: tokenizer.offset), to: node)
    }
    if end < tokenizer.bytes.count, tokenizer.next() == .endTag {
      open.pop()
    } else {
      tokenizer.offset = start
    }
  }

  // MARK: - Closing

  mutating func closeParagraphInButtonScope() {
    if open.hasParagraphInButtonScope { closeParagraph() }
  }

  mutating func closeParagraph() {
    generateImpliedEndTags(except: .p)
    if !open.current.isHTML(.p) {
      let inner = currentName
      report("misnested-end-tag", "A `<p>` ends here although `<\(inner)>` in it is still open: browsers end both.")
    }
    open.pop(through: .p)
  }

  mutating func generateImpliedEndTags(except tag: KnownTag = .other) {
    while open.current.namespace == .html, open.current.tag.hasImpliedEndTag, open.current.tag != tag { open.pop() }
  }
}

extension NodeTree {
  /// Appends to a text node in place.
  ///
  /// - Returns: `false` if the node is not a text node.
  /// - Complexity: O(*added text*), amortised. The string is moved out of the node first: with a
  ///   single reference, appending does not copy it.
  mutating func appendText(_ added: String, to node: Index) -> Bool {
    guard case .text(var text) = self[node] else { return false }
    self[node] = .root
    text.append(added)
    self[node] = .text(text)
    return true
  }

  /// Moves all children of one node to the end of the children of another.
  mutating func moveChildren(of source: Index, to target: Index) {
    while let child = firstChild(of: source) {
      detach(child)
      append(child, to: target)
    }
  }
}
