/// The order of the cards in the index: `?sort=`. A card is ordered by the sum over its views.
enum IndexOrder: String, CaseIterable {
  case updated, name, diffs, bytes, nodes, subscribers

  /// The largest number first, and names upwards. Equal groups keep their order, newest first.
  ///
  /// - Complexity: O(*n* log *n*) for *n* groups.
  func sorted(_ groups: [IndexGroup]) -> [IndexGroup] {
    switch self {
    case .updated: groups
    case .name:
      Self.sorted(groups) {
        $0.names.first?.name.texts.lazy.compactMap(\.self).first ?? ""
      } by: {
        $0 < $1
      }
    case .diffs: Self.sorted(groups, by: \.log.diffCount)
    case .bytes: Self.sorted(groups, by: \.log.bytes)
    case .nodes: Self.sorted(groups, by: \.nodes)
    case .subscribers: Self.sorted(groups, by: \.observers)
    }
  }

  private static func sorted(_ groups: [IndexGroup], by number: (ViewSummary) -> Int) -> [IndexGroup] {
    sorted(groups) {
      $0.entries.reduce(0) { $0 + ($1.state.map(number) ?? 0) }
    } by: {
      $0 > $1
    }
  }

  private static func sorted<Key>(
    _ groups: [IndexGroup], _ key: (IndexGroup) -> Key, by precedes: (Key, Key) -> Bool
  ) -> [IndexGroup] {
    groups.map { (key: key($0), group: $0) }.sorted { precedes($0.key, $1.key) }.map(\.group)
  }
}
