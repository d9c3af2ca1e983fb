internal import MarkupDocument
internal import RenderedTree

/// The changed attributes of one element whose start tag has slots. Only the start tag is parsed
/// again. ``ScopedUpdate`` makes one for each element with touched slots in its tag, and
/// ``SlotUpdate`` makes one if its slot is in a tag.
struct TagUpdate {
  let node: NodeRef
  /// The touched slots in the tag, as positions in `TouchedSlots/slots`. A ``SlotUpdate`` does not
  /// need them.
  var causes: [Int]
  private(set) var changes: [Change] = []
  let diagnostics: [MarkupDiagnostic]
  /// The size of the tag in bytes.
  var size: Int { markup.count }
  private let markup: [UInt8]
  /// The index of the first slot in the tag, and the range of each slot's value in ``markup``.
  /// Without ``causes``, as for a ``SlotUpdate``, there are no ranges.
  private var parts: (first: Int, ranges: [Range<Int>])

  /// - Returns: `nil` if more than the attributes may change. The element is then updated as a
  ///   region.
  init?(
    of anchor: Int, at node: NodeRef, _ instance: PathInstance, in document: Document, causes: [Int] = []
  ) {
    guard let template = instance.template, let before = document.content(of: node)?.element else { return nil }
    let (start, end) = (template.anchors[anchor].start, template.anchors[anchor].contentStart)
    var markup: [UInt8] = []
    parts = (start.part, [])
    for part in start.part...end.part {
      let bytes = instance.statics.parts[part].utf8
      let first = bytes.index(bytes.startIndex, offsetBy: part == start.part ? start.offset : 0)
      let last = part == end.part ? bytes.index(bytes.startIndex, offsetBy: end.offset) : bytes.endIndex
      markup.append(contentsOf: bytes[first..<last])
      guard part < end.part else { break }
      // Other values than text need the renderer.
      guard case .text(let text) = instance.slots[part] else { return nil }
      if !causes.isEmpty { parts.ranges.append(markup.count..<markup.count + text.utf8.count) }
      markup.append(contentsOf: text.utf8)
    }
    self.markup = markup
    guard
      let tag = MarkupParser.startTag(
        markup, dialect: document.dialect, like: before, isSelfClosing: template.isSelfClosing(anchor, instance.statics)
      )
    else { return nil }
    (self.node, self.causes) = (node, causes)
    diagnostics = tag.diagnostics
    var changes = before.changes(to: tag.element)
    guard !changes.contains(where: { Self.affectsMoreThanItself($0.name, for: before) }) else { return nil }
    if before.updateRule == .ignore { changes.removeAll { !Element.isMergedIntoIgnored($0.name) } }
    // When siblings are added or removed, the client may add this element again and then run its
    // `phx-mounted` command, which makes it keep attributes.
    guard !changes.contains(where: { $0.name == "phx-mounted" && $0.after?.contains("ignore_attrs") == true }) else {
      return nil
    }
    if !changes.isEmpty { self.changes = [.attributes(node: node, tag: before.tag, changes)] }
  }

  /// The slots of ``causes`` that are in attributes that change. Not every touched slot is one of
  /// them. For example, an element with `phx-update="ignore"` keeps an attribute although the
  /// attribute's slot changes. ``Causes`` follows the same rule.
  func causesOfChange(in touched: TouchedSlots) -> [Int] {
    guard causes.count > 1, case .attributes(_, _, let changes)? = changes.first,
      changes.allSatisfy({ $0.after != nil })
    else { return causes }
    let attributes = AttributeRanges(of: Set(changes.map(\.name)), in: 0..<markup.count - 1, of: markup)
    let slots = causes.filter { cause in
      guard case .index(let slot) = touched.paths.step(of: touched.slots[cause].path),
        parts.ranges.indices.contains(slot - parts.first)
      else { return true }
      return attributes.contain(parts.ranges[slot - parts.first])
    }
    return slots.isEmpty ? causes : slots
  }

  /// Whether a change of an attribute affects more than the attribute: the identity or the children
  /// of the element, its form or group, or how the parser reads the element.
  private static func affectsMoreThanItself(_ name: String, for element: Element) -> Bool {
    switch name {
    case "id", "phx-update", "data-phx-update", "phx-trigger-action", "data-phx-skip", "data-phx-ref-src",
      "data-phx-ref-lock", "data-phx-active-refs":
      true
    case "type": element.tag == "input"
    case "required": element["data-phx-active-refs"] != nil
    case "open": element.tag == "details"
    case "name": element.tag == "details" || element.isListedField
    case "encoding": element.tag == "annotation-xml"
    case "color", "face", "size": element.namespace != .html
    default: element.namespace == .html && (element.tag == "select" || element.tag == "option")
    }
  }
}

extension Template {
  /// Whether the start tag of an anchor ends in `/>`.
  fileprivate func isSelfClosing(_ anchor: Int, _ statics: Statics) -> Bool {
    let end = anchors[anchor].contentStart
    return statics.parts[end.part].utf8.prefix(end.offset).suffix(2).elementsEqual("/>".utf8)
  }
}
