extension Merger {
  /// The components after an update.
  ///
  /// A component may take its statics, and whatever nested tree the update leaves out, from another one: of the same
  /// update (positive reference, in its state after the update) or of the tree before it (negative reference).
  mutating func merge(
    _ diffs: [(cid: Int, diff: FragmentDiff)], into old: [Int: Fragment]
  ) throws(MergeError) -> [Int: Fragment] {
    let updates = Dictionary(diffs.map { ($0.cid, $0.diff) }, uniquingKeysWith: { first, _ in first })
    var merged: [Int: Fragment] = [:]
    for (cid, _) in diffs where merged[cid] == nil {
      // From the component to the one whose statics are its own, then back, so that no chain exhausts the stack.
      var chain = [cid]
      var links: Set = [cid]
      while let last = chain.last, case .component(let source) = updates[last]?.statics, source > 0,
        merged[source] == nil
      {
        guard updates[source] != nil else { throw .unknownComponent(at: place(of: last) + .key("s"), cid: source) }
        guard links.insert(source).inserted else {
          throw .componentCycle(at: place(of: last) + .key("s"), cids: chain + [source])
        }
        chain.append(source)
      }
      for cid in chain.reversed() {
        guard let diff = updates[cid] else { continue }
        merged[cid] = try within(.key("c"), .index(cid)) { merger throws(MergeError) in
          try merger.component(cid, diff, merged: merged, old: old)
        }
      }
    }
    return old.merging(merged) { _, new in new }
  }

  private func place(of cid: Int) -> SlotPath { SlotPath(path + [.key("c"), .index(cid)]) }

  private mutating func component(
    _ cid: Int, _ diff: FragmentDiff, merged: [Int: Fragment], old: [Int: Fragment]
  ) throws(MergeError) -> Fragment {
    let place = touched.place(ofComponent: cid)
    let component: Fragment
    switch diff.statics {
    case nil:
      guard var known = old[cid] else { throw .unknownComponent(at: here, cid: cid) }
      try merge(diff, into: &known, at: place)
      return known
    case .here, .template:
      guard case .fragment(let fragment) = try silently({ merger throws(MergeError) in try merger.make(diff) }) else {
        throw .nothingToMergeInto(at: here, found: "a comprehension, which cannot be a component,")
      }
      component = fragment
    case .component(let reference):
      let source = Int(clamping: reference.magnitude)
      guard var copy = reference > 0 ? merged[source] : old[source] else {
        throw .unknownComponent(at: here + .key("s"), cid: source)
      }
      try renew(&copy.slots)
      copy.isRoot = diff.isRoot
      try silently { merger throws(MergeError) in try merger.merge(diff, into: &copy, at: place) }
      component = copy
    }
    touch(at: place, isChanged: old[cid].map { !component.isSame(as: $0) } ?? true, bytes: diff.size)
    return component
  }

  /// Gives the comprehensions of a copy identities of their own.
  private mutating func renew(_ slots: inout [Slot]) throws(MergeError) {
    try charge(slots.count)
    for index in slots.indices {
      switch slots[index] {
      case .text, .component: continue
      case .fragment(var fragment):
        try renew(&fragment.slots)
        slots[index] = .fragment(fragment)
      case .comprehension(var comprehension):
        comprehension.list = identity()
        comprehension.stream = nil
        for entry in comprehension.entries.indices {
          comprehension.entries[entry].serial = identity()
          try renew(&comprehension.entries[entry].slots)
        }
        slots[index] = .comprehension(comprehension)
      }
    }
  }
}
