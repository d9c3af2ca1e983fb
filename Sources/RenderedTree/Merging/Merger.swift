internal import MirrorSupport

/// Merges one update into a tree. A value that is sent whole is made anew, a value that is sent in
/// part is changed in place, and every slot that was sent is noted.
///
/// ``Rendered/merge(_:)`` uses one merger for each update, and does not use it again after an
/// error.
struct Merger {
  var nextIdentity: Int
  var touched = TouchedSlots()
  var edits: [Edit] = []
  /// See ``Rendered/Merge/oldStreams``.
  var oldStreams: [Int: StreamOperation] = [:]
  /// The current place in the update.
  var path = MergePath()
  /// Whether the current value is part of one that was sent whole. Only the enclosing slot is then
  /// noted.
  private(set) var isSilent = false
  /// Whether the current value is in an entry of LiveView 1.0. LiveView does not track changes in
  /// these entries, and its client does not number the roots in them.
  ///
  /// - Client: `comprehensionToBuffer` in `rendered.js`, 1.0. Origin: phoenix_live_view#2845.
  var isInEntryOf10 = false
  /// The instance whose slots are merged.
  var instance = InstancePath()

  init(nextIdentity: Int) { self.nextIdentity = nextIdentity }

  /// The maximum number of slots that an update may make or copy. Without this limit, a few bytes
  /// that copy a component's lists could make millions of slots.
  static let maximumSlots = 1 << 19
  private var made = 0

  var here: SlotPath { SlotPath(path.steps) }

  /// Counts slots that are about to be made or copied.
  mutating func charge(_ slots: Int) throws(MergeError) {
    made += slots
    if made > Self.maximumSlots { throw .tooManySlots(at: here, limit: Self.maximumSlots) }
  }

  mutating func identity() -> Int {
    defer { nextIdentity += 1 }
    return nextIdentity
  }

  /// Runs `body` with a step on the path. If `body` throws, the path is not restored, so the merger
  /// must not be used again.
  mutating func within<Value>(
    _ step: SlotPath.Step, body: (inout Merger) throws(MergeError) -> Value
  ) throws(MergeError) -> Value {
    path.append(step)
    let value = try body(&self)
    path.removeLast()
    return value
  }

  /// Runs `body` without noting slots, changes and comprehensions.
  mutating func silently<Value>(
    _ body: (inout Merger) throws(MergeError) -> Value
  ) throws(MergeError) -> Value {
    let before = isSilent
    isSilent = true
    defer { isSilent = before }
    return try body(&self)
  }

  /// Notes a slot of the update.
  ///
  /// - Parameter isWhole: whether the value was sent whole.
  /// - Returns: the position in ``TouchedSlots/slots``; -1 inside of a value that was sent whole.
  @discardableResult
  mutating func touch(
    at place: TouchedSlots.Place, isChanged: Bool, isWhole: Bool = false, bytes: @autoclosure () -> Int
  ) -> Int {
    guard !isSilent else { return -1 }
    touched.touch(&path, at: place, isChanged: isChanged, isWhole: isWhole, bytes: bytes())
    return touched.slots.count - 1
  }

  /// Notes a change of the tree. No effect inside of a value that was sent whole, which is noted as
  /// one change.
  ///
  /// - Parameter stream: the previous stream operation of the comprehension, if it has not been
  ///   shown.
  mutating func note(_ edit: Edit, replacing stream: StreamOperation? = nil) {
    guard !isSilent else { return }
    if let stream { oldStreams[edits.count] = stream }
    edits.appendOrBegin(with: edit)
  }

  /// Notes how the update uses the comprehension at the current place. No effect inside of a value
  /// that was sent whole.
  mutating func note(_ list: TouchedList) {
    guard !isSilent else { return }
    touched.note(list, at: &path)
  }

  /// Runs `body` for an instance in a slot of the current one.
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
      throw .nothingToMergeInto(at: here, found: "a fragment, not a comprehension")
    }
    if let root = fragment.root, !isSilent { touched.roots.insert(root) }
    try merge(slots, into: &fragment.slots, at: place)
  }

  /// Merges the slots that an update names. A text, a component id, or a value with statics
  /// replaces the previous value; anything else is merged into it.
  ///
  /// - Client: `doMutableMerge` in `rendered.js`, 1.0+. Origin: phoenix_live_view#1393.
  mutating func merge(
    _ diffs: [(index: Int, diff: SlotDiff)], into slots: inout [Slot], at place: TouchedSlots.Place
  ) throws(MergeError) {
    for (index, diff) in diffs {
      guard slots.indices.contains(index) else { throw .noSuchSlot(at: here + .index(index), count: slots.count) }
      let place = touched.place(at: index, under: place)
      switch diff {
      case .text(let text): replaceSlot(index, of: &slots, by: .text(text), sentAs: diff, at: place)
      case .component(let cid): replaceSlot(index, of: &slots, by: .component(cid), sentAs: diff, at: place)
      case .fragment(let fragment):
        path.append(.index(index))
        if fragment.statics == nil {
          try merge(fragment, intoSlot: index, of: &slots, at: place)
          path.removeLast()
        } else {
          let new = try silently { merger throws(MergeError) in try merger.make(fragment) }
          path.removeLast()
          replaceSlot(index, of: &slots, by: new, sentAs: diff, at: place)
        }
      }
    }
  }

  /// Puts a value that was sent whole into a slot. A previous value that equals it remains, with
  /// its identities.
  private mutating func replaceSlot(
    _ index: Int, of slots: inout [Slot], by new: Slot, sentAs diff: SlotDiff, at place: TouchedSlots.Place
  ) {
    let isChanged = !new.isSame(as: slots[index])
    var cause = -1
    if !isSilent {
      path.append(.index(index))
      cause = touch(at: place, isChanged: isChanged, isWhole: true, bytes: diff.size)
      if let list = TouchedList(of: new, replacing: slots[index]) { note(list) }
      path.removeLast()
    }
    guard isChanged else {
      if !isSilent, new.holdsRoots { touched.renewsRoots = true }
      return
    }
    noteStream(of: new, cause: cause)
    note(.slot(of: instance, index: index, old: slots[index], cause: cause))
    slots[index] = new
  }

  /// Merges a diff without statics into the fragment or comprehension of a slot.
  private mutating func merge(
    _ fragmentDiff: FragmentDiff, intoSlot index: Int, of slots: inout [Slot], at place: TouchedSlots.Place
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

  // MARK: - New values

  mutating func make(_ diff: SlotDiff) throws(MergeError) -> Slot {
    switch diff {
    case .text(let text): .text(text)
    case .component(let cid): .component(cid)
    case .fragment(let fragment): try make(fragment)
    }
  }

  /// Makes a fragment or comprehension that is sent whole. A fragment with one root element gets a
  /// number, by which the client finds that element again.
  ///
  /// - Client: `toOutputBuffer`, `nextMagicID` in `rendered.js`, 1.0+. Origin:
  ///   phoenix_live_view#2845.
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
      // Merging keyed entries sets `isKeyed`.
      var comprehension = Comprehension(statics: statics, isKeyed: false, list: identity(), entries: [])
      try silently { merger throws(MergeError) in
        try merger.merge(diff, into: &comprehension, in: 0, at: .nowhere)
      }
      return .comprehension(comprehension)
    }
  }

  /// Makes all slots of a new fragment or entry.
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
