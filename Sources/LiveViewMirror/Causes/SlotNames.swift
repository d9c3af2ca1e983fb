internal import RenderedTree

/// The dotted paths of the slots that a diff names. Each is made once, and shared by all changes
/// that the slot caused.
///
/// Paths can be a hundred times as long as the diff, so the names are bounded: ``namedSlots`` for a
/// change, ``namedSteps`` in a name, ``wastedSlots`` for waste, and
/// ``ChangeRecord/Facts/slotBytes`` in total.
package struct SlotNames {
  /// The maximum number of causes that are named for a change. For more causes, their common path
  /// is named.
  static let namedSlots = 8
  /// The maximum number of steps in a name. A deeper slot is named by the first steps of its path.
  package static let namedSteps = 48
  /// The maximum number of wasted slots that are named. The others are counted.
  static let wastedSlots = 100

  private let touched: TouchedSlots
  /// Per slot: a list of its name, which all changes share that it alone caused.
  private var known: [Int: [String]] = [:]
  private var last: (slots: [Int], names: [String]) = ([], [])

  init(of touched: TouchedSlots) { self.touched = touched }

  /// The names for the causes of a change.
  ///
  /// - Parameter slots: positions in `TouchedSlots/slots`.
  /// - Returns: an empty list if there are more than ``namedSlots`` slots without a common path.
  mutating func names(_ slots: [Int]) -> [String] {
    if slots.count == 1 { return name(of: slots[0]) }
    // Changes of one part share the list of their causes, which can be long.
    if slots == last.slots { return last.names }
    var names: [String] = []
    if slots.count > Self.namedSlots {
      names = commonName(of: slots)
    } else {
      for name in slots.sorted().map({ name(of: $0)[0] }) where !names.contains(name) { names.append(name) }
    }
    last = (slots, names)
    return names
  }

  /// - Returns: a list of one name.
  private mutating func name(of slot: Int) -> [String] {
    if let name = known[slot] { return name }
    let name = [Self.name(of: slot, among: touched)]
    known[slot] = name
    return name
  }

  /// The name of one slot, for a change with one cause.
  static func name(of slot: Int, among touched: TouchedSlots) -> String {
    touched.name(of: slot, atMost: namedSteps)
  }

  /// The longest common path of slots; empty if that path is the root.
  ///
  /// - Complexity: O(*slots*, with the steps of their paths).
  func commonName(of slots: [Int]) -> [String] {
    if slots.count < 2 { return slots.first.map { [Self.name(of: $0, among: touched)] } ?? [] }
    var node = touched.slots[slots[0]].path
    for slot in slots where node != PathTree.root { node = touched.paths.common(node, touched.slots[slot].path) }
    return node == PathTree.root ? [] : [touched.paths.path(to: node, atMost: Self.namedSteps).description]
  }

  /// The slots that changed nothing: those whose value was in the tree already, and the parts of
  /// stream operations without effect.
  func waste(_ streams: StreamWaste) -> ChangeRecord.Waste {
    var waste = ChangeRecord.Waste(bytes: 0, slots: [])
    func add(_ name: @autoclosure () -> String, _ bytes: Int) {
      waste.bytes += bytes
      if waste.slots.count < Self.wastedSlots { waste.slots.append(name()) } else { waste.more += 1 }
    }
    for (position, slot) in touched.slots.enumerated() {
      if !slot.isChanged {
        add(Self.name(of: position, among: touched), slot.bytes)
      } else if !streams.parts.isEmpty, let parts = streams.parts[position] {
        for (part, bytes) in parts { add(Self.name(of: position, among: touched) + part.suffix, bytes) }
      }
    }
    return waste
  }
}
