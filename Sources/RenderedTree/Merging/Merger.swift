/// Carries one update into a tree: makes what comes whole, changes what is named, and notes every slot that was sent.
struct Merger {
  var nextIdentity: Int
  var touched = TouchedSlots()
  var edits: [Edit] = []
  /// See ``Rendered/Merge/oldStreams``.
  var oldStreams: [Int: StreamOperation] = [:]
  /// Where in the update the merge stands.
  var path = MergePath()
  /// Inside what is new as a whole, slots are not causes of their own.
  private var isSilent = false
  /// Entries of LiveView 1.0 are no subject of change tracking: the client numbers no roots in them.
  var isInEntryOf10 = false
  /// The instance of the tree whose slots are worked on.
  var instance = InstancePath()

  init(nextIdentity: Int) { self.nextIdentity = nextIdentity }

  /// An update may make or copy this many slots: a few bytes that copy a component's lists can ask for very many.
  static let maximumSlots = 1 << 19
  private var made = 0

  var here: SlotPath { SlotPath(path.steps) }

  mutating func charge(_ slots: Int) throws(MergeError) {
    made += slots
    if made > Self.maximumSlots { throw .tooManySlots(at: here, limit: Self.maximumSlots) }
  }

  mutating func identity() -> Int {
    defer { nextIdentity += 1 }
    return nextIdentity
  }

  /// Runs `body` with a step on the path. After an error the path stays, and the merger is of no more use.
  mutating func within<Value>(
    _ step: SlotPath.Step, body: (inout Merger) throws(MergeError) -> Value
  ) throws(MergeError) -> Value {
    path.append(step)
    let value = try body(&self)
    path.removeLast()
    return value
  }

  mutating func silently<Value>(
    _ body: (inout Merger) throws(MergeError) -> Value
  ) throws(MergeError) -> Value {
    let before = isSilent
    isSilent = true
    defer { isSilent = before }
    return try body(&self)
  }

  /// Notes a place of the update; says which one it is among ``TouchedSlots/slots``.
  ///
  /// - Parameter isWhole: whether all that the place holds was sent.
  @discardableResult
  mutating func touch(
    at place: TouchedSlots.Place, isChanged: Bool, isWhole: Bool = false, bytes: @autoclosure () -> Int
  ) -> Int {
    guard !isSilent else { return -1 }
    touched.touch(&path, at: place, isChanged: isChanged, isWhole: isWhole, bytes: bytes())
    return touched.slots.count - 1
  }

  /// Notes what is done to the tree. What is new as a whole is noted as that.
  ///
  /// - Parameter stream: the operation that a stream had to show before.
  mutating func note(_ edit: Edit, replacing stream: StreamOperation? = nil) {
    guard !isSilent else { return }
    if let stream { oldStreams[edits.count] = stream }
    edits.appendOrBegin(with: edit)
  }

  /// Works inside of an instance that stands in a slot of the present one.
  mutating func inside<Value>(
    _ step: InstancePath.Step, _ body: (inout Merger) throws(MergeError) -> Value
  ) throws(MergeError) -> Value {
    if isSilent { return try body(&self) }
    let outer = instance
    instance = outer.appending(step)
    defer { instance = outer }
    return try body(&self)
  }

  // MARK: - Fragments

  mutating func merge(
    _ diff: FragmentDiff, into fragment: inout Fragment, at place: TouchedSlots.Place
  ) throws(MergeError) {
    guard case .slots(let slots) = diff.body, diff.stream == nil else {
      throw .nothingToMergeInto(at: here, found: "a fragment and no comprehension")
    }
    if let root = fragment.root, !isSilent { touched.roots.insert(root) }
    try merge(slots, into: &fragment.slots, at: place)
  }

