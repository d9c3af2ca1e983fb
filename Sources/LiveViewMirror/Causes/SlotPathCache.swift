internal import RenderedTree

/// The slots of a diff as dotted paths. Each path is made once, and shared by all changes that the
/// slot caused. ``Attribution`` makes one for each diff.
///
/// Paths can be a hundred times as long as the diff, so they are bounded: ``maximumCauses`` for a
/// change, ``maximumSteps`` in a path, ``maximumWastedSlots`` for waste, and
/// ``ChangeRecord/Facts/slotBytes`` in total.
package struct SlotPathCache {
  /// The maximum number of causes of a change. A change with more causes gets one path, the longest
  /// that all of them have in common.
  static let maximumCauses = 8
  /// The maximum number of steps. The path of a deeper slot has only the first steps.
  package static let maximumSteps = 48
  /// The maximum number of wasted slots with a path. Beyond it, wasted slots are only counted.
  static let maximumWastedSlots = 100

  private let touched: TouchedSlots
  /// For each slot, a list with the slot's path as its only element. All changes with this slot as
  /// their only cause share the list.
  private var known: [Int: [String]] = [:]
  private var last: (slots: [Int], paths: [String]) = ([], [])

  init(of touched: TouchedSlots) { self.touched = touched }

  /// The paths of the causes of a change.
  ///
  /// - Parameter slots: positions in `TouchedSlots/slots`.
  /// - Returns: an empty list if there are more than ``maximumCauses`` slots without a common path.
  mutating func paths(of slots: [Int]) -> [String] {
    if slots.count == 1 { return path(of: slots[0]) }
    // Successive changes often have the same list of causes, which can be long.
    if slots == last.slots { return last.paths }
    var paths: [String] = []
    if slots.count > Self.maximumCauses {
      paths = commonPath(of: slots)
    } else {
      for path in slots.sorted().map({ path(of: $0)[0] }) where !paths.contains(path) { paths.append(path) }
    }
    last = (slots, paths)
    return paths
  }

  /// - Returns: a list of one path.
  private mutating func path(of slot: Int) -> [String] {
    if let path = known[slot] { return path }
    let path = [Self.path(of: slot, among: touched)]
    known[slot] = path
    return path
  }

  /// The path of one slot, for a change with one cause.
  static func path(of slot: Int, among touched: TouchedSlots) -> String {
    touched.dottedPath(of: slot, atMost: maximumSteps)
  }

  /// The longest common path of slots; empty if that path is the root.
  ///
  /// - Complexity: O(*slots*, with the steps of their paths).
  func commonPath(of slots: [Int]) -> [String] {
    if slots.count < 2 { return slots.first.map { [Self.path(of: $0, among: touched)] } ?? [] }
    var node = touched.slots[slots[0]].path
    for slot in slots where node != PathTree.root { node = touched.paths.common(node, touched.slots[slot].path) }
    return node == PathTree.root ? [] : [touched.paths.dottedPath(to: node, atMost: Self.maximumSteps)]
  }

  /// The slots that changed nothing: those whose value was in the tree already, and the parts of
  /// stream operations without effect.
  func waste(_ streams: StreamWaste) -> ChangeRecord.Waste {
    var waste = ChangeRecord.Waste(bytes: 0, slots: [])
    func add(_ path: @autoclosure () -> String, _ bytes: Int) {
      waste.bytes += bytes
      if waste.slots.count < Self.maximumWastedSlots { waste.slots.append(path()) } else { waste.more += 1 }
    }
    for (position, slot) in touched.slots.enumerated() {
      if !slot.isChanged {
        add(Self.path(of: position, among: touched), slot.bytes)
      } else if !streams.parts.isEmpty, let parts = streams.parts[position] {
        for (part, bytes) in parts { add(Self.path(of: position, among: touched) + part.suffix, bytes) }
      }
    }
    return waste
  }
}
