internal import RenderedTree

extension SlotTree {
  /// The node of a slot that a change set refers to, such as `2.k.4.1`. ``CostTotals``, insights
  /// and ``ViewState/templateSources(of:)`` find slots with it.
  ///
  /// The name of a moved entry's slot has an extra step `1`. The name is ambiguous if slot 1 of the
  /// entry has slots too. Then the step `1` is read as slot 1.
  ///
  /// - Returns: ``none`` if no diff has sent this slot.
  /// - Complexity: O(*steps*).
  func node(named name: String) -> Node {
    var steps: [SlotPath.Step] = []
    for step in name.split(separator: ".") {
      if steps.count > 2 * Self.maximumDepth { break }
      steps.append(Int(step).map { .index($0) } ?? .key(String(step)))
    }
    return node(steps[...], after: Self.root, isAfterMove: false)
  }

  private func node(_ steps: ArraySlice<SlotPath.Step>, after parent: Node, isAfterMove: Bool) -> Node {
    guard let step = steps.first, entries[Int(parent)].depth < Self.maximumDepth else { return parent }
    if let child = known(step, after: parent) {
      let found = node(steps.dropFirst(), after: child, isAfterMove: false)
      if found != Self.none { return found }
    }
    guard step == .index(1), entries[Int(parent)].step == Code.entry, !isAfterMove else { return Self.none }
    return node(steps.dropFirst(), after: parent, isAfterMove: true)
  }
}
