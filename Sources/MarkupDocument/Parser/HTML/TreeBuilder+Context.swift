internal import MirrorSupport

/// The state of the parser at a position inside a page, reconstructed from the elements that are
/// open at this position. ``MarkupParser`` starts with it to parse a piece, which is a part of a
/// page's markup.
///
/// If the state cannot be reconstructed, the root is marked as irregular (`repairs.markRoot()`).
/// The parser then reads nothing, and the piece is not contained
/// (``MarkupParser/Piece/isContained``).
extension TreeBuilder {
  /// Makes a builder for a piece of markup. Its tree begins with the elements of the context, and
  /// these elements are open.
  init(_ bytes: UnsafeBufferPointer<UInt8>, in context: MarkupParser.Context) {
    self.init(bytes, floor: context.ancestors.count + 1)
    if context.ancestors.count > MarkupParser.Context.maximumDepth { repairs.markRoot() }
    for element in context.ancestors where !repairs.isRootIrregular { enter(element) }
    mode = appropriateMode
    // The tokenizer does not read the parent's start tag, so the tag's effect on a leading line
    // feed is set here. For a piece in a `textarea`, `enter(_:)` has already marked the root.
    let parent = open.current
    tokenizer.skipsLineFeed = context.startsParent && parent.namespace == .html && parent.tag.dropsLeadingLineFeed
  }

  private mutating func enter(_ element: Element) {
    let name = element.tag.utf8
    // The key of a name with U+FFFD is unknown: the markup may have had a NUL, invalid UTF-8 or
    // U+FFFD itself, and each of these has another key. 0xEF is the first byte of U+FFFD in UTF-8.
    // Names with other characters that begin with 0xEF are rare, and are rejected too.
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
