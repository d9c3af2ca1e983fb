/// Why a diff does not fit the tree. The path names the place in the update.
package enum MergeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The slot is beyond what the statics have room for.
  case noSuchSlot(at: SlotPath, count: Int)
  /// A whole fragment or entry lacks a slot.
  case missingSlot(at: SlotPath, index: Int, expected: Int)
  /// A fragment is to be made and nothing says its statics.
  case missingStatics(at: SlotPath)
  /// Statics of no strings at all.
  case emptyStatics(at: SlotPath)
  /// A change to a fragment or comprehension where the tree holds something else.
  case nothingToMergeInto(at: SlotPath, found: String)
  /// An entry that the comprehension does not have.
  case unknownEntry(at: SlotPath, index: Int, count: Int)
  /// An entry moved to two places, or moved and left where it was.
  case entryStandsTwice(at: SlotPath, index: Int)
  /// A component that is neither in the tree nor in the update.
  case unknownComponent(at: SlotPath, cid: Int)
  /// The update makes more slots than a page may have, most likely by copying components that take their statics from
  /// others.
  case tooManySlots(at: SlotPath, limit: Int)
  /// Components whose statics are each other's.
  case componentCycle(at: SlotPath, cids: [Int])

  package var path: SlotPath {
    switch self {
    case .noSuchSlot(let path, _), .missingSlot(let path, _, _), .missingStatics(let path), .emptyStatics(let path),
      .nothingToMergeInto(let path, _), .unknownEntry(let path, _, _), .entryStandsTwice(let path, _),
      .unknownComponent(let path, _), .componentCycle(let path, _),
      .tooManySlots(let path, _):
      path
    }
  }

  /// What is wrong, without the place.
  package var reason: String {
    switch self {
    case .noSuchSlot(_, let count):
      "there is no such slot: the template has \(count)\(count == 0 ? "" : ", 0 to \(count - 1)")"
    case .missingSlot(_, let index, let expected):
      "slot \(index) is missing: the template has \(expected) slots, and what is sent whole must fill each"
    case .missingStatics: "what is sent here is new to the tree and brings no statics (\"s\")"
    case .emptyStatics: "the statics are empty: a template has at least one string"
    case .nothingToMergeInto(_, let found): "a change to a fragment, but the tree holds \(found) here"
    case .unknownEntry(_, let index, let count):
      "there is no entry \(index): the comprehension has \(count)"
    case .entryStandsTwice(_, let index): "entry \(index) would stand twice: it is moved here and stands elsewhere too"
    case .unknownComponent(_, let cid): "component \(cid) is not known: the view was mounted without it"
    case .tooManySlots(_, let limit): "the update makes more than \(limit) slots"
    case .componentCycle(_, let cids):
      "components take their statics from each other: \(cids.chain)"
    }
  }

  package var description: String { "at \(path.steps.isEmpty ? "the top" : path.pointer): \(reason)" }
}

extension [Int] {
  /// Component ids that lead from one to the next; of a long way, its beginning and its end.
  var chain: String {
    let shown = count > 12 ? prefix(8).map(String.init) + ["…"] + suffix(1).map(String.init) : map(String.init)
    return shown.joined(separator: " → ")
  }
}
