/// The components of an update. ``Rendered`` merges them after the root.
extension Merger {
  /// Merges the components of an update.
  ///
  /// A component may take its statics, and all slots that the update omits, from another component.
  /// A positive reference names a component of the same update, in its state after the update; a
  /// negative one names a component of the tree before the update.
  ///
  /// - Client: `cachedFindComponent`, `cloneMerge` in `rendered.js`, 1.0+. Origin:
  ///   phoenix_live_view#1393.
  mutating func merge(
    _ diffs: [(cid: Int, diff: FragmentDiff)], into components: inout [Int: Fragment]
  ) throws(MergeError) {
    if diffs.isEmpty { return }
    let updates = Dictionary(diffs.map { ($0.cid, $0.diff) }, uniquingKeysWith: { first, _ in first })
    // Components are changed in place, so a component that a negative reference names is copied
    // first. Others are not, because a second reference to their storage would cause a copy on
    // write.
    var old: [Int: Fragment] = [:]
    for (_, diff) in diffs {
      guard case .component(let reference) = diff.statics, reference < 0 else { continue }
      old[Int(clamping: reference.magnitude)] = components[Int(clamping: reference.magnitude)]
    }
    var merged: Set<Int> = []
    for (cid, _) in diffs where !merged.contains(cid) {
      // Follow the references to a component with statics of its own, then merge backwards. This is
      // a loop, so that a long chain cannot overflow the stack.
      var chain = [cid]
      var links: Set = [cid]
      while let last = chain.last, case .component(let source) = updates[last]?.statics, source > 0,
        !merged.contains(source)
      {
        guard updates[source] != nil else {
          throw .unknownComponent(at: path(ofComponent: last) + .key("s"), cid: source)
        }
        guard links.insert(source).inserted else {
          throw .componentCycle(at: path(ofComponent: last) + .key("s"), cids: chain + [source])
        }
        chain.append(source)
      }
      for cid in chain.reversed() {
        guard let diff = updates[cid] else { continue }
        path.append(.key("c"))
        path.append(.index(cid))
        try mergeComponent(cid, with: diff, into: &components, before: old)
        path.removeLast(2)
        merged.insert(cid)
      }
    }
  }

  private func path(ofComponent cid: Int) -> SlotPath { here + .key("c") + .index(cid) }

  /// - Parameter old: the components that negative references name, as they were before the update.
  private mutating func mergeComponent(
    _ cid: Int, with diff: FragmentDiff, into components: inout [Int: Fragment], before old: [Int: Fragment]
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
        throw .nothingToMergeInto(at: here, found: "a comprehension, which cannot be a component")
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

  /// Makes a copied component independent of its source: the roots, comprehensions and entries of
  /// the copy get new identities and lose their sites. A pending stream operation is not copied.
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
