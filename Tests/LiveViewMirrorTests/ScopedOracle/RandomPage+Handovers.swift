import RecordingFixtures

/// Ids, components and the slots of components change owners.
///
/// Removed content releases its ids, and new content takes them over. The node is then kept with
/// another owner. Components that are no longer shown stay in the tree and are updated there, until
/// the server destroys them or shows them again.
extension RandomPage {
  mutating func isHandedOver() -> Bool { profile.handovers > 0 && random.below(100) < profile.handovers }

  /// Releases the ids of a value, so that new content can take them.
  mutating func release(_ value: PageValue, of hole: PageHole) {
    guard profile.handovers > 0 else { return }
    var ids: Set<String> = []
    var met: Set<Int> = []
    collectIDs(of: value, in: hole, &ids, &met)
    freeIDs += ids.sorted().filter { !freeIDs.contains($0) }
  }

  mutating func release(_ values: [PageValue], of template: Int) {
    for (value, hole) in zip(values, templates[template].holes) { release(value, of: hole) }
  }

  /// An id whose owner is removed in this step.
  mutating func takeFreeID() -> String? {
    guard !freeIDs.isEmpty, isHandedOver() else { return nil }
    note("id handed over")
    return freeIDs.remove(at: random.below(freeIDs.count))
  }

  /// A component that is in the tree but not on the page.
  mutating func takeHiddenComponent(of choice: [Int]) -> Int? {
    guard profile.handovers > 0, random.one(in: 3) else { return nil }
    let shown = components(reachedFrom: root.values)
    let hidden = components.filter { choice.contains($1.template) && !shown.contains($0) }.keys.sorted()
    guard !hidden.isEmpty else { return nil }
    note("component shown again")
    return pick(hidden)
  }

  /// Removes components that the page does not show. Most of them stay in the tree for some steps.
  ///
  /// - Returns: the destroyed components.
  mutating func dropComponents() -> [Int] {
    guard profile.handovers > 0 else { return dropUnreachedComponents() }
    let shown = components(reachedFrom: root.values)
    var kept = shown
    for cid in components.keys.sorted() where !shown.contains(cid) && isHandedOver() {
      // A kept component keeps all components inside it.
      kept.insert(cid)
      if let values = components[cid]?.values { kept.formUnion(components(reachedFrom: values)) }
    }
    let dropped = components.keys.filter { !kept.contains($0) }.sorted()
    for cid in dropped { components[cid] = nil }
    return dropped
  }

  /// Changes components that the page does not show. A change of one of them can be the whole diff.
  mutating func changeHiddenComponents() {
    let shown = components(reachedFrom: root.values)
    for cid in components.keys.sorted() where !shown.contains(cid) && random.one(in: 2) {
      note("component changed off the page")
      change(component: cid, 2)
    }
  }

  /// The ids in a value, including those of its components.
  private func collectIDs(of value: PageValue, in hole: PageHole, _ ids: inout Set<String>, _ met: inout Set<Int>) {
    switch (value, hole) {
    case (.text(let text), .text(.id)): ids.insert(text)
    case (.text(let text), .text(.idAttribute)): if let id = text.idInAttribute { ids.insert(id) }
    case (.fragment(let fragment), _): collectIDs(of: fragment, &ids, &met)
    case (.list(let list), _):
      for entry in list.entries {
        collectIDs(of: PageFragment(template: list.template, values: entry.values), &ids, &met)
      }
    case (.component(let cid), _):
      if met.insert(cid).inserted, let component = components[cid] { collectIDs(of: component, &ids, &met) }
    default: return
    }
  }

  private func collectIDs(of fragment: PageFragment, _ ids: inout Set<String>, _ met: inout Set<Int>) {
    for (value, hole) in zip(fragment.values, templates[fragment.template].holes) {
      collectIDs(of: value, in: hole, &ids, &met)
    }
  }
}
