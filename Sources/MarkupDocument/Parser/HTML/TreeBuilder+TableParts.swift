internal import MirrorSupport

/// The insertion modes inside a caption, a column group and a cell (13.2.6.4.11, 13.2.6.4.12,
/// 13.2.6.4.15). ``process(_:)`` calls the method of the current mode. The methods that close an
/// element return `false` if no such element is open; the tag that requires it is then stray.
extension TreeBuilder {
  // MARK: - In cell

  mutating func processInCell(_ kind: Kind) {
    switch (kind, tokenizer.tag) {
    case (.endTag, .td), (.endTag, .th):
      let tag = tokenizer.tag
      guard open.isInTableScope(tag) else { return reportStrayEndTag() }
      generateImpliedEndTags()
      if !open.current.isHTML(tag) {
        let (name, inner) = (tokenizer.name, currentName)
        report("misnested-end-tag", "`</\(name)>` was found while `<\(inner)>` is still open: browsers end both.")
      }
      open.pop(through: tag)
      formatting.clearToMarker()
      mode = .inRow
    case (.startTag, .caption), (.startTag, .col), (.startTag, .colgroup), (.startTag, .tbody), (.startTag, .td),
      (.startTag, .tfoot), (.startTag, .th), (.startTag, .thead), (.startTag, .tr):
      guard closeCell() else { return reportStrayStartTag() }
      process(kind)
    case (.endTag, .body), (.endTag, .caption), (.endTag, .col), (.endTag, .colgroup), (.endTag, .html):
      reportStrayEndTag()
    case (.endTag, .table), (.endTag, .tbody), (.endTag, .tfoot), (.endTag, .thead), (.endTag, .tr):
      guard open.isInTableScope(tokenizer.tag), closeCell() else { return reportStrayEndTag() }
      process(kind)
    default: processInBody(kind)
    }
  }

  private mutating func closeCell() -> Bool {
    guard open.isInTableScope(where: { $0 == .td || $0 == .th }) else { return false }
    generateImpliedEndTags()
    while open.count > 1 {
      let closed = open.current
      open.pop()
      if closed.isHTML(.td) || closed.isHTML(.th) { break }
    }
    formatting.clearToMarker()
    mode = .inRow
    return true
  }

  // MARK: - In caption

  mutating func processInCaption(_ kind: Kind) {
    switch (kind, tokenizer.tag) {
    case (.endTag, .caption):
      if !closeCaption() { reportStrayEndTag() }
    case (.startTag, .caption), (.startTag, .col), (.startTag, .colgroup), (.startTag, .tbody), (.startTag, .td),
      (.startTag, .tfoot), (.startTag, .th), (.startTag, .thead), (.startTag, .tr):
      guard closeCaption() else { return reportStrayStartTag() }
      process(kind)
    case (.endTag, .table):
      guard closeCaption() else { return reportStrayEndTag() }
      process(kind)
    case (.endTag, .body), (.endTag, .col), (.endTag, .colgroup), (.endTag, .html), (.endTag, .tbody), (.endTag, .td),
      (.endTag, .tfoot), (.endTag, .th), (.endTag, .thead), (.endTag, .tr):
      reportStrayEndTag()
    default: processInBody(kind)
    }
  }

  private mutating func closeCaption() -> Bool {
    guard open.isInTableScope(.caption) else { return false }
    generateImpliedEndTags()
    open.pop(through: .caption)
    formatting.clearToMarker()
    mode = .inTable
    return true
  }

  // MARK: - In column group

  mutating func processInColumnGroup(_ kind: Kind) {
    switch (kind, tokenizer.tag) {
    case (.text, _): textInColumnGroup()
    case (.comment, _): insertComment()
    case (.processingInstruction, _): insertProcessingInstruction()
    case (.startTag, .col): insertVoidElement()
    case (.endTag, .colgroup):
      if !closeColumnGroup() { reportStrayEndTag() }
    case (.endTag, .col): reportStrayEndTag()
    case (.startTag, .template), (.endTag, .template): processInBody(kind)
    case (.startTag, .html): reportStrayStartTag()
    default:
      guard closeColumnGroup() else {
        return kind == .startTag ? reportStrayStartTag() : reportStrayEndTag()
      }
      process(kind)
    }
  }

  /// Leading white space of the text stays in the column group. The rest of the text closes the
  /// group.
  private mutating func textInColumnGroup() {
    let text = tokenizer.text
    let content = text.utf8.firstIndex { !$0.isASCIIWhitespace } ?? text.utf8.endIndex
    if content > text.utf8.startIndex { insertText(String(text[..<content]), at: tokenizer.offset) }
    guard content < text.utf8.endIndex, closeColumnGroup() else { return }
    tokenizer.text = String(text[content...])
    tokenizer.offset = tokenizer.contentOffset
    process(.text)
  }

  private mutating func closeColumnGroup() -> Bool {
    guard open.current.isHTML(.colgroup) else { return false }
    open.pop()
    mode = .inTable
    return true
  }
}
