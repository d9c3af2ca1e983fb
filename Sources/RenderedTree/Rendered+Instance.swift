/// An instance of a template: a fragment, an entry of a comprehension, or a component.
///
/// ``Rendered/withInstance(at:_:)`` takes it out of the tree, passes it to a function, and puts its
/// slots and its site back. The function must leave `statics.slotCount` slots.
package struct Instance {
  package let statics: Statics
  package var slots: [Slot]
  package var site: Site?
}

extension Rendered {
  /// Changes one instance in place. Undoing a merge, linking the tree to the page, and forgetting
  /// the entries of streams use this. It has no effect if the path leads nowhere.
  ///
  /// - Parameter body: gets the instance and the components of the view. If the instance is inside
  ///   of a component, that component is not among them.
  /// - Complexity: O(*steps*), if the tree's storage is uniquely referenced.
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

  /// Changes several instances in place, in order. The common prefix of their paths is walked once.
  /// ``undo(_:)`` uses this for edits that are close to each other.
  ///
  /// - Parameters:
  ///   - instances: for each instance, the steps after `beginning`.
  ///   - body: gets the position in `instances` and the instance.
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

  /// Puts a text into a slot. It has no effect if there is no such slot.
  ///
  /// A checkpoint uses this for a past diff that only put one text into one slot. It then need not
  /// decode and merge that diff again.
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
