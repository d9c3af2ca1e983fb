/// Why a diff does not fit the tree. The path of each case is the place in the update. ``Merger``
/// throws the error, and the view reports it as `UpdateError`.
package enum MergeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The template has no slot with this index.
  case noSuchSlot(at: SlotPath, count: Int)
  /// A fragment or entry is sent whole, but without one of its slots.
  case missingSlot(at: SlotPath, index: Int, expected: Int)
  /// A fragment is new, but the update has no statics for it.
  case missingStatics(at: SlotPath)
  /// The statics have no strings.
  case emptyStatics(at: SlotPath)
  /// The update changes a fragment or comprehension, but the tree has something else at that place.
  case nothingToMergeInto(at: SlotPath, found: String)
  /// The comprehension has no entry at this index.
  case unknownEntry(at: SlotPath, index: Int, count: Int)
  /// An entry moves to two indexes, or moves and also stays at its old index.
  case duplicateEntry(at: SlotPath, index: Int)
  /// The component is neither in the tree nor in the update.
  case unknownComponent(at: SlotPath, cid: Int)
  /// The update makes more slots than ``Merger/maximumSlots``, most likely because many components
  /// take their statics and slots from others.
  case tooManySlots(at: SlotPath, limit: Int)
  /// Components take their statics from each other.
  case componentCycle(at: SlotPath, cids: [Int])

  package var path: SlotPath {
    switch self {
    case .noSuchSlot(let path, _), .missingSlot(let path, _, _), .missingStatics(let path), .emptyStatics(let path),
      .nothingToMergeInto(let path, _), .unknownEntry(let path, _, _), .duplicateEntry(let path, _),
      .unknownComponent(let path, _), .componentCycle(let path, _),
      .tooManySlots(let path, _):
      path
    }
  }

  /// The description without the path.
  package var reason: String {
    switch self {
    case .noSuchSlot(_, let count):
      "this slot does not exist: the template has \(count) slot\(count == 1 ? "" : "s")"
        + (count == 0 ? "" : ", 0 to \(count - 1)")
    case .missingSlot(_, let index, let expected):
      "slot \(index) is missing: the template has \(expected) slots, and a fragment that is sent whole must fill all of them"
    case .missingStatics: "this fragment is new to the tree, so it must have statics (\"s\")"
    case .emptyStatics: "the statics are empty: a template must have at least one string"
    case .nothingToMergeInto(_, let found): "this change does not fit: the tree has \(found) here"
    case .unknownEntry(_, let index, let count):
      "entry \(index) does not exist: the comprehension has \(count) \(count == 1 ? "entry" : "entries")"
    case .duplicateEntry(_, let index): "entry \(index) would occur twice: it is moved here and also used elsewhere"
    case .unknownComponent(_, let cid): "component \(cid) is unknown: the view has no such component"
    case .tooManySlots(_, let limit): "the update must not create more than \(limit) slots"
    case .componentCycle(_, let cids):
      "components take their statics from each other: \(cids.chain)"
    }
  }

  package var description: String { "at \(path.steps.isEmpty ? "the top" : path.pointer): \(reason)" }
}

extension [Int] {
  /// The ids of a chain of components. A chain of more than 12 is shortened to its first eight and
  /// its last.
  var chain: String {
    let shown = count > 12 ? prefix(8).map(String.init) + ["…"] + suffix(1).map(String.init) : map(String.init)
    return shown.joined(separator: " → ")
  }
}
