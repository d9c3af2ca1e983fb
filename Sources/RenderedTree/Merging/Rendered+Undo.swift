/// Undoing a merge, when a scoped update fails, or when it needs the tree before the diff. The tree
/// must be as the merge left it, because edits name slots and entries by their index.
extension Rendered {
  /// Undoes one merge.
  ///
  /// - Complexity: O(*edits* + *steps of their paths*); the common prefix of edits that are close
  ///   to each other is walked once.
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

  /// Edits are undone together if their paths share a prefix: the path of the last edit without its
  /// last `reach` steps. In the paths of the other edits, at most `2 * reach` steps may follow the
  /// prefix.
  private static let reach = 8

  /// Undoes edits from the last one backwards, as long as their paths share a prefix.
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
}

extension Instance {
  fileprivate mutating func withComprehension(in slot: Int, _ body: (inout Comprehension) -> Void) {
    guard var comprehension = slots.takeComprehension(at: slot) else { return }
    body(&comprehension)
    slots[slot] = .comprehension(comprehension)
  }
}

extension Edit {
  /// The instance that contains the change; `nil` for a component as a whole.
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
