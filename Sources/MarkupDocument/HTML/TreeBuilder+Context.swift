/// The state of the parser at a place inside a page, made from the elements that are open there.
extension TreeBuilder {
  /// A builder that stands inside the elements of a context; they are the first nodes of its tree.
  init(_ bytes: UnsafeBufferPointer<UInt8>, in context: MarkupParser.Context) {
    self.init(bytes, floor: context.ancestors.count + 1)
    if context.ancestors.count > MarkupParser.Context.maximumDepth { regularity.lose() }
    for element in context.ancestors where !regularity.isLost { enter(element) }
    mode = appropriateMode
    // As behind the start tag that is not read here. In a `textarea` no piece is read at all.
    let parent = open.current
    tokenizer.skipsLineFeed = context.startsParent && parent.namespace == .html && parent.tag.dropsLeadingLineFeed
  }

  private mutating func enter(_ element: Element) {
    let name = element.tag.utf8
    // U+FFFD, which few other characters begin like, stands for a NUL or for bytes that are no text: more than one
    // spelling in the markup can have led to such a name, each with another key.
    if name.contains(0xEF) { return regularity.lose() }
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
      // What is in a template depends on its first tag; what a `selectedcontent` shows is copied when all is read.
      regularity.lose()
    case .form:
      if form != nil { regularity.lose() }
      form = node
    case _ where tag.holdsNoMarkup: regularity.lose()
    case _ where tag.isFormatting: listFormattingElement(node, tag)
    case _ where tag.pushesMarker: formatting.pushMarker()
    default: break
    }
  }
}
