internal import MarkupDocument
internal import RenderedTree

/// The part of a view's state that changes without an entry, or that is needed before the entries
/// are read: all rows are read when the mirror starts, and the entries of a view when it is first
/// used.
///
/// Each write of a view replaces the row, in the same transaction as the entry: so a row and the
/// entries up to ``number`` belong together.
struct JournalRow: Sendable {
  /// The kept part of an epoch's log.
  struct Kept: Sendable {
    var epoch: Int
    /// How many entries of the epoch were evicted. The oldest ones are evicted first.
    var evicted: Int
  }

  /// The epoch of the last mount. The row of a removed view has only this and ``removal``.
  var lastEpoch: Int
  /// The revision of the view's first change. A view that is mounted with the same id after a
  /// removal has a higher origin.
  var origin = 0
  /// The number of the last entry.
  var number = 0
  /// The number of the oldest snapshot that is needed. Entries up to this number are not needed. 0
  /// while all entries are needed.
  var base = 0
  var join: TopicJoin?
  var pending = PendingEvents()
  var fields = FieldMemory()
  /// The number of frames of the page that the view has received: ``JournalProgress/frames``.
  var frames: Int?
  /// The elements of other views that the document has contained, and whether it contains them now.
  var nested: [(id: String, isThere: Bool)] = []
  /// The readable epochs, and the kept part of the log of each.
  var kept: [Kept] = []
  /// The memory of the page in bytes.
  var pageMemory = 0
  /// `nil` for a view that was removed or is not mounted.
  var summary: ViewSummary?
  /// The reason why the view was removed.
  var removal: RemovalReason?
}

extension LiveViewCoordinator.State {
  /// Makes the row after the last change. Removes from `progress` the snapshots that are not needed
  /// any more. Called under the lock of the state, for each write.
  mutating func journalRow(pageMemory: Int) -> JournalRow {
    var row = JournalRow(lastEpoch: lastEpoch)
    (row.origin, row.number) = (progress.origin, progress.number)
    (row.join, row.pending, row.fields, row.frames) = (join, pending, fields, progress.frames)
    row.pageMemory = pageMemory
    let first = view?.describe(in: &row, nested: nested, beside: ended)
    if let first { row.base = progress.base(before: first) }
    return row
  }
}

extension ViewState {
  /// Writes the nested views, the kept epochs and the summary into a row. The method changes
  /// nothing in the view; it is mutating, because reading through an Optional otherwise copies the
  /// state.
  ///
  /// - Parameter ended: the other readable epochs.
  /// - Returns: the position of the oldest entry that is kept in the logs of all epochs.
  fileprivate mutating func describe(
    in row: inout JournalRow, nested: [String], beside ended: EndedEpochs
  ) -> LogPosition? {
    row.nested = nested.map { ($0, document.node(withID: $0) != nil) }
    row.kept = ended.kept + [JournalRow.Kept(epoch: epoch, evicted: log.evicted)]
    row.summary = overview(beside: ended.summaries)
    return ended.first ?? log.first.map { LogPosition(epoch: epoch, cursor: $0) }
  }
}
