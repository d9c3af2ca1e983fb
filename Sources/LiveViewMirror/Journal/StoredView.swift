/// The row of one view, and all or some of its kept entries. ``JournalStore/view(_:)`` returns it
/// for a load, and ``JournalStore/view(_:after:)`` for following another mirror.
package struct StoredView: Sendable {
  /// The latest ``JournalRow``, encoded.
  package var row: [UInt8]
  /// The revision of the row: ``StoredRow/revision``.
  package var revision: Int
  /// The state before the first of the entries. `nil` if all entries of the view are kept, and in
  /// the result of ``JournalStore/view(_:after:)``.
  package var snapshot: Snapshot?
  /// For a load, the entries after the snapshot; otherwise the entries after the requested number.
  /// They are in order and without gaps. If the store has removed the first requested entries, the
  /// list begins with the first one that it still has.
  package var entries: [EncodedEntry]

  /// A state of the view.
  package struct Snapshot: Sendable {
    /// The number of the last entry that is part of the state.
    package var number: Int
    /// The epoch of that entry; `nil` for a state that was read from a store.
    package var epoch: Int?
    package var bytes: [UInt8]

    package init(number: Int, epoch: Int? = nil, bytes: [UInt8]) {
      (self.number, self.epoch, self.bytes) = (number, epoch, bytes)
    }
  }

  /// A ``JournalEntry``, encoded.
  package struct EncodedEntry: Sendable {
    package var number: Int
    package var bytes: [UInt8]

    package init(number: Int, bytes: [UInt8]) { (self.number, self.bytes) = (number, bytes) }
  }

  package init(row: [UInt8], revision: Int = 0, snapshot: Snapshot?, entries: [EncodedEntry]) {
    (self.row, self.revision, self.snapshot, self.entries) = (row, revision, snapshot, entries)
  }
}
