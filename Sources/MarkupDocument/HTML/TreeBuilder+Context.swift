/// The state of the parser at a place inside a page, made from the elements that are open there.
extension TreeBuilder {
  /// A builder that stands inside the elements of a context; they are the first nodes of its tree.
  init(_ bytes: UnsafeBufferPointer<UInt8>, in context: MarkupParser.Context) {
    self.init(bytes, floor: context.ancestors.count + 1)
    if context.ancestors.count > MarkupParser.Context.maximumDepth { regularity.lose() }
    for element in context.ancestors where !regularity.isLost { enter(element) }
    mode = appropriateMode
    let parent = open.current
    tokenizer.skipsLineFeed = context.startsParent && (parent.isHTML(.pre) || parent.isHTML(.listing))
  }

  private mutating func enter(_ element: Element) {
    guard let key = KnownTagTable.Key(name: element.tag) else { return regularity.lose() }
    let tag = element.tag.utf8.count <= 16 ? tokenizer.knownTags.tag(key) : .other
    let node = tree.make(.element(element))
    tree.append(node, to: open.current.node)
    guard element.namespace == .html else {
      let traits = Self.foreignTraits(tag, element.namespace, element.attributes)
      return open.push(node, tag, element.namespace, key, traits: traits)
    }
    open.push(node, tag, .html, key)
    switch tag {
    case .template, .plaintext, .textarea, .title, .xmp, .iframe, .noembed, .noframes, .style, .script:
      // What is in a template depends on its first tag, and what is in the others is not markup.
      regularity.lose()
    case .selectedcontent:
      regularity.lose()
    case .form:
      if form != nil { regularity.lose() }
      form = node
    case _ where tag.isFormatting: listFormattingElement(node, tag)
    case _ where tag.pushesMarker: formatting.pushMarker()
    default: break
    }
  }
}

extension KnownTagTable.Key {
  /// The key of a name in a tree; nil where more than one spelling in the markup can have led to it.
  fileprivate init?(name: String) {
    self.init()
    var place = 0
    for byte in name.utf8 {
      // U+FFFD, the only character that begins so among few, stands for a NUL or for bytes that are no text.
      if byte == 0xEF { return nil }
      set(byte.lowercasedASCII, at: place)
      place += 1
    }
  }
}
