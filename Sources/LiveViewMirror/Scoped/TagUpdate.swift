internal import MarkupDocument
internal import RenderedTree

/// The attributes of one element whose start tag has slots: the tag is read again, and nothing else.
struct TagUpdate {
  private(set) var changes: [Change] = []
  let diagnostics: [MarkupDiagnostic]
  /// The bytes of the tag.
  let size: Int

  /// - Returns: `nil` where more than the attributes may, and the element must be looked at as a whole.
  init?(of anchor: Int, at node: NodeRef, _ level: Level, in document: Document) {
    guard let template = level.template, let before = document.content(of: node)?.element else { return nil }
    let (start, end) = (template.anchors[anchor].start, template.anchors[anchor].contentStart)
    var markup: [UInt8] = []
    for part in start.part...end.part {
      let bytes = level.statics.parts[part].utf8
      let first = bytes.index(bytes.startIndex, offsetBy: part == start.part ? start.offset : 0)
      let last = part == end.part ? bytes.index(bytes.startIndex, offsetBy: end.offset) : bytes.endIndex
      markup.append(contentsOf: bytes[first..<last])
      guard part < end.part else { break }
      // Only text is written into a tag as it is.
      guard case .text(let text) = level.slots[part] else { return nil }
      markup.append(contentsOf: text.utf8)
    }
    guard
      let tag = MarkupParser.startTag(
        markup, dialect: document.dialect, like: before, isSelfClosing: template.isSelfClosing(anchor, level.statics))
    else { return nil }
    diagnostics = tag.diagnostics
    size = markup.count
    var changes = before.changes(to: tag.element)
    guard !changes.contains(where: { Self.decides($0.name, for: before) }) else { return nil }
    // Of an ignored element only its data attributes are the server's.
    if before.updateRule == .ignore { changes.removeAll { !$0.name.hasPrefix("data-") } }
    // Children that come or leave beside the element can make the client add it anew, with what it does then.
    guard !changes.contains(where: { $0.name == "phx-mounted" && $0.after?.contains("ignore_attrs") == true }) else {
      return nil
    }
    if !changes.isEmpty { self.changes = [.attributes(node: node, tag: before.tag, changes)] }
  }

  /// Whether an attribute decides about more than itself: about identity, the children, or the parser's way.
  private static func decides(_ name: String, for element: Element) -> Bool {
    switch name {
    case "id", "phx-update", "data-phx-update": true
    case "type": element.tag == "input"
    case "open", "name": element.tag == "details"
    case "encoding": element.tag == "annotation-xml"
    case "color", "face", "size": element.namespace != .html
    default: element.namespace == .html && (element.tag == "select" || element.tag == "option")
    }
  }
}
