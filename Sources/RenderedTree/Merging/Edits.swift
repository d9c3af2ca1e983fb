/// The way to an instance of a template: a fragment, an entry of a comprehension, or a component, from the page's root or
/// from the component that it stands in.
package struct InstancePath: Hashable, Sendable {
  package struct Step: Hashable, Sendable {
    package var slot: Int
    /// Which entry, where a comprehension stands in the slot.
    package var entry: Int?

    package init(slot: Int, entry: Int? = nil) {
      self.slot = slot
      self.entry = entry
    }
  }

  /// Where the way begins; `nil` for the page's root.
  package var component: Int?
  package var steps: [Step]

  package init(component: Int? = nil, steps: [Step] = []) {
    self.component = component
    self.steps = steps
  }
}

/// What a merge did to a tree, place by place: enough to take it back, and to find what of a page it concerns.
package enum Edit: Sendable {
  /// A slot that holds something else now.
  case slot(of: InstancePath, index: Int, old: Slot, cause: Int)
  /// A comprehension, in the slot of an instance, whose entries came, went or changed places.
  case entries(of: InstancePath, slot: Int, EntriesEdit)
  /// A comprehension that has a stream's operation to show.
  case stream(of: InstancePath, slot: Int, cause: Int?)
  /// A component that came, or was sent whole.
  case component(Int, old: Fragment?, cause: Int)
}

/// How the entries of a comprehension changed, without those that are what and where they were.
package struct EntriesEdit: Sendable {
  var wasKeyed: Bool
  package var oldCount: Int
  package var newCount: Int
  /// Old entries by their place, ascending, where another one stands now or none.
  package var displaced: [(index: Int, entry: Comprehension.Entry)]
  /// By their place now, ascending: where they stood, or `nil` for those that are new; and what sent them.
  package var arrivals: [(index: Int, from: Int?, cause: Int)]

  init(of comprehension: Comprehension, newCount: Int) {
    wasKeyed = comprehension.isKeyed
    oldCount = comprehension.entries.count
    self.newCount = newCount
    displaced = []
    arrivals = []
  }

  var isEmpty: Bool { arrivals.isEmpty && displaced.isEmpty && wasKeyed }
}

// MARK: - Taking back

extension Rendered {
  /// Takes back what one merge has done.
  ///
  /// - Complexity: O(*edits*).
  package mutating func undo(_ merge: Merge) {
    for edit in merge.edits.reversed() {
      switch edit {
      case .slot(let path, let index, let old, _):
        withSlots(of: path) { $0[index] = old }
      case .entries(let path, let slot, let edit):
        withComprehension(in: slot, of: path) { $0.restore(edit) }
      case .stream(let path, let slot, _):
        withComprehension(in: slot, of: path) { $0.stream = nil }
      case .component(let cid, let old, _):
        components[cid] = old
      }
    }
    nextIdentity = merge.firstIdentity
  }

  /// Works on the slots of an instance in place.
  package mutating func withSlots(of path: InstancePath, _ body: (inout [Slot]) -> Void) {
    if let cid = path.component {
      guard var component = components.removeValue(forKey: cid) else { return }
      Self.withSlots(at: path.steps[...], below: &component.slots, body)
      components[cid] = component
    } else {
      Self.withSlots(at: path.steps[...], below: &root.slots, body)
    }
  }

  package mutating func withComprehension(
    in slot: Int, of path: InstancePath, _ body: (inout Comprehension) -> Void
  ) {
    withSlots(of: path) { slots in
      guard case .comprehension(var comprehension) = slots[slot] else { return }
      slots[slot] = .text("")
      body(&comprehension)
      slots[slot] = .comprehension(comprehension)
    }
  }

  /// Each slot is emptied while its content is worked on, so that the content has one owner and is not copied.
  private static func withSlots(
    at steps: ArraySlice<InstancePath.Step>, below slots: inout [Slot], _ body: (inout [Slot]) -> Void
  ) {
    guard let step = steps.first else { return body(&slots) }
    switch slots[step.slot] {
    case .fragment(var fragment):
      slots[step.slot] = .text("")
      withSlots(at: steps.dropFirst(), below: &fragment.slots, body)
      slots[step.slot] = .fragment(fragment)
    case .comprehension(var comprehension):
      slots[step.slot] = .text("")
      if let entry = step.entry {
        withSlots(at: steps.dropFirst(), below: &comprehension.entries[entry].slots, body)
      }
      slots[step.slot] = .comprehension(comprehension)
    case .text, .component: return
    }
  }
}

extension Comprehension {
  fileprivate mutating func restore(_ edit: EntriesEdit) {
    isKeyed = edit.wasKeyed
    if entries.count > edit.oldCount { entries.removeLast(entries.count - edit.oldCount) }
    for (index, entry) in edit.displaced {
      if index < entries.count { entries[index] = entry } else { entries.append(entry) }
    }
  }
}
