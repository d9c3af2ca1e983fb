internal import MirrorSupport
internal import Synchronization

/// The journal of one view: a ``LiveViewCoordinator`` writes its entries, rows and snapshots
/// through it. After a cut it accepts nothing more. The ``LiveViewCoordinator`` that is loaded next
/// for the view has another `ViewJournal`.
final class ViewJournal: Sendable {
  let id: String
  let journal: Journal
  private let reason = Guarded<JournalError?>(nil)
  /// The entries up to this number are deleted. Only the journal's thread uses it.
  private let unneeded = Atomic<Int>(0)

  init(of id: String, in journal: Journal) { (self.id, self.journal) = (id, journal) }

  /// The reason why an entry of the view could not be written; `nil` if all were written. With a
  /// reason, the view differs from the store and must not write any more. Changed under the lock of
  /// the journal's queue.
  var cut: JournalError? {
    get { reason.current }
    set { reason.withLock { $0 = newValue } }
  }

  /// Notes that the next transaction deletes the entries up to a number, if no earlier transaction
  /// has deleted them. A failed transaction cuts the view, so no later transaction follows. Called
  /// on the journal's thread.
  ///
  /// - Returns: whether the next transaction must delete entries.
  func noteUnneeded(_ number: Int) -> Bool {
    unneeded.exchange(number, ordering: .relaxed) < number
  }
}

/// The position of a view in its journal, and the items of the running turn.
///
/// A part of the view's state, changed under the lock of that state together with the write. The
/// numbers of entries and the revisions have no gaps: a shared store refuses any revision but the
/// next.
struct JournalProgress: Sendable {
  /// The number of the last entry.
  var number = 0
  /// The number of changes of the view in the store, with those that are being written.
  private(set) var revision: Int
  /// The revision of the view's first change: ``JournalRow/origin``.
  private(set) var origin: Int
  /// The ticket of the last change.
  private(set) var last = 0
  /// The snapshots that were written and are still needed, oldest first.
  private(set) var snapshots: [(number: Int, position: LogPosition)] = []
  /// The entries since the last snapshot, and their memory in bytes.
  private var entries = 0
  private var bytes = 0
  /// The number of frames of the page that the view has received, or that are lost before them;
  /// `nil` if its feed does not count them.
  var frames: Int?
  /// The tickets of the items that the running turn has added and waits for.
  private(set) var tickets: [Journal.Ticket] = []

  /// - Parameter revision: the revision of the view in the store.
  init(revision: Int) { (self.revision, origin) = (revision, revision + 1) }

  /// A snapshot is written after at least this many entries.
  private static let fewestEntries = 128

  /// Counts a frame of the page. An input that was sent twice can reach two mirrors at once, and
  /// both count the frame in the view's row. The journal refuses the second of these changes. The
  /// mirror that made it then reads the first row, and finds that the view has received the frame.
  ///
  /// - Parameter number: the number of the frame in the page, from 1; `nil` if the feed does not
  ///   number its frames.
  /// - Returns: `false` if the view has received the frame before.
  mutating func receive(frame number: Int?) -> Bool {
    if hasReceived(frame: number) { return false }
    frames = number ?? frames
    return true
  }

  /// Whether the view has received a frame before. See ``receive(frame:)``.
  func hasReceived(frame number: Int?) -> Bool { number.map { $0 <= frames ?? 0 } ?? false }

  mutating func didWriteEntry(bytes: Int) {
    number += 1
    entries += 1
    self.bytes += bytes
  }

  /// Whether to write a snapshot. The entries since the last one must be many, and larger than
  /// twice the page, so that snapshots cost no more than the entries.
  ///
  /// - Parameter page: the memory of the page in bytes.
  func needsSnapshot(of page: Int) -> Bool { entries >= Self.fewestEntries && bytes > 2 * page }

  /// Whether a snapshot after the last entry was queued or loaded.
  var hasSnapshot: Bool { snapshots.last?.number == number }

  mutating func didWriteSnapshot(at position: LogPosition) {
    snapshots.append((number, position))
    (entries, bytes) = (0, 0)
  }

  /// - Returns: the revision that the next change makes.
  mutating func nextRevision() -> Int {
    revision += 1
    return revision
  }

  mutating func didWrite(_ ticket: Journal.Ticket, isWaitedFor: Bool) {
    last = ticket
    if isWaitedFor { tickets.append(ticket) }
  }

  /// Takes over the position that the store has, after a load or after following another mirror.
  mutating func didRead(_ row: JournalRow, revision: Int) {
    (number, frames) = (row.number, row.frames)
    (origin, self.revision) = (row.origin, revision)
  }

  /// Returns the tickets of the running turn, and removes them.
  mutating func takeTickets() -> [Journal.Ticket] {
    defer { tickets = [] }
    return tickets
  }

  /// Takes over the snapshot from which the view was loaded.
  mutating func didRestore(_ number: Int, at position: LogPosition) {
    self.number = number
    snapshots = [(number, position)]
  }

  /// Drops snapshots that are older than needed.
  ///
  /// - Parameter first: the oldest entry that is kept.
  /// - Returns: the number of the oldest snapshot that is needed; 0 if all entries are.
  mutating func base(before first: LogPosition) -> Int {
    while snapshots.count > 1, snapshots[1].position < first { snapshots.removeFirst() }
    return snapshots.first.map { $0.position < first ? $0.number : 0 } ?? 0
  }
}
