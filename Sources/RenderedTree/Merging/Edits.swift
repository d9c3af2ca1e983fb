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
  /// What cut the last ones off.
  package var cut: Int?
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
  /// - Complexity: O(*edits* + *steps of their paths*); edits close to each other share one walk to their common beginning.
  package mutating func undo(_ merge: Merge) {
    var end = merge.edits.count
    while end > 0 {
      if case .component(let cid, let old, _) = merge.edits[end - 1] {
        components[cid] = old
        end -= 1
      } else {
        end = undo(merge, from: end)
      }
    }
    nextIdentity = merge.firstIdentity
  }

  /// The number of last steps of a path that may differ between edits that are undone in one walk.
  private static let reach = 8

  /// Undoes edits from the last backwards, as long as their paths share a beginning.
  ///
  /// - Returns: the number of edits that are left.
  private mutating func undo(_ merge: Merge, from end: Int) -> Int {
    guard let path = merge.edits[end - 1].path else { return end - 1 }
    let (beginning, steps) = path.split(last: Self.reach)
    var instances = [steps]
    while instances.count < end,
      let steps = merge.edits[end - instances.count - 1].path?.steps(behind: beginning, atMost: 2 * Self.reach)
    {
      instances.append(steps)
    }
    withInstances(instances, behind: beginning) { position, instance in
      let edit = end - 1 - position
      switch merge.edits[edit] {
      case .slot(_, let index, let old, _): instance.slots[index] = old
      case .entries(_, let slot, let edit): instance.withComprehension(in: slot) { $0.restore(edit) }
      case .stream(_, let slot, _): instance.withComprehension(in: slot) { $0.stream = merge.oldStreams[edit] }
      case .component: break
      }
    }
    return end - instances.count
  }

  package mutating func withComprehension(
    in slot: Int, of path: InstancePath, _ body: (inout Comprehension) -> Void
  ) {
    withInstance(at: path) { instance, _ in instance.withComprehension(in: slot, body) }
  }
}

extension Instance {
  fileprivate mutating func withComprehension(in slot: Int, _ body: (inout Comprehension) -> Void) {
    guard var comprehension = slots.takeComprehension(at: slot) else { return }
    body(&comprehension)
    slots[slot] = .comprehension(comprehension)
  }
}

extension Edit {
  /// The instance that it is in; `nil` for a component as a whole.
  fileprivate var path: InstancePath? {
    switch self {
    case .slot(let path, _, _, _), .entries(let path, _, _), .stream(let path, _, _): path
    case .component: nil
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
