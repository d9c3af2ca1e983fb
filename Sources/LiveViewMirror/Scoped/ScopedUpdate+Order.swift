internal import MarkupDocument

/// Joins the parts of an update into one change set. ``compute(_:of:in:)`` calls ``result(of:)``
/// when the changes of all parts are computed.
extension ScopedUpdate {
  /// Joins the changes of all parts, in document order. Tags must be the first parts.
  ///
  /// - Throws: if two parts overlap.
  func result(of parts: [PartChanges]) throws(FullUpdateReason) -> Result {
    var parts = parts
    let order = try place(&parts)
    if parts.count == 1 { return parts[0].result }
    var result = Result()
    for part in order {
      result.changes += parts[part].result.changes
      result.causes += parts[part].result.causes
      (parts[part].result.changes, parts[part].result.causes) = ([], [])
    }
    for part in parts { result.add(part.result) }
    return result
  }

  /// Makes the positions in the changes valid when the changes are applied in document order: the
  /// children of a parent are changed from the first to the last, so each part adds the growth of
  /// the parts before it.
  ///
  /// - Returns: the indexes of the parts with changes, in document order.
  /// - Throws: if two parts overlap.
  private func place(_ parts: inout [PartChanges]) throws(FullUpdateReason) -> [Int] {
    let ranges = parts.count - tags.count
    let changed = parts.indices.filter { !parts[$0].isEmpty }
    var indexes = SiblingIndexes()
    let starts = parts.map { part in
      // With only one range, the index is needed only if a change has a position.
      guard !part.isEmpty, ranges > 1 || part.hasPositions else { return 0 }
      return part.start ?? part.after.map { indexes.index(of: $0, in: document) + 1 } ?? 0
    }
    if changed.count == 1 {
      try parts[changed[0]].place(from: starts[changed[0]], to: starts[changed[0]], in: context)
      return changed
    }
    let places = Dictionary(
      document.inDocumentOrder(Set(changed.map { parts[$0].parent })).enumerated().map { ($1, $0) },
      uniquingKeysWith: { $1 })
    // The attributes of an element come before its children, because tags are the first parts.
    func key(_ part: Int) -> (Int, Int, Int, Int) {
      (places[parts[part].parent] ?? 0, starts[part], parts[part].oldCount, part)
    }
    let order = changed.sorted { key($0) < key($1) }
    var (parent, growth, end) = (NodeRef?.none, 0, 0)
    for part in order {
      if parts[part].parent != parent { (parent, growth, end) = (parts[part].parent, 0, 0) }
      guard starts[part] >= end else { throw .overlap }
      end = starts[part] + parts[part].oldCount
      let ownGrowth = parts[part].growth
      try parts[part].place(from: starts[part], to: starts[part] + growth, in: context)
      growth += ownGrowth
    }
    return order
  }
}
