/// Foreign content, which is SVG and MathML: detecting, entering and leaving it (13.2.6.5).
/// ``run()`` calls ``processForeign(_:)`` for each token of such content.
extension TreeBuilder {
  /// Whether the rules for foreign content apply to a token (13.2.6). The current element must be
  /// foreign.
  func isForeignContent(_ kind: Kind) -> Bool {
    let current = open.current
    let tag = tokenizer.tag
    if current.traits.contains(.mathMLTextIntegrationPoint) {
      if kind == .text { return false }
      if kind == .startTag, tag != .mglyph, tag != .malignmark { return false }
    }
    if kind == .startTag, tag == .svg, current.namespace == .mathML, current.tag == .annotationXML { return false }
    if current.traits.contains(.htmlIntegrationPoint), kind == .startTag || kind == .text { return false }
    return true
  }

  mutating func processForeign(_ kind: Kind) {
    switch kind {
    case .text: insertText()
    case .comment: insertComment()
    case .processingInstruction: insertProcessingInstruction()
    case .startTag:
      if breaksOut {
        leaveForeign()
      } else {
        insertForeign(open.current.namespace)
      }
    case .endTag:
      if tokenizer.tag == .br || tokenizer.tag == .p { leaveForeign() } else { endForeign() }
    case .endOfFile: break
    }
  }

  /// Opens `math` or `svg` in a body.
  mutating func startForeign(_ namespace: Namespace) {
    reconstructFormatting()
    insertForeign(namespace)
  }

  // MARK: - Inserting

  private mutating func insertForeign(_ namespace: Namespace) {
    var attributes: [Element.Attribute] = []
    swap(&attributes, &tokenizer.attributes)
    let tag = tokenizer.tag
    let traits = Self.foreignTraits(tag, namespace, attributes)
    let element = Element(
      tag: ForeignNames.element(tokenizer.name, in: namespace), namespace: namespace,
      attributes: ForeignNames.adjusted(attributes, in: namespace))
    let node = tree.make(.element(element), offset: tokenizer.offset)
    repairs.open(node, to: tokenizer.position)
    append(node)
    guard !tokenizer.isSelfClosing else { return }
    open.push(node, tag, namespace, tokenizer.key, traits: traits)
  }

  /// The traits of a foreign element for the rules of scope and of foreign content.
  static func foreignTraits(_ tag: KnownTag, _ namespace: Namespace, _ attributes: [Element.Attribute])
    -> OpenElements.Traits
  {
    let isHTMLIntegrationPoint =
      namespace == .svg
      ? tag == .foreignObject || tag == .desc || tag == .title
      : tag == .annotationXML && attributes.contains(where: Self.namesHTML)
    var traits: OpenElements.Traits = isHTMLIntegrationPoint ? [.htmlIntegrationPoint] : []
    if namespace == .svg {
      if isHTMLIntegrationPoint { traits.formUnion([.special, .scopeLimit]) }
    } else {
      switch tag {
      case .mi, .mo, .mn, .ms, .mtext: traits.formUnion([.mathMLTextIntegrationPoint, .special, .scopeLimit])
      case .annotationXML: traits.formUnion([.special, .scopeLimit])
      default: break
      }
    }
    return traits
  }

  private static func namesHTML(_ attribute: Element.Attribute) -> Bool {
    guard attribute.name == "encoding" else { return false }
    let value = attribute.value.lowercased()
    return value == "text/html" || value == "application/xhtml+xml"
  }

  // MARK: - Leaving

  /// Whether the current start tag is not allowed in foreign content, and therefore closes it.
  private var breaksOut: Bool {
    switch tokenizer.tag {
    case .b, .big, .blockquote, .body, .br, .center, .code, .dd, .div, .dl, .dt, .em, .embed, .h1, .h2, .h3, .h4, .h5,
      .h6, .head, .hr, .i, .img, .li, .listing, .menu, .meta, .nobr, .ol, .p, .pre, .ruby, .s, .small, .span, .strong,
      .strike, .sub, .sup, .table, .tt, .u, .ul, .var:
      true
    case .font: tokenizer.attributes.contains { $0.name == "color" || $0.name == "face" || $0.name == "size" }
    default: false
    }
  }

  private mutating func leaveForeign() {
    let (name, inner, slash) = (tokenizer.name, currentName, tokenizer.isEndTag ? "/" : "")
    report(
      "html-in-foreign-content",
      "`<\(slash)\(name)>` is not allowed in `<\(inner)>`: browsers close that element first.")
    while open.current.namespace != .html,
      open.current.traits.isDisjoint(with: [.mathMLTextIntegrationPoint, .htmlIntegrationPoint])
    {
      open.pop()
    }
    process(tokenizer.isEndTag ? .endTag : .startTag)
  }

  private mutating func endForeign() {
    for index in stride(from: open.count - 1, through: 1, by: -1) {
      let entry = open.entries[index]
      if entry.namespace == .html { return process(.endTag) }
      if entry.key == tokenizer.key {
        if index < open.count - 1 { reportMisnested(closing: index) }
        open.pop(to: index)
        return
      }
    }
    // Only the root is left, which is an HTML element.
    process(.endTag)
  }
}
