/// The insertion modes of a table, its row groups and rows (13.2.6.4.9, 13.2.6.4.10, 13.2.6.4.13,
/// 13.2.6.4.14). ``process(_:)`` calls the method of the current mode.
extension TreeBuilder {
  // MARK: - In table

  mutating func processInTable(_ kind: Kind) {
    switch kind {
    case .text where open.current.namespace == .html && (open.current.tag.fosters || open.current.isHTML(.template)):
      // 13.2.6.4.10 In table text: white space is allowed between rows, other text is not.
      if tokenizer.isBlank { insertText() } else { foster(kind) }
    case .text: foster(kind)
    case .comment: insertComment()
    case .processingInstruction: insertProcessingInstruction()
    case .startTag: startInTable()
    case .endTag: endInTable()
    case .endOfFile: break
    }
  }

  /// Handles a token by the rules of "in body" with foster parenting: nodes that would be inserted
  /// into the table are inserted before it.
  private mutating func foster(_ kind: Kind) {
    fosterParenting = true
    processInBody(kind)
    fosterParenting = false
  }

  private mutating func startInTable() {
    switch tokenizer.tag {
    case .caption:
      clearToTable()
      formatting.pushMarker()
      insertElement()
      mode = .inCaption
    case .colgroup:
      clearToTable()
      insertElement()
      mode = .inColumnGroup
    case .col:
      clearToTable()
      insertImplied(.colgroup)
      mode = .inColumnGroup
      process(.startTag)
    case .tbody, .tfoot, .thead:
      clearToTable()
      insertElement()
      mode = .inTableBody
    case .td, .th, .tr:
      clearToTable()
      insertImplied(.tbody)
      mode = .inTableBody
      process(.startTag)
    case .table:
      report(
        "nested-table",
        "A `<table>` begins directly in another one: browsers close the outer table. A nested table must be in a cell.")
      guard closeTable() else { return }
      process(.startTag)
    case .style, .script, .template: processInBody(.startTag)
    case .input where isHiddenInput:
      report(
        "hidden-input-in-table",
        "A hidden `<input>` is directly in a table: browsers leave it there. It should be in a cell.")
      insertVoidElement()
    case .form:
      guard form == nil, !open.contains(.template) else { return reportStrayStartTag() }
      report(
        "form-in-table",
        "A `<form>` is directly in a table: browsers keep it empty. It should be in a cell or around the table.")
      tokenizer.isIrregular = true
      form = insertVoidElement()
    default: foster(.startTag)
    }
  }

  private var isHiddenInput: Bool {
    tokenizer.attributes.contains { $0.name == "type" && $0.value.lowercased() == "hidden" }
  }

  private mutating func endInTable() {
    switch tokenizer.tag {
    case .table: if !closeTable() { reportStrayEndTag() }
    case .body, .caption, .col, .colgroup, .html, .tbody, .td, .tfoot, .th, .thead, .tr: reportStrayEndTag()
    case .template: endTemplate()
    default: foster(.endTag)
    }
  }

  private mutating func closeTable() -> Bool {
    guard open.isInTableScope(.table) else { return false }
    open.pop(through: .table)
    resetInsertionMode()
    return true
  }

  // MARK: - In table body

  mutating func processInTableBody(_ kind: Kind) {
    switch (kind, tokenizer.tag) {
    case (.startTag, .tr):
      clearToTableBody()
      insertElement()
      mode = .inRow
    case (.startTag, .td), (.startTag, .th):
      report("missing-row", "A cell is not in a row: browsers insert a `<tr>`.")
      clearToTableBody()
      insertImplied(.tr)
      mode = .inRow
      process(kind)
    case (.endTag, .tbody), (.endTag, .tfoot), (.endTag, .thead):
      guard open.isInTableScope(tokenizer.tag) else { return reportStrayEndTag() }
      clearToTableBody()
      open.pop()
      mode = .inTable
    case (.startTag, .caption), (.startTag, .col), (.startTag, .colgroup), (.startTag, .tbody), (.startTag, .tfoot),
      (.startTag, .thead), (.endTag, .table):
      guard open.isInTableScope(where: { $0 == .tbody || $0 == .thead || $0 == .tfoot }) else {
        return kind == .startTag ? reportStrayStartTag() : reportStrayEndTag()
      }
      clearToTableBody()
      open.pop()
      mode = .inTable
      process(kind)
    case (.endTag, .body), (.endTag, .caption), (.endTag, .col), (.endTag, .colgroup), (.endTag, .html),
      (.endTag, .td), (.endTag, .th), (.endTag, .tr):
      reportStrayEndTag()
    default: processInTable(kind)
    }
  }

  // MARK: - In row

  mutating func processInRow(_ kind: Kind) {
    switch (kind, tokenizer.tag) {
    case (.startTag, .td), (.startTag, .th):
      clearToRow()
      insertElement()
      mode = .inCell
      formatting.pushMarker()
    case (.endTag, .tr):
      if !closeRow() { reportStrayEndTag() }
    case (.startTag, .caption), (.startTag, .col), (.startTag, .colgroup), (.startTag, .tbody), (.startTag, .tfoot),
      (.startTag, .thead), (.startTag, .tr):
      guard closeRow() else { return reportStrayStartTag() }
      process(kind)
    case (.endTag, .table):
      guard closeRow() else { return reportStrayEndTag() }
      process(kind)
    case (.endTag, .tbody), (.endTag, .tfoot), (.endTag, .thead):
      guard open.isInTableScope(tokenizer.tag), closeRow() else { return reportStrayEndTag() }
      process(kind)
    case (.endTag, .body), (.endTag, .caption), (.endTag, .col), (.endTag, .colgroup), (.endTag, .html),
      (.endTag, .td), (.endTag, .th):
      reportStrayEndTag()
    default: processInTable(kind)
    }
  }

  private mutating func closeRow() -> Bool {
    guard open.isInTableScope(.tr) else { return false }
    clearToRow()
    open.pop()
    mode = .inTableBody
    return true
  }

  // MARK: - Contexts

  private mutating func clearToTable() { clear { $0 == .table } }
  private mutating func clearToTableBody() { clear { $0 == .tbody || $0 == .tfoot || $0 == .thead } }
  private mutating func clearToRow() { clear { $0 == .tr } }

  /// Clears the stack back to a context (13.2.6.4.9, 13.2.6.4.13, 13.2.6.4.14): closes elements
  /// until the current one matches or is a `template` or the root.
  private mutating func clear(to matches: (KnownTag) -> Bool) {
    while open.count > 1 {
      let current = open.current
      if current.namespace == .html, matches(current.tag) || current.tag == .template { return }
      open.pop()
    }
  }
}
