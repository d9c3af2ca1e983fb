internal import MirrorSupport

/// Chooses the anchors of a template, which are the elements and comments needed to find its slots,
/// and describes the position of each slot relative to the anchors. ``Template`` makes a layout
/// from the nodes that ``TemplateReader`` has read, and copies its properties.
struct TemplateLayout {
  private(set) var anchors: [Template.Anchor] = []
  private(set) var gaps: [Template.Gap] = []
  private(set) var positions: [Template.Position] = []
  private(set) var events: [[Template.Event]]
  private(set) var first: Int?
  private(set) var last: Int?
  private(set) var isFirstElement = false
  private(set) var hasSingleRoot = false

  init(_ nodes: [TemplateReader.Node], slots: [TemplateReader.SlotContainer], parts: [String]) {
    events = Array(repeating: [], count: parts.count)
    let end = Template.StringPosition(part: parts.count - 1, offset: parts.last?.utf8.count ?? 0)
    let children = Dictionary(grouping: nodes.indices) { nodes[$0].parent }
    let top = children[nil] ?? []
    let firstNode = top.first.flatMap { nodes[$0].start == Template.StringPosition(part: 0, offset: 0) ? $0 : nil }
    let lastNode = top.last.flatMap { nodes[$0].end == end ? $0 : nil }

    // A slot in content needs its parent and the static siblings on both sides. Anchors need their
    // ancestors.
    var isNeeded = [Bool](repeating: false, count: nodes.count)
    for edge in [firstNode, lastNode] { if let edge { isNeeded[edge] = true } }
    var found: [(parent: Int?, left: Int?, right: Int?)?] = []
    for (slot, container) in slots.enumerated() {
      switch container {
      case .tag(let node):
        isNeeded[node] = true
        found.append(nil)
      case .content(let parent):
        // Slot n is between part n and part n + 1, so siblings that start in a later part follow
        // the slot.
        let siblings = children[parent] ?? []
        let next = siblings.partitioningIndex { nodes[$0].start.part > slot }
        let (left, right) = (next > 0 ? siblings[next - 1] : nil, next < siblings.count ? siblings[next] : nil)
        for node in [parent, left, right] { if let node { isNeeded[node] = true } }
        found.append((parent, left, right))
      }
    }
    for node in nodes.indices.reversed() where isNeeded[node] {
      if let parent = nodes[node].parent { isNeeded[parent] = true }
    }

    var anchor = [Int?](repeating: nil, count: nodes.count)
    for (node, content) in nodes.enumerated() where isNeeded[node] {
      anchor[node] = anchors.count
      anchors.append(
        Template.Anchor(
          parent: content.parent.flatMap { anchor[$0] }, start: content.start, contentStart: content.contentStart,
          contentEnd: content.contentEnd, end: content.end, isSealed: content.isSealed, isRaw: content.isRaw))
    }
    first = firstNode.flatMap { anchor[$0] }
    last = lastNode.flatMap { anchor[$0] }
    isFirstElement = firstNode.map { !nodes[$0].isComment } ?? false
    let hasTopSlot = slots.contains { if case .content(nil) = $0 { true } else { false } }
    hasSingleRoot = !hasTopSlot && Self.hasSingleRoot(top.map { nodes[$0] }, in: parts)

    for (slot, container) in slots.enumerated() {
      if case .tag(let node) = container, let anchor = anchor[node] { positions.append(.tag(anchor)) }
      guard let (parent, left, right) = found[slot] else { continue }
      let gap = (
        parent: parent.flatMap { anchor[$0] }, left: left.flatMap { anchor[$0] }, right: right.flatMap { anchor[$0] }
      )
      if let last = gaps.last, last.slots.upperBound == slot, last.parent == gap.parent, last.left == gap.left {
        gaps[gaps.count - 1].slots = last.slots.lowerBound..<(slot + 1)
      } else {
        gaps.append(
          Template.Gap(
            parent: gap.parent, left: gap.left, right: gap.right,
            start: gap.left.map { anchors[$0].end } ?? gap.parent.map { anchors[$0].contentStart }
              ?? Template.StringPosition(part: 0, offset: 0),
            end: gap.right.map { anchors[$0].start } ?? gap.parent.map { anchors[$0].contentEnd } ?? end,
            slots: slot..<(slot + 1)))
      }
      positions.append(.gap(gaps.count - 1))
    }
    writeEvents(of: nodes, anchor)
  }

  /// Whether exactly one of the top nodes is an element, and only comments and blank text are
  /// around it. The caller has checked that no slot is between the top nodes.
  private static func hasSingleRoot(_ top: [TemplateReader.Node], in parts: [String]) -> Bool {
    guard top.lazy.filter({ !$0.isComment }).count == 1, let last = parts.last else { return false }
    var start = Template.StringPosition(part: 0, offset: 0)
    func isBlank(before end: Template.StringPosition) -> Bool {
      guard start.part == end.part else { return false }
      let text = parts[start.part].utf8.dropFirst(start.offset).prefix(end.offset - start.offset)
      return text.allSatisfy(" \t\n\r\u{0C}".utf8.contains)
    }
    for node in top {
      guard isBlank(before: node.start) else { return false }
      start = node.end
    }
    return isBlank(before: Template.StringPosition(part: parts.count - 1, offset: last.utf8.count))
  }

  private mutating func writeEvents(of nodes: [TemplateReader.Node], _ anchor: [Int?]) {
    var open: [Int] = []
    func close(_ anchor: Int) -> (part: Int, event: Template.Event) { (anchors[anchor].end.part, .close(anchor)) }
    var ordered: [(part: Int, event: Template.Event)] = []
    for number in anchors.indices {
      while let last = open.last, anchors[last].end <= anchors[number].start {
        ordered.append(close(open.removeLast()))
      }
      let start = anchors[number].start
      if anchors[number].contentStart == anchors[number].end {
        ordered.append((start.part, .leaf(number, offset: start.offset)))
      } else {
        ordered.append((start.part, .open(number, offset: start.offset)))
        open.append(number)
      }
      let tagEnd = anchors[number].contentStart
      if tagEnd.part > start.part { ordered.append((tagEnd.part, .tagEnd(number, offset: tagEnd.offset))) }
    }
    while let last = open.popLast() { ordered.append(close(last)) }
    for (part, event) in ordered { events[part].append(event) }
  }
}
