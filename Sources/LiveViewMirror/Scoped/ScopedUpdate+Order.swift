internal import MarkupDocument
internal import RenderedTree

/// Joins the parts of an update into one change set.
extension ScopedUpdate {
  /// A part of the update, with its index in ``tags``, ``regions`` or ``children``.
  enum Part {
    case tag(Int)
    case region(Int)
    case children(Int)
  }

  /// Puts the parts into document order, and makes the positions in their changes valid when the changes are applied in this
  /// order: the children of a parent are changed from the first to the last, so each part adds the growth of the parts before it.
  ///
  /// - Throws: if two parts overlap.
  mutating func order() throws(NeedsFullUpdate) -> [Part] {
    var indexes = SiblingIndexes()
    var parts: [(part: Part, node: NodeRef, start: Int)] = tags.indices.map { (.tag($0), tags[$0].node, -1) }
    for position in regions.indices where !regions[position].changes.isEmpty {
      let location = regions[position].region.location
      // With only one part, the index is needed only if a change has a position.
      let needsIndex = regions.count + children.count > 1 || regions[position].hasPositions
      let start = needsIndex ? location.after.map { indexes.index(of: $0, in: document) + 1 } : nil
      parts.append((.region(position), location.parent, start ?? 0))
    }
    for position in children.indices {
      parts.append((.children(position), children[position].update.parent, children[position].update.start))
    }
    if parts.count == 1 {
      if case .region(let position) = parts[0].part {
        regions[position].shift(leaving: parts[0].start, reaching: parts[0].start)
      }
      return [parts[0].part]
    }
    let order = Dictionary(
      document.inDocumentOrder(Set(parts.map(\.node))).enumerated().map { ($1, $0) }, uniquingKeysWith: { $1 })
    parts.sort {
      (order[$0.node] ?? 0, $0.start, oldCount($0.part)) < (order[$1.node] ?? 0, $1.start, oldCount($1.part))
    }
    var (parent, growth, end) = (NodeRef?.none, 0, 0)
    for (part, node, start) in parts {
      if node != parent { (parent, growth, end) = (node, 0, 0) }
      switch part {
      case .tag: continue
      case .region(let position):
        guard start >= end else { throw NeedsFullUpdate("parts of the update overlap") }
        end = start + regions[position].old.count
        regions[position].shift(leaving: start, reaching: start + growth)
        growth += regions[position].growth
      case .children(let position):
        guard start >= end else { throw NeedsFullUpdate("parts of the update overlap") }
        end = start + children[position].update.oldCount
        children[position].update.shift(by: growth)
        growth += children[position].update.growth
      }
    }
    return parts.map(\.part)
  }

  private func oldCount(_ part: Part) -> Int {
    switch part {
    case .tag: 0
    case .region(let position): regions[position].old.count
    case .children(let position): children[position].update.oldCount
    }
  }

  func result(in order: [Part]) -> Result {
    var result = Result()
    (result.rendering, result.parsing) = (context.rendering, context.parsing)
    for part in order {
      switch part {
      case .tag(let position):
        result.changes += tags[position].update.changes
        let slots = Attribution.slots(tags[position].causes, of: context.touched)
        result.slots += Array(repeating: slots, count: tags[position].update.changes.count)
      case .region(let position):
        result.changes += regions[position].changes
        result.slots += regions[position].slots
      case .children(let position):
        result.changes += children[position].update.changes
        result.slots += children[position].update.slots
      }
    }
    for tag in tags.lazy.map(\.update) {
      result.size.add(markup: tag.size)
      result.diagnostics += tag.diagnostics
    }
    for region in regions {
      result.marked += region.marked
      result.marks.add(region.marks)
      if let parsed = region.parsed { result.parsed.append(parsed) }
      result.size.add(region.region.rendering)
      if !region.region.rendering.streams.isEmpty {
        result.hasStreams = true
        result.shown.formUnion(region.region.rendering.components)
      }
      result.diagnostics += region.diagnostics
    }
    for part in children.lazy.map(\.update) {
      result.marked += part.marked
      result.marks.add(part.marks)
      if part.hasStreams { result.hasStreams = true }
      result.parsed += part.parsed
      result.size.add(part.size)
      result.diagnostics += part.diagnostics
    }
    return result
  }
}
