internal import RenderedTree

/// The dotted names of the places that a diff touched, each made once and shared by all changes that it caused.
///
/// The names are bounded, since paths can be a hundred times as long as the diff: ``namedSlots`` for a change,
/// ``namedSteps`` in a name, ``wastedSlots`` for waste, and ``ChangeRecord/Facts/slotBytes`` in all.
struct SlotNames {
  /// Beyond this many, a change names the place that its causes have in common.
  static let namedSlots = 8
  /// A place that is deeper is named by the place around it that is this deep.
  static let namedSteps = 48
  /// How many wasted places are named; the others are counted.
  static let wastedSlots = 100

  private let touched: TouchedSlots
  private var known: [Int: String] = [:]

  init(of touched: TouchedSlots) { self.touched = touched }

  /// - Parameter slots: positions among ``TouchedSlots/slots``.
  /// - Returns: nothing where more than ``namedSlots`` have nothing in common.
  mutating func names(_ slots: [Int]) -> [String] {
    switch slots.count {
    case 0: return []
    case 1: return [name(of: slots[0])]
    case ...Self.namedSlots:
      var names: [String] = []
      for name in slots.map({ name(of: $0) }) where !names.contains(name) { names.append(name) }
      return names
    default: return touched.common(slots.map { touched.slots[$0].path }).map(name(ofAllBelow:)) ?? []
    }
  }

  private mutating func name(of slot: Int) -> String {
    if let name = known[slot] { return name }
    let name = Self.name(of: slot, among: touched)
    known[slot] = name
    return name
  }

  /// The name of one place, for a change with one cause.
  static func name(of slot: Int, among touched: TouchedSlots) -> String {
    touched.name(of: slot, atMost: namedSteps)
  }

  /// The name for many slots by what their paths have in common: nothing where that is nothing.
  func name(ofAllBelow node: PathTree.Node) -> [String] {
    if node == PathTree.root { return [] }
    return [touched.paths.path(to: node, atMost: Self.namedSteps).description]
  }

  var waste: ChangeRecord.Waste {
    var waste = ChangeRecord.Waste(bytes: 0, slots: [])
    for (position, slot) in touched.slots.enumerated() where !slot.isChanged {
      waste.bytes += slot.bytes
      if waste.slots.count < Self.wastedSlots {
        waste.slots.append(Self.name(of: position, among: touched))
      } else {
        waste.more += 1
      }
    }
    return waste
  }
}

extension TouchedSlots {
  /// The path with which all of some paths begin; `nil` without a path.
  func common(_ nodes: some Sequence<PathTree.Node>) -> PathTree.Node? {
    var shared: PathTree.Node?
    for node in nodes {
      shared = shared.map { paths.common($0, node) } ?? node
      if shared == PathTree.root { break }
    }
    return shared
  }
}
