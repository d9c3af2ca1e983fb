internal import MirrorSupport

/// The state of the parser inside a page, reconstructed from the elements that are open there.
/// ``MarkupParser`` parses pieces with it.
extension TreeBuilder {
  /// Makes a builder for a piece of markup. The elements of the context are open, and are the first
  /// nodes of its tree.
  init(_ bytes: UnsafeBufferPointer<UInt8>, in context: MarkupParser.Context) {
    self.init(bytes, floor: context.ancestors.count + 1)
    if context.ancestors.count > MarkupParser.Context.maximumDepth { repairs.markRoot() }
    for element in context.ancestors where !repairs.isRootIrregular { enter(element) }
    mode = appropriateMode
    // The tokenizer does not read the parent's start tag, so this sets the tag's effect on a
    // leading line feed. A piece in a `textarea` was rejected above.
    let parent = open.current
    tokenizer.skipsLineFeed = context.startsParent && parent.namespace == .html && parent.tag.dropsLeadingLineFeed
  }

  private mutating func enter(_ element: Element) {
    let name = element.tag.utf8
    // A name with U+FFFD has an ambiguous key: the markup may have had a NUL, invalid UTF-8 or
    // U+FFFD itself, and each of these has another key. 0xEF is the first byte of U+FFFD, and of
    // few other characters.
    if name.contains(0xEF) { return repairs.markRoot() }
    let key = KnownTagTable.Key(name.lazy.map(\.lowercasedASCII))
    let tag = name.count <= 16 ? tokenizer.knownTags.tag(key) : .other
    let node = tree.make(.element(element))
    tree.append(node, to: open.current.node)
    guard element.namespace == .html else {
      let traits = Self.foreignTraits(tag, element.namespace, element.attributes)
      return open.push(node, tag, element.namespace, key, traits: traits)
    }
    open.push(node, tag, .html, key)
    switch tag {
    case .template, .selectedcontent:
      // The first tag in a template decides how its content is parsed. The content of a
      // `selectedcontent` is copied only at the end of the page.
      repairs.markRoot()
    case .form:
      if form != nil { repairs.markRoot() }
      form = node
    case _ where tag.containsOnlyText: repairs.markRoot()
    case _ where tag.isFormatting: listFormattingElement(node, tag)
    case _ where tag.pushesMarker: formatting.pushMarker()
    default: break
    }
  }
}
