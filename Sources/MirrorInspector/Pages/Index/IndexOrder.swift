internal import LiveViewMirror

/// The order of the cards in the index: `?sort=`. A card is ordered by the sum over its views.
/// ``ViewsPage`` sorts with it.
enum IndexOrder: String, CaseIterable {
  case updated, name, diffs, bytes, nodes, subscribers

  /// Sorts by number with the largest first, or by name in ascending order. Equal groups keep their
  /// order, newest first.
  ///
  /// - Complexity: O(*n* log *n*) for *n* groups.
  func sorted(_ groups: [IndexGroup]) -> [IndexGroup] {
    switch self {
    case .updated: return groups
    case .name:
      let named = groups.map { (key: $0.names.first?.name.texts.lazy.compactMap(\.self).first ?? "", group: $0) }
      let (nameless, others) = (named.filter(\.key.isEmpty), named.filter { !$0.key.isEmpty })
      return (others.sorted { $0.key.lowercased() < $1.key.lowercased() } + nameless).map(\.group)
    case .diffs, .bytes, .nodes, .subscribers:
      let summed = groups.map { (key: sum(of: $0), group: $0) }
      return summed.sorted { $0.key > $1.key }.map(\.group)
    }
  }

  private func sum(of group: IndexGroup) -> Int {
    group.entries.lazy.compactMap(\.state).reduce(0) { sum, view in
      switch self {
      case .updated, .name: sum
      case .diffs: sum + view.log.diffCount
      case .bytes: sum + view.log.bytes
      case .nodes: sum + view.nodes
      case .subscribers: sum + view.observers
      }
    }
  }
}
