extension Merger {
  /// Merges what an update says of components.
  ///
  /// A component may take its statics, and whatever nested tree the update leaves out, from another one: of the same
  /// update (positive reference, in its state after the update) or of the tree before it (negative reference).
  mutating func merge(
    _ diffs: [(cid: Int, diff: FragmentDiff)], into components: inout [Int: Fragment]
  ) throws(MergeError) {
    if diffs.isEmpty { return }
    let updates = Dictionary(diffs.map { ($0.cid, $0.diff) }, uniquingKeysWith: { first, _ in first })
    // Who refers to the tree before the update needs it as it was: the components that others are made of, and no more,
    // since every component is worked on where it is.
    var old: [Int: Fragment] = [:]
    for (_, diff) in diffs {
      guard case .component(let reference) = diff.statics, reference < 0 else { continue }
      old[Int(clamping: reference.magnitude)] = components[Int(clamping: reference.magnitude)]
    }
    var merged: Set<Int> = []
    for (cid, _) in diffs where !merged.contains(cid) {
      // From the component to the one whose statics are its own, then back, so that no chain exhausts the stack.
      var chain = [cid]
      var links: Set = [cid]
      while let last = chain.last, case .component(let source) = updates[last]?.statics, source > 0,
        !merged.contains(source)
      {
        guard updates[source] != nil else { throw .unknownComponent(at: place(of: last) + .key("s"), cid: source) }
        guard links.insert(source).inserted else {
          throw .componentCycle(at: place(of: last) + .key("s"), cids: chain + [source])
        }
        chain.append(source)
      }
      for cid in chain.reversed() {
        guard let diff = updates[cid] else { continue }
        path.append(.key("c"))
        path.append(.index(cid))
        try component(cid, diff, in: &components, old: old)
        path.removeLast(2)
        merged.insert(cid)
      }
    }
  }

  private func place(of cid: Int) -> SlotPath { here + .key("c") + .index(cid) }

  private mutating func component(
    _ cid: Int, _ diff: FragmentDiff, in components: inout [Int: Fragment], old: [Int: Fragment]
  ) throws(MergeError) {
    let place = touched.place(ofComponent: cid)
    var component: Fragment
    switch diff.statics {
    case nil:
      guard var known = components.removeValue(forKey: cid) else { throw .unknownComponent(at: here, cid: cid) }
      instance = InstancePath(component: cid)
      defer {
        instance = InstancePath()
        components[cid] = known
      }
      return try merge(diff, into: &known, at: place)
    case .here, .template:
      guard case .fragment(let fragment) = try silently({ merger throws(MergeError) in try merger.make(diff) }) else {
        throw .nothingToMergeInto(at: here, found: "a comprehension, which cannot be a component,")
      }
      component = fragment
    case .component(let reference):
      let source = Int(clamping: reference.magnitude)
      guard var copy = reference > 0 ? components[source] : old[source] else {
        throw .unknownComponent(at: here + .key("s"), cid: source)
      }
      copy.site = nil
      try renew(&copy.slots)
      copy.isRoot = diff.isRoot
      try silently { merger throws(MergeError) in try merger.merge(diff, into: &copy, at: place) }
      component = copy
    }
    let known = components[cid]
    let isChanged = known.map { !component.isSame(as: $0) } ?? true
    let cause = touch(at: place, isChanged: isChanged, isWhole: true, bytes: diff.size)
    guard isChanged else {
      if component.slots.contains(where: \.holdsRoots) { touched.renewsRoots = true }
      return
    }
    edits.append(.component(cid, old: known, cause: cause))
    components[cid] = component
  }

  /// Gives the roots and comprehensions of a copy identities of their own, and no place in the document.
  mutating func renew(_ slots: inout [Slot]) throws(MergeError) {
    try charge(slots.count)
    for index in slots.indices {
      switch slots[index] {
      case .text, .component: continue
      case .fragment(var fragment):
        fragment.site = nil
        if fragment.root != nil { fragment.root = identity() }
        try renew(&fragment.slots)
        slots[index] = .fragment(fragment)
      case .comprehension(var comprehension):
        comprehension.list = identity()
        comprehension.stream = nil
        comprehension.isLinked = false
        for entry in comprehension.entries.indices {
          comprehension.entries[entry].serial = identity()
          comprehension.entries[entry].site = nil
          try renew(&comprehension.entries[entry].slots)
        }
        slots[index] = .comprehension(comprehension)
      }
    }
  }
}
