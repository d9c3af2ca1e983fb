internal import MarkupDocument
package import RenderedTree

/// The paths of the slots that caused each change, and the slots that changed nothing. Scoped and
/// full updates find the causes as positions of slots, and make an attribution from them. The
/// record of the update has its paths, and analyses read its positions.
///
/// Slots whose value was already in the tree are waste; see also ``StreamWaste``.
package struct Attribution {
  /// For each change, the paths of the slots that caused it.
  let slots: [[String]]
  /// For each change, the same slots as positions in `TouchedSlots/slots`; empty if ``slots`` has a
  /// common path instead.
  package let causes: [[Int]]
  let waste: ChangeRecord.Waste
  /// The slots that the diff names.
  package let touched: TouchedSlots
  /// The parts of the diff's stream operations that changed nothing.
  package let streams: StreamWaste

  /// - Parameter causes: for each change, the slots that caused it, as positions in
  ///   `TouchedSlots/slots`. If the list is empty, the common path of all slots that can be causes
  ///   is named.
  init(_ causes: [[Int]], of changes: [Change], touching touched: TouchedSlots, streams: StreamWaste = StreamWaste()) {
    self.touched = touched
    self.streams = streams
    var paths = SlotPathCache(of: touched)
    waste = paths.waste(streams)
    // Most diffs have exactly one change with one cause, whose path is made without a cache.
    if causes.count == 1, causes[0].count == 1, touched.streams.isEmpty {
      (self.causes, slots) = (causes, [[SlotPathCache.path(of: causes[0][0], among: touched)]])
      return
    }
    var causes = causes
    lazy var common = paths.commonPath(of: touched.causes(besides: streams))
    slots = zip(changes, causes.indices).map { change, index in
      if !streams.parts.isEmpty { causes[index].removeAll(where: streams.isIdle) }
      if causes[index].isEmpty { return common }
      // The client removes white space between the items of a stream after any diff, so a stream
      // operation does not cause the change of a text.
      if !touched.streams.isEmpty, !change.isOfElement { causes[index].removeAll(where: touched.isStream) }
      return paths.paths(of: causes[index])
    }
    self.causes = causes
  }
}

extension TouchedSlots {
  /// The slots that can be causes: those that changed, without the stream operations that changed
  /// nothing.
  func causes(besides streams: StreamWaste) -> [Int] {
    slots.indices.filter { slots[$0].isChanged && !streams.isIdle($0) }
  }
}

extension Change {
  fileprivate var isOfElement: Bool {
    switch self {
    case .text: false
    case .attributes: true
    case .add(let subtree, _): subtree.displayName.tag != nil
    case .remove(_, _, let name), .move(_, let name, _, _): name.tag != nil
    }
  }
}
