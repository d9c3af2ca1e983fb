internal import MarkupDocument
internal import RenderedTree

/// The parts of an update become one change set.
extension ScopedUpdate {
  /// One part of the update.
  enum Part {
    case tag(Int)
    case region(Int)
    case list(Int)
  }

  /// Counts the children before each part, as they are and as they will be, and brings the parts into document order: for
  /// those that read, and since children of one parent are put in their places from the first to the last.
  mutating func place() throws(FullPath) -> [Part] {
    var indexes = SiblingIndexes()
    var parts: [(part: Part, node: NodeRef, start: Int)] = tags.indices.map { (.tag($0), tags[$0].node, -1) }
    for position in regions.indices where !regions[position].changes.isEmpty {
      let key = regions[position].region.key
      // A text that changes stands where it stood.
      let isPlaced = regions.count + lists.count > 1 || regions[position].hasPlaces
      let start = isPlaced ? key.after.map { indexes.index(of: $0, in: document) + 1 } : nil
      parts.append((.region(position), key.parent, start ?? 0))
    }
    for position in lists.indices {
      parts.append((.list(position), lists[position].update.parent, lists[position].update.start))
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
        guard start >= end else { throw FullPath("parts of the update overlap") }
        end = start + regions[position].old.count
        regions[position].shift(leaving: start, reaching: start + growth)
        growth += regions[position].growth
      case .list(let position):
        guard start >= end else { throw FullPath("parts of the update overlap") }
        end = start + lists[position].update.oldCount
        lists[position].update.shift(by: growth)
        growth += lists[position].update.growth
      }
    }
    return parts.map(\.part)
  }

  private func oldCount(_ part: Part) -> Int {
    switch part {
    case .tag: 0
    case .region(let position): regions[position].old.count
    case .list(let position): lists[position].update.oldCount
    }
  }

  func result(in order: [Part]) -> Result {
    var result = Result()
    for part in order {
      switch part {
      case .tag(let position):
        result.changes += tags[position].update.changes
        let slots = Attribution.slots(tags[position].causes, of: touched)
        result.slots += Array(repeating: slots, count: tags[position].update.changes.count)
      case .region(let position):
        result.changes += regions[position].changes
        result.slots += regions[position].slots
      case .list(let position):
        result.changes += lists[position].update.changes
        result.slots += lists[position].update.slots
      }
    }
    for tag in tags.lazy.map(\.update) {
      result.size.add(markup: tag.size)
      result.diagnostics += tag.diagnostics
    }
    for region in regions {
      result.marked += region.marked
      result.marks.add(region.marks)
      if let link = region.link { result.links.append(link) }
      result.size.add(region.region.rendering)
      if !region.region.rendering.streams.isEmpty {
        result.hasStreams = true
        result.shown.formUnion(region.region.rendering.components)
      }
      result.diagnostics += region.diagnostics
    }
    for list in lists.lazy.map(\.update) {
      result.marked += list.marked
      result.marks.add(list.marks)
      if list.hasStreams { result.hasStreams = true }
      result.links += list.links
      result.size.add(list.size)
      result.diagnostics += list.diagnostics
    }
    return result
  }
}
