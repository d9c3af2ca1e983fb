/// A stream operation that an update sends, with the entries that it inserts. ``Merger`` makes one
/// for each operation. The tree keeps these entries only until a page has shown them. After that,
/// only the document has them.
///
/// A scoped update changes the document by this value. Before that, it is not known whether the
/// operation has an effect.
///
/// - Client: `comprehensionToBuffer` in `rendered.js`, 1.0+. Origin: phoenix_live_view#2423.
package struct TouchedStream: Sendable {
  /// The position in ``TouchedSlots/slots`` of the slot that is named as the cause of the
  /// operation's changes.
  package var cause: Int
  /// Whether the cause is a comprehension that was sent whole, and not only its operation.
  package var isWhole: Bool
  package var operation: StreamOperation
  /// The comprehension with only its new entries.
  package var list: Comprehension
  /// For each new entry, the position of its slot in ``TouchedSlots/slots``. Empty if ``isWhole``.
  package var slots: [Int]
}

extension Merger {
  /// Notes a comprehension with a stream that was sent whole.
  mutating func noteStream(of slot: Slot, cause: Int) {
    guard cause >= 0, case .comprehension(let list) = slot, let operation = list.stream, !operation.isEmpty else {
      return
    }
    touched.streams.append(TouchedStream(cause: cause, isWhole: true, operation: operation, list: list, slots: []))
  }

  /// Notes a stream operation that was merged into a comprehension.
  ///
  /// - Parameter first: the position of the first edit of the comprehension's entries in `edits`.
  mutating func noteStream(
    _ operation: StreamOperation, in list: Comprehension, at slot: Int, cause: Int, editsFrom first: Int
  ) {
    var touchedList = Comprehension(statics: list.statics, isKeyed: list.isKeyed, list: list.list, entries: [])
    touchedList.stream = operation
    var slots: [Int] = []
    for case .entries(of: instance, slot: slot, let edit) in edits[first...] {
      for arrival in edit.arrivals where arrival.from == nil {
        touchedList.entries.append(list.entries[arrival.index])
        slots.append(arrival.cause)
      }
      break
    }
    touched.streams.append(
      TouchedStream(cause: cause, isWhole: false, operation: operation, list: touchedList, slots: slots))
  }
}

extension StreamOperation {
  /// Whether the operation names no item and does not reset the stream.
  var isEmpty: Bool { inserts.isEmpty && deletes.isEmpty && !reset }
}
