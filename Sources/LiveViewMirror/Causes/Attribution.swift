internal import MarkupDocument
internal import MirrorSupport
package import RenderedTree

/// The slots of a diff that caused each change, and the slots that changed nothing.
///
/// A slot causes a change if the markup that it wrote touches the markup of the changed node. A removed node has no markup in the
/// new page. Its cause is searched among the changed slots that wrote into the content of its parent, first among those that
/// explain no other change. Slots whose value was already in the tree are waste; see also ``StreamWaste``.
package struct Attribution {
  /// For each change, the names of the slots that caused it.
  package private(set) var slots: [[String]]
  private(set) var waste: ChangeRecord.Waste
  /// The slots that the diff names.
  package let touched: TouchedSlots
  /// The parts of its stream operations that changed nothing.
  package let streams: StreamWaste

  /// - Parameter candidates: the positions of the touched slots that may be causes; `nil` if all may.
  init(
    of changeSet: ChangeSet, page: PageIndex, touched: TouchedSlots, rendering: Rendering,
    among candidates: [Int]? = nil, streams: StreamWaste = StreamWaste()
  ) {
    var causes = Causes(touched: touched, rendering: rendering, among: candidates)
    let found = changeSet.changes.map { change in
      guard let range = page.range(of: change) else { return [Int]() }
      let slots = causes.overlapping(range, isArrival: change.isArrival)
      // The element may be new because its own tag has changed, for example its id.
      if slots.isEmpty, change.isArrival {
        let own = causes.overlapping(page.tag(at: range.lowerBound), isArrival: false)
        if !own.isEmpty { return own }
      }
      // White space that was added or removed with a neighbouring node meets the slot only at an end of its range.
      return slots.isEmpty ? causes.overlapping(range, isArrival: change.isArrival, orMeeting: true) : slots
    }
    var namer = SlotNames(of: touched)
    var names = found.map { namer.names($0) }
    var arrivals: [Position: [String]] = [:]
    for (index, change) in changeSet.changes.enumerated() {
      if case .add(_, let position) = change { arrivals[position] = names[index] }
    }
    lazy var likely = LikelyCauses(causes)
    /// The likely causes by parent, for changes that are not explained by their own markup. They are searched once for each
    /// parent.
    var byParent: [NodeRef: [String]] = [:]
    for (index, change) in changeSet.changes.enumerated() where names[index].isEmpty {
      // A change of attributes has no parent. Such a change is not explained by its own markup if it is in a component in an item
      // of a stream, because no page contains it.
      let parent = change.parents.first ?? change.node
      // A removal has the same cause as an addition at the same position.
      if case .remove(_, let position, _) = change, let slots = arrivals[position], !slots.isEmpty {
        names[index] = slots
      } else if let known = byParent[parent] {
        names[index] = known
      } else {
        names[index] = likely.names(in: page.range(of: parent) ?? 0...rendering.markup.count, by: &namer)
        byParent[parent] = names[index]
      }
    }
    slots = streams.removingWaste(from: names, of: touched)
    waste = namer.waste(streams)
    self.touched = touched
    self.streams = streams
  }

  /// The attribution of a scoped update, whose causes are known.
  ///
  /// - Parameter slots: for each change, the names of the slots that caused it.
  init(_ slots: [[String]], of touched: TouchedSlots, streams: StreamWaste) {
    self.slots = streams.removingWaste(from: slots, of: touched)
    waste = SlotNames(of: touched).waste(streams)
    self.touched = touched
    self.streams = streams
  }

  /// The names of causes.
  ///
  /// - Parameter causes: positions in `TouchedSlots/slots`.
  static func slots(_ causes: [Int], of touched: TouchedSlots) -> [String] {
    // Most changes have exactly one cause: it is named directly, without a cache of names.
    if causes.count == 1 { return [SlotNames.name(of: causes[0], among: touched)] }
    var names = SlotNames(of: touched)
    return names.names(causes)
  }
}

/// The changed slots of a diff, by the range of markup that each one wrote.
struct Causes {
  /// In the order of their starts, outer ones first. The ranges nest or are disjoint.
  let written: [(slot: Int, range: Range<Int>)]
  /// For each index in ``written``, the index of the innermost slot around it.
  private let parents: [Int?]
  /// The slots that explain a change.
  private(set) var explained: Set<Int> = []
  let touched: TouchedSlots
  /// Changed slots that wrote no markup, such as those of a component that no page shows.
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

  /// The slots that touch a range of markup. An addition or a move is caused by a slot that begins at its start or encloses it,
  /// not by a slot inside of it.
  mutating func overlapping(_ range: ClosedRange<Int>, isArrival: Bool, orMeeting: Bool = false) -> [Int] {
    let first = firstPosition(in: range)
    var positions: [Int] = []
    // Slots that begin in the range, then slots around its start.
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
      // A slot that only touches an end of the range wrote the neighbour, unless it wrote nothing.
      let onlyMeets = place.upperBound == range.lowerBound || place.lowerBound == range.upperBound
      return onlyMeets && !orMeeting && !place.isEmpty && range.lowerBound < range.upperBound ? nil : slot
    }
    if !isArrival, slots.count > 1 { slots = withoutMoves(around: slots) }
    explained.formUnion(slots)
    return Array(Set(slots)).sorted()
  }

  /// The maximum number of enclosing slots that are checked, innermost first. If moved entries are nested, the outer ones are not
  /// the closest causes.
  private static let surroundingSlots = 8

  /// Removes slots that enclose other slots of the list: a moved entry is not the cause of a change inside of it if the diff
  /// names a slot there.
  private func withoutMoves(around slots: [Int]) -> [Int] {
    var outer: Set<PathTree.Node> = []
    for slot in slots {
      var node = touched.slots[slot].path
      while let parent = touched.paths.parent(of: node), outer.insert(parent).inserted { node = parent }
    }
    return slots.filter { !outer.contains(touched.slots[$0].path) }
  }

  /// The first index in ``written`` of a slot that begins in a range of markup or after it.
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
