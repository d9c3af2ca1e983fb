/// `template` and the insertion mode "in template" (13.2.6.4.16). The nodes of a template's content
/// are its children here, not those of a separate document fragment. ``startTemplate()`` adds an
/// entry to ``templateModes``, and ``endTemplate()`` removes the last one.
extension TreeBuilder {
  mutating func startTemplate() {
    insertElement()
    formatting.pushMarker()
    mode = .inTemplate
    templateModes.append(.inTemplate)
  }

  mutating func endTemplate() {
    guard open.contains(.template) else { return reportStrayEndTag() }
    while open.current.namespace == .html, open.current.tag.mayStayOpen, open.count > 1 { open.pop() }
    if !open.current.isHTML(.template) {
      let inner = currentName
      report("misnested-end-tag", "`</template>` was found while `<\(inner)>` is still open: browsers end both.")
    }
    open.pop(through: .template)
    formatting.clearToMarker()
    _ = templateModes.popLast()
    resetInsertionMode()
  }

  /// The first start tag inside a template decides the insertion mode of its content. Tags such as
  /// `script` or `template`, which are allowed in any content, leave it undecided.
  mutating func processInTemplate(_ kind: Kind) {
    guard kind == .startTag else { return processInBody(kind) }
    let content: InsertionMode
    switch tokenizer.tag {
    case .base, .basefont, .bgsound, .link, .meta, .noframes, .script, .style, .template, .title:
      return processInBody(kind)
    case .caption, .colgroup, .tbody, .tfoot, .thead: content = .inTable
    case .col: content = .inColumnGroup
    case .tr: content = .inTableBody
    case .td, .th: content = .inRow
    default: content = .inBody
    }
    _ = templateModes.popLast()
    templateModes.append(content)
    mode = content
    process(kind)
  }
}
