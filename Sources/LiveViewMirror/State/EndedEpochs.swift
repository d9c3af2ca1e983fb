internal import MarkupDocument
internal import MirrorSupport
internal import NodeObservation

/// The bounds of the ended epochs of one view, from ``MirrorLimits``.
struct EpochBounds: Sendable, Hashable {
  /// The maximum number of ended epochs.
  var count = 8
  /// The maximum estimated memory of the pages of all epochs of the view, including the current
  /// epoch, in bytes. If the current page alone takes more, it stays, and no ended epoch is kept.
  var pageBytes = Int.max
}

/// The epochs of one view that remounts have ended, newest first. Each keeps its final state, so
/// all of its versions that its log still has can be read. They are a part of the coordinator's
/// state, so they are only changed under the lock of that state.
///
/// Their logs count in ``MirrorLimits/logBytes`` and their pages in ``MirrorLimits/pageBytes``.
/// Ended epochs, the oldest first, are evicted before any entry or page of a current epoch. Dropped
/// states are collected in ``dropped``, so that the caller can release them without the lock of the
/// view's state: releasing a large page takes time.
struct EndedEpochs: Sendable {
  private struct Epoch: Sendable {
    var view: ViewState
    let ended: MonotonicTime
  }

  private var epochs: [Epoch] = []
  /// The ended epochs, newest first.
  private(set) var summaries: [EpochSummary] = []
  /// The estimated memory of all logs in bytes.
  private(set) var logBytes = 0
  /// The number of entries in all logs.
  private(set) var logEntries = 0
  /// The estimated memory of all pages and checkpoints in bytes.
  private(set) var pageMemory = 0
  /// The states that were dropped since ``takeDropped()`` was last called.
  private var dropped: [ViewState] = []

  var isEmpty: Bool { epochs.isEmpty }
  var count: Int { epochs.count }

  /// The ended epochs with the time of their end, newest first.
  var ends: [(epoch: Int, ended: MonotonicTime)] { epochs.map { ($0.view.epoch, $0.ended) } }

  /// The kept parts of the logs, newest epoch first.
  var kept: [JournalRow.Kept] {
    epochs.map { JournalRow.Kept(epoch: $0.view.epoch, evicted: $0.view.log.evicted) }
  }

  /// The oldest entry of all logs; `nil` without ended epochs.
  var first: LogPosition? {
    epochs.last.flatMap { last in
      last.view.log.first.map { LogPosition(epoch: last.view.epoch, cursor: $0) }
    }
  }

  /// The final state of an epoch; `nil` if it is not kept.
  subscript(epoch: Int) -> ViewState? { epochs.first { $0.view.epoch == epoch }?.view }

  /// Adds the epoch that a remount ends.
  ///
  /// - Parameters:
  ///   - view: its final state. The observers in it are replaced by empty ones, because the
  ///     publishers of the view belong to the next epoch.
  ///   - time: the time of the remount, in milliseconds since 1970.
  /// - Complexity: O(*ended epochs*).
  mutating func add(_ view: ViewState, endedAt time: Int64) {
    var view = view
    view.observers = MountedObservers(publishers: NodePublishers())
    view.endedAt = time
    epochs.insert(Epoch(view: view, ended: .now), at: 0)
    recount()
  }

  /// Drops the oldest epochs until the remaining ones are within the bounds.
  ///
  /// - Parameter page: the estimated memory of the current page in bytes.
  /// - Returns: the number of log entries that were evicted.
  /// - Complexity: O(1) within the bounds, otherwise O(*ended epochs*).
  mutating func keep(within bounds: EpochBounds, beside page: Int) -> Int {
    var entries = 0
    while let oldest = epochs.last?.view.epoch,
      epochs.count > bounds.count || pageMemory > bounds.pageBytes - min(page, bounds.pageBytes)
    {
      entries += drop(oldest)
    }
    return entries
  }

  /// Evicts entries from the logs, those of the oldest epoch first.
  ///
  /// - Parameter bytes: the memory to free. If the logs have less, all epochs are dropped.
  /// - Returns: the number of evicted entries.
  mutating func evictEntries(bytes: Int) -> Int {
    var entries = 0
    let goal = logBytes - min(bytes, logBytes)
    while let oldest = epochs.last?.view.epoch, logBytes > goal {
      entries += evictEntries(bytes: logBytes - goal, of: oldest)
    }
    return entries
  }

  /// Evicts the oldest entries of one epoch. If that frees too little, the epoch is dropped.
  ///
  /// - Returns: the number of evicted entries.
  /// - Complexity: that of `ViewState.evictEntries(bytes:)`; O(*ended epochs*) if the epoch is
  ///   dropped at once.
  mutating func evictEntries(bytes: Int, of epoch: Int) -> Int {
    guard let place = epochs.firstIndex(where: { $0.view.epoch == epoch }) else { return 0 }
    let before = epochs[place].view.log.keptBytes
    guard bytes < before else { return drop(epoch) }
    let entries = epochs[place].view.evictEntries(bytes: bytes)
    if before - epochs[place].view.log.keptBytes < bytes { return entries + drop(epoch) }
    recount()
    return entries
  }

  /// Drops the epochs that `kept` does not name, and evicts the oldest entries from the logs of the
  /// others.
  ///
  /// - Parameter kept: the number of oldest entries that are evicted, by epoch. It includes entries
  ///   that the log has evicted already.
  /// - Returns: the number of evicted entries.
  mutating func keep(_ kept: [Int: Int]) -> Int {
    var entries = 0
    for epoch in epochs.map(\.view.epoch) where kept[epoch] == nil { entries += drop(epoch) }
    for place in epochs.indices {
      let evicted = (kept[epochs[place].view.epoch] ?? 0) - epochs[place].view.log.evicted
      if evicted > 0 { entries += epochs[place].view.evict(entries: evicted) }
    }
    recount()
    return entries
  }

  /// Drops one epoch.
  ///
  /// - Returns: the number of entries that its log had.
  mutating func drop(_ epoch: Int) -> Int {
    guard let place = epochs.firstIndex(where: { $0.view.epoch == epoch }) else { return 0 }
    let view = epochs.remove(at: place).view
    dropped.append(view)
    recount()
    return view.log.keptEntryCount
  }

  /// The states that were dropped, for the caller to release without the lock of the view's state.
  mutating func takeDropped() -> [ViewState] {
    defer { dropped = [] }
    return dropped
  }

  /// Counts the sums and summaries again. Called at the end of each change of ``epochs``.
  private mutating func recount() {
    summaries = epochs.map(\.view.summary)
    logBytes = epochs.reduce(0) { $0 + $1.view.log.keptBytes }
    logEntries = epochs.reduce(0) { $0 + $1.view.log.keptEntryCount }
    pageMemory = epochs.reduce(0) { $0 + $1.view.memory }
  }
}
