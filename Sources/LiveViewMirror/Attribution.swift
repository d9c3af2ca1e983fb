internal import MarkupDocument
internal import RenderedTree

/// Which places of a diff caused which changes, and which brought nothing new.
///
/// A slot causes a change where the markup that it wrote touches the markup of the node that changed. What left a
/// document has no markup in the new page; its cause is found among the slots that differ and wrote into what its parent
/// holds, those first that explain nothing else. Waste is what the tree already had.
struct Attribution {
  private(set) var slots: [[String]]
  private(set) var waste: ChangeRecord.Waste

  /// - Parameter candidates: the touched slots that may be causes, by position, where not all may.
  init(
    of changeSet: ChangeSet, page: PageIndex, touched: TouchedSlots, rendering: Rendering,
    among candidates: [Int]? = nil
  ) {
    var causes = Causes(touched: touched, rendering: rendering, among: candidates)
    let found = changeSet.changes.map { change in
      guard let range = page.range(of: change) else { return [Int]() }
      let slots = causes.overlapping(range, isArrival: change.isArrival)
      // An element that is another one for what its own tag says.
      if slots.isEmpty, change.isArrival {
        let own = causes.overlapping(page.tag(at: range.lowerBound), isArrival: false)
        if !own.isEmpty { return own }
      }
      // White space that came or went with its neighbour.
      return slots.isEmpty ? causes.overlapping(range, isArrival: change.isArrival, orMeeting: true) : slots
    }
    var namer = SlotNames(of: touched)
    var names = found.map { namer.names($0) }
    var arrivals: [Position: [String]] = [:]
    for (index, change) in changeSet.changes.enumerated() {
      if case .add(_, let position) = change { arrivals[position] = names[index] }
    }
    lazy var likely = LikelyCauses(causes)
    /// What cannot be told by its own place is told by its parent's, where causes are looked for once.
    var byParent: [NodeRef: [String]] = [:]
    for (index, change) in changeSet.changes.enumerated() where names[index].isEmpty {
      // Attributes have no parent among the changes: those of a component inside a stream's item are in no page.
      let parent = change.parents.first ?? change.node
      // What came in its place has the same cause.
      if case .remove(_, let position, _) = change, let slots = arrivals[position], !slots.isEmpty {
        names[index] = slots
      } else if let known = byParent[parent] {
        names[index] = known
      } else {
        names[index] = likely.names(in: page.range(of: parent) ?? 0...rendering.markup.count, by: &namer)
        byParent[parent] = names[index]
      }
    }
    slots = names
    waste = namer.waste
  }

  /// Where the causes are known: a scoped update begins with them.
  ///
  /// - Parameter slots: for every change, the places of the diff that caused it.
  init(_ slots: [[String]], of touched: TouchedSlots) {
    self.slots = slots
    waste = SlotNames(of: touched).waste
  }

  /// The places of causes that are known by their position among the touched slots.
  static func slots(_ causes: [Int], of touched: TouchedSlots) -> [String] {
    // Most changes have exactly one cause: it is named directly, without a cache of names.
    if causes.count == 1 { return [SlotNames.name(of: causes[0], among: touched)] }
    var names = SlotNames(of: touched)
    return names.names(causes)
  }
}

/// The slots of a diff that brought something new, by where they were written.
struct Causes {
  /// By start, outer ones first: what slots wrote nests, or stands apart.
  let written: [(slot: Int, range: Range<Int>)]
  /// For every position in ``written``, that of the innermost one around it.
  private let parents: [Int?]
  /// The slots that are known as causes.
  private(set) var explained: Set<Int> = []
  let touched: TouchedSlots
  /// Slots that differ and were written nowhere, as those of a component that no page shows.
  let unwritten: [Int]

  init(touched: TouchedSlots, rendering: Rendering, among candidates: [Int]?) {
    self.touched = touched
    written = rendering.written.filter { touched.slots[$0.slot].isChanged }
      .sorted { ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound) }
    var open: [Int] = []
    var parents: [Int?] = []
    for (position, cause) in written.enumerated() {
      while let last = open.last, written[last].range.upperBound <= cause.range.lowerBound { open.removeLast() }
      parents.append(open.last)
      open.append(position)
    }
    self.parents = parents
    let shown = Set(written.map(\.slot))
    unwritten = (candidates ?? Array(touched.slots.indices)).filter {
      touched.slots[$0].isChanged && !shown.contains($0)
    }
  }

  /// Those that touch a stretch of markup. An arrival is caused by what was written around or at its start, not by what
  /// was written somewhere inside of it.
  mutating func overlapping(_ range: ClosedRange<Int>, isArrival: Bool, orMeeting: Bool = false) -> [Int] {
    let first = firstPosition(in: range)
    var positions: [Int] = []
    // Those that begin in it, and those around its start.
    for position in first..<written.count {
      guard written[position].range.lowerBound <= range.upperBound else { break }
      if isArrival, written[position].range.lowerBound > range.lowerBound { break }
      positions.append(position)
    }
    var around = first > 0 ? first - 1 : nil
    let nearest = positions.count + Self.surroundingSlots
    while let position = around, positions.count < nearest {
      if written[position].range.upperBound >= range.lowerBound { positions.append(position) }
      around = parents[position]
    }
    var slots = positions.compactMap { position -> Int? in
      let (slot, place) = written[position]
      // What only meets an end of the stretch wrote the neighbour, unless it wrote nothing.
      let onlyMeets = place.upperBound == range.lowerBound || place.lowerBound == range.upperBound
      return onlyMeets && !orMeeting && !place.isEmpty && range.lowerBound < range.upperBound ? nil : slot
    }
    if !isArrival, slots.count > 1 { slots = withoutMoves(around: slots) }
    explained.formUnion(slots)
    return Array(Set(slots)).sorted()
  }

  /// So many slots around a change are looked at, the innermost ones: in entries that moved inside of entries that moved, the
  /// outer ones are no closer causes.
  private static let surroundingSlots = 8

  /// An entry that moved is no cause of what changed inside of it, where the diff says so itself.
  private func withoutMoves(around slots: [Int]) -> [Int] {
    var outer: Set<PathTree.Node> = []
    for slot in slots {
      var node = touched.slots[slot].path
      while let parent = touched.paths.parent(of: node), outer.insert(parent).inserted { node = parent }
    }
    return slots.filter { !outer.contains(touched.slots[$0].path) }
  }

  /// The first position of those that begin in a stretch of markup or behind it.
  func firstPosition(in range: ClosedRange<Int>) -> Int {
    written.partitioningIndex { $0.range.lowerBound >= range.lowerBound }
  }
}

extension Change {
  fileprivate var isArrival: Bool {
    switch self {
    case .add, .move: true
    case .text, .attributes, .remove: false
    }
  }
}
