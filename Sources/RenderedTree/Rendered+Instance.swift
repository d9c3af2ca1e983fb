/// An instance of a template, wherever it stands.
package struct Instance {
  package let statics: Statics
  package var slots: [Slot]
  package var site: Site?
}

extension Rendered {
  /// Works on one instance in place, with the components at hand; on nothing where the way leads nowhere.
  ///
  /// - Complexity: O(*steps*), where nobody else holds a copy of the tree.
  package mutating func withInstance(
    at path: InstancePath, _ body: (inout Instance, inout [Int: Fragment]) -> Void
  ) {
    var others: [Int: Fragment] = [:]
    swap(&others, &components)
    if let cid = path.component {
      if var component = others.removeValue(forKey: cid) {
        component.withInstance(at: path.steps[...], &others, body)
        others[cid] = component
      }
    } else {
      root.withInstance(at: path.steps[...], &others, body)
    }
    swap(&others, &components)
  }
}

extension Fragment {
  fileprivate mutating func withInstance(
    at steps: ArraySlice<InstancePath.Step>, _ components: inout [Int: Fragment],
    _ body: (inout Instance, inout [Int: Fragment]) -> Void
  ) {
    guard steps.isEmpty else { return slots.withInstance(at: steps, &components, body) }
    var instance = Instance(statics: statics, slots: slots, site: site)
    slots = []
    body(&instance, &components)
    (slots, site) = (instance.slots, instance.site)
  }
}

extension [Slot] {
  /// Each slot is emptied while its content is worked on, so that the content has one owner and is not copied.
  fileprivate mutating func withInstance(
    at steps: ArraySlice<InstancePath.Step>, _ components: inout [Int: Fragment],
    _ body: (inout Instance, inout [Int: Fragment]) -> Void
  ) {
    guard let step = steps.first, indices.contains(step.slot) else { return }
    switch self[step.slot] {
    case .fragment(var fragment):
      self[step.slot] = .text("")
      fragment.withInstance(at: steps.dropFirst(), &components, body)
      self[step.slot] = .fragment(fragment)
    case .comprehension(var comprehension):
      guard let index = step.entry, comprehension.entries.indices.contains(index) else { return }
      self[step.slot] = .text("")
      if steps.count > 1 {
        comprehension.entries[index].slots.withInstance(at: steps.dropFirst(), &components, body)
      } else {
        let entry = comprehension.entries[index]
        var instance = Instance(statics: comprehension.statics, slots: entry.slots, site: entry.site)
        comprehension.entries[index].slots = []
        body(&instance, &components)
        comprehension.entries[index].slots = instance.slots
        comprehension.entries[index].site = instance.site
      }
      self[step.slot] = .comprehension(comprehension)
    case .text, .component: return
    }
  }
}
