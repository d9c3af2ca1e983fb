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
  /// - Complexity: O(*edits*).
  package mutating func undo(_ merge: Merge) {
    for (position, edit) in merge.edits.enumerated().reversed() {
      switch edit {
      case .slot(let path, let index, let old, _):
        withInstance(at: path) { instance, _ in instance.slots[index] = old }
      case .entries(let path, let slot, let edit):
        withComprehension(in: slot, of: path) { $0.restore(edit) }
      case .stream(let path, let slot, _):
        withComprehension(in: slot, of: path) { $0.stream = merge.oldStreams[position] }
      case .component(let cid, let old, _):
        components[cid] = old
      }
    }
    nextIdentity = merge.firstIdentity
  }

  package mutating func withComprehension(
    in slot: Int, of path: InstancePath, _ body: (inout Comprehension) -> Void
  ) {
    withInstance(at: path) { instance, _ in
      guard var comprehension = instance.slots.takeComprehension(at: slot) else { return }
      body(&comprehension)
      instance.slots[slot] = .comprehension(comprehension)
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