  mutating func merge(
    _ diffs: [(index: Int, diff: SlotDiff)], into slots: inout [Slot], at place: TouchedSlots.Place
  ) throws(MergeError) {
    for (index, diff) in diffs {
      guard slots.indices.contains(index) else { throw .noSuchSlot(at: here + .index(index), count: slots.count) }
      let place = touched.place(at: index, under: place)
      switch diff {
      case .text(let text): replace(&slots, index, by: .text(text), sentAs: diff, at: place)
      case .component(let cid): replace(&slots, index, by: .component(cid), sentAs: diff, at: place)
      case .fragment(let fragment):
        path.append(.index(index))
        if fragment.statics == nil {
          try merge(fragment, into: &slots, index, at: place)
          path.removeLast()
        } else {
          let new = try silently { merger throws(MergeError) in try merger.make(fragment) }
          path.removeLast()
          replace(&slots, index, by: new, sentAs: diff, at: place)
        }
      }
    }
  }

  /// Puts what came whole into a slot. What is sent again as it was stays what it is, with its identities.
  private mutating func replace(
    _ slots: inout [Slot], _ index: Int, by new: Slot, sentAs diff: SlotDiff, at place: TouchedSlots.Place
  ) {
    let isChanged = !new.isSame(as: slots[index])
    var cause = -1
    if !isSilent {
      path.append(.index(index))
      cause = touch(at: place, isChanged: isChanged, isWhole: true, bytes: diff.size)
      path.removeLast()
    }
    guard isChanged else {
      if !isSilent, new.holdsRoots { touched.renewsRoots = true }
      return
    }
    note(.slot(of: instance, index: index, old: slots[index], cause: cause))
    slots[index] = new
  }

  private mutating func merge(
    _ fragmentDiff: FragmentDiff, into slots: inout [Slot], _ index: Int, at place: TouchedSlots.Place
  ) throws(MergeError) {
    if var fragment = slots.takeFragment(at: index) {
      defer { slots[index] = .fragment(fragment) }
      return try inside(.init(slot: index)) { merger throws(MergeError) in
        try merger.merge(fragmentDiff, into: &fragment, at: place)
      }
    }
    if var comprehension = slots.takeComprehension(at: index) {
      defer { slots[index] = .comprehension(comprehension) }
      return try merge(fragmentDiff, into: &comprehension, in: index, at: place)
    }
    switch slots[index] {
    case .component(let cid): throw .nothingToMergeInto(at: here, found: "component \(cid)")
    case .text(let text) where !text.isEmpty: throw .nothingToMergeInto(at: here, found: "a text")
    default: throw .nothingToMergeInto(at: here, found: "nothing")
    }
  }

  // MARK: - Making

  mutating func make(_ diff: SlotDiff) throws(MergeError) -> Slot {
    switch diff {
    case .text(let text): .text(text)
    case .component(let cid): .component(cid)
    case .fragment(let fragment): try make(fragment)
    }
  }

  /// What an update sends whole.
  mutating func make(_ diff: FragmentDiff) throws(MergeError) -> Slot {
    guard let statics = diff.statics?.own else { throw .missingStatics(at: here) }
    switch diff.body {
    case .slots(let slots):
      guard !statics.parts.isEmpty else { throw .emptyStatics(at: here + .key("s")) }
      return .fragment(
        Fragment(
          statics: statics, isRoot: diff.isRoot, root: diff.isRoot && !isInEntryOf10 ? identity() : nil,
          slots: try make(slots, count: statics.slotCount)))
    case .keyed, .entries:
      // Keyed entries make it a keyed one.
      var comprehension = Comprehension(statics: statics, isKeyed: false, list: identity(), entries: [])
      try silently { merger throws(MergeError) in
        try merger.merge(diff, into: &comprehension, in: 0, at: .nowhere)
      }
      return .comprehension(comprehension)
    }
  }

  /// All the slots of something new.
  mutating func make(_ diffs: [(index: Int, diff: SlotDiff)], count: Int) throws(MergeError) -> [Slot] {
    try charge(diffs.count)
    var slots: [Slot] = []
    slots.reserveCapacity(count)
    for (index, diff) in diffs {
      guard index < count else { throw .noSuchSlot(at: here + .index(index), count: count) }
      guard index == slots.count else { throw .missingSlot(at: here, index: slots.count, expected: count) }
      path.append(.index(index))
      slots.append(try make(diff))
      path.removeLast()
    }
    guard slots.count == count else { throw .missingSlot(at: here, index: slots.count, expected: count) }
    return slots
  }
}
