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

  /// Works on several instances in order. Their paths share a beginning, which is walked once.
  ///
  /// - Parameter instances: for each instance, the steps behind `beginning`.
  package mutating func withInstances(
    _ instances: [[InstancePath.Step]], behind beginning: InstancePath, _ body: (Int, inout Instance) -> Void
  ) {
    withInstance(at: beginning) { outer, components in
      for (position, steps) in instances.enumerated() {
        if steps.isEmpty {
          body(position, &outer)
        } else {
          outer.slots.withInstance(at: steps[...], &components) { instance, _ in body(position, &instance) }
        }
      }
    }
  }

  /// Puts a text into a slot: what a merge comes to that has a ``Edit/slot(of:index:old:cause:)`` as its only edit, where
  /// the slot holds a text afterwards.
  package mutating func setText(_ text: String, inSlot slot: Int, of path: InstancePath) {
    withInstance(at: path) { instance, _ in
      if instance.slots.indices.contains(slot) { instance.slots[slot] = .text(text) }
    }
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
  fileprivate mutating func withInstance(
    at steps: ArraySlice<InstancePath.Step>, _ components: inout [Int: Fragment],
    _ body: (inout Instance, inout [Int: Fragment]) -> Void
  ) {
    guard let step = steps.first, indices.contains(step.slot) else { return }
    if var fragment = takeFragment(at: step.slot) {
      fragment.withInstance(at: steps.dropFirst(), &components, body)
      self[step.slot] = .fragment(fragment)
    } else if var comprehension = takeComprehension(at: step.slot) {
      if let index = step.entry, comprehension.entries.indices.contains(index) {
        comprehension.withEntry(index, at: steps.dropFirst(), &components, body)
      }
      self[step.slot] = .comprehension(comprehension)
    }
  }
}

extension Comprehension {
  fileprivate mutating func withEntry(
    _ index: Int, at steps: ArraySlice<InstancePath.Step>, _ components: inout [Int: Fragment],
    _ body: (inout Instance, inout [Int: Fragment]) -> Void
  ) {
    guard steps.isEmpty else { return entries[index].slots.withInstance(at: steps, &components, body) }
    var instance = Instance(statics: statics, slots: entries[index].slots, site: entries[index].site)
    entries[index].slots = []
    body(&instance, &components)
    (entries[index].slots, entries[index].site) = (instance.slots, instance.site)
  }
}
