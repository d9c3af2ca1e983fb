/// The insertion mode "in body" (13.2.6.4.7): end tags. ``processInBody(_:)`` calls
/// ``endInBody()``.
extension TreeBuilder {
  mutating func endInBody() {
    let tag = tokenizer.tag
    switch tag {
    case .address, .article, .aside, .blockquote, .button, .center, .details, .dialog, .dir, .div, .dl, .fieldset,
      .figcaption, .figure, .footer, .header, .hgroup, .listing, .main, .menu, .nav, .ol, .pre, .search, .section,
      .select, .summary, .ul:
      closeBlock(tag)
    case .p:
      if !open.hasParagraphInButtonScope {
        report("stray-end-tag", "Stray `</p>`: browsers insert an empty `<p>`.")
        tokenizer.attributes.removeAll()
        insertElement()
      }
      closeParagraph()
    case .form: endForm()
    case .li:
      guard open.isInListItemScope(.li) else { return reportStrayEndTag() }
      close(tag, except: .li)
    case .dd, .dt:
      guard open.isInScope(tag) else { return reportStrayEndTag() }
      close(tag, except: tag)
    case .h1, .h2, .h3, .h4, .h5, .h6: endHeading()
    case .a, .b, .big, .code, .em, .font, .i, .nobr, .s, .small, .strike, .strong, .tt, .u:
      runAdoptionAgency(for: tag)
    case .applet, .marquee, .object:
      guard open.isInScope(tag) else { return reportStrayEndTag() }
      close(tag)
      formatting.clearToMarker()
    case .br:
      report("stray-end-tag", "Stray `</br>`: browsers read it as `<br>`.")
      tokenizer.attributes.removeAll()
      reconstructFormatting()
      insertVoidElement()
    case .template: endTemplate()
    case .body, .html: reportStrayEndTag()
    default: closeAnyOther()
    }
  }

  /// Closes the innermost open element with the tag's name, unless a special element is open inside
  /// it ("any other end tag").
  mutating func closeAnyOther() {
    let tag = tokenizer.tag
    guard let index = open.indexBeforeSpecial(tag, tokenizer.key) else { return reportStrayEndTag() }
    if index < open.count - 1 {
      // If `tag` is `other`, the exception has no effect: no name that maps to `other` has an
      // implied end tag.
      generateImpliedEndTags(except: tag)
      reportMisnested(closing: index)
    }
    open.pop(to: index)
  }

  private mutating func closeBlock(_ tag: KnownTag) {
    if open.current.isHTML(tag) {
      open.pop()
      return
    }
    guard open.isInScope(tag) else {
      if tag == .div, isInView, open.indexInScope(where: { $0 == .html }) == 0 { return endView() }
      return reportStrayEndTag()
    }
    close(tag)
  }

  private mutating func close(_ tag: KnownTag, except kept: KnownTag = .other) {
    generateImpliedEndTags(except: kept)
    if let index = open.indexInScope(tag) { reportMisnested(closing: index) }
    open.pop(through: tag)
  }

  private mutating func endForm() {
    guard !open.contains(.template) else {
      guard open.isInScope(.form) else { return reportStrayEndTag() }
      return close(.form)
    }
    let node = form
    form = nil
    guard let node, let index = open.entries.lastIndex(where: { $0.node == node }), open.indexInScope(.form) == index
    else { return reportStrayEndTag() }
    generateImpliedEndTags()
    if open.current.node != node { reportMisnested(closing: index) }
    // Only the form is closed. Elements inside the form stay open after its end tag.
    if let index = open.entries.lastIndex(where: { $0.node == node }) { open.remove(at: index) }
  }

  private mutating func endHeading() {
    guard let index = open.indexInScope(where: { $0.isHeading }) else { return reportStrayEndTag() }
    generateImpliedEndTags()
    if !open.current.isHTML(tokenizer.tag) {
      let (name, inner) = (tokenizer.name, currentName)
      report("mismatched-end-tag", "`</\(name)>` does not match the open `<\(inner)>`: browsers close that heading.")
    }
    open.pop(to: index)
  }
}
