internal import MarkupDocument
internal import MirrorSupport
internal import NodeObservation

extension LiveViewCoordinator {
  /// The state of the view, guarded by one lock.
  ///
  /// Each change of a size ends with ``countMemory()``. Each change that a restart must not lose is
  /// written to the journal under the same lock.
  struct State {
    /// `nil` until the view is mounted.
    var view: ViewState?
    let bounds: LogBounds
    private let accounts: MemoryAccounts
    /// The estimated memory of the drawn views in bytes, after the last update.
    var drawnMemory = 0
    /// The epoch of the last mount.
    var lastEpoch: Int
    /// The current join of the topic; `nil` if no frame of the client or the server named one.
    var join: TopicJoin?
    /// The client's events that the server has not answered yet.
    var pending = PendingEvents()
    /// The fields as a browser would remember them, by the actions on the view.
    private(set) var fields = FieldMemory()
    /// The time when an update was last committed, or its subscribers were last notified. The clock
    /// is monotonic, so setting the wall clock does not change the order of views.
    var lastUpdate: MonotonicTime?
    /// The last entry of which the listener has been notified, or is being notified.
    private let published: Guarded<PublishedEntry>
    /// Entries that were evicted from the logs of all epochs.
    private(set) var evictedEntries = 0
    var removal: Removal?
    /// The position of the view in the journal.
    var progress: JournalProgress
    /// The ids of elements of other views that the document has contained when those views were
    /// mounted.
    var nested: [String] = []
    /// The epochs that remounts have ended.
    private(set) var ended = EndedEpochs()
    private let epochBounds: EpochBounds

    init(
      bounds: LogBounds, epochBounds: EpochBounds, accounts: MemoryAccounts, after end: ViewEnd, join: TopicJoin?,
      published: Guarded<PublishedEntry>
    ) {
      self.bounds = bounds
      self.epochBounds = epochBounds
      self.accounts = accounts
      self.published = published
      lastEpoch = end.epoch
      progress = JournalProgress(revision: end.revision)
      self.join = join
    }
  }
}

// MARK: - Acting

extension LiveViewCoordinator.State {
  mutating func remember(_ changes: FieldMemory.Changes) {
    guard let document = view?.document else { return }
    fields.remember(changes, in: document)
  }

  mutating func restore(_ fields: FieldMemory) { self.fields = fields }
}

// MARK: - Reading

extension LiveViewCoordinator.State {
  /// The view with the summaries of its ended epochs.
  var readableView: ViewState? {
    guard var view else { return nil }
    view.otherEpochs = ended.summaries
    return view
  }

  /// The state of an epoch, as ``readableView`` for the current one.
  ///
  /// - Complexity: O(*ended epochs*).
  func readableView(ofEpoch epoch: Int) -> ViewState? {
    guard let current = readableView else { return nil }
    if epoch == current.epoch { return current }
    var past = ended[epoch]
    past?.otherEpochs = [current.summary] + ended.summaries.filter { $0.epoch != epoch }
    return past
  }
}

// MARK: - Writing

extension LiveViewCoordinator.State {
  /// Makes the mounted page the current one, and ends the epoch before it.
  ///
  /// - Complexity: O(*ended epochs*).
  mutating func begin(_ next: ViewState) {
    if let previous = view { ended.add(previous, endedAt: next.mountedAt) }
    view = next
    view?.bounds = bounds
    lastEpoch = next.epoch
    keepEnded()
  }

  /// Makes a restored view the current one. Its log has evicted all entries.
  mutating func restore(_ restored: ViewState) {
    view = restored
    view?.bounds = bounds
    lastEpoch = max(lastEpoch, restored.epoch)
    lastUpdate = MonotonicTime.now
    evictedEntries = restored.log.evicted
    published.withLock { $0.position = restored.log.end.map { LogPosition(epoch: restored.epoch, cursor: $0) } }
    countMemory()
  }

  /// Drops the oldest ended epochs that exceed their bounds.
  ///
  /// - Complexity: O(1) within the bounds.
  mutating func keepEnded() {
    if ended.isEmpty { return }
    let page = view?.memory ?? 0
    changeEnded { [epochBounds] in $0.keep(within: epochBounds, beside: page) }
  }

  /// - Parameter change: returns the number of entries that it evicts.
  mutating func changeEnded(_ change: (inout EndedEpochs) -> Int) {
    evictedEntries += change(&ended)
    countMemory()
  }

  /// The states of ended epochs that were dropped, for the caller to release without the lock.
  mutating func takeDropped() -> [ViewState] { ended.takeDropped() }

  /// Completes the entry of an update that was published.
  ///
  /// - Parameter notifiesAtOnce: whether the caller notifies the listener as soon as the lock is
  ///   released. With a journal, the journal's thread does so after the write.
  /// - Returns: the entry; `nil` if no view is mounted.
  mutating func complete(_ record: ChangeRecord, notifiesAtOnce: Bool = true) -> ChangeLog.Entry? {
    let record = located(record)
    guard let entry = view?.log.complete(record) else { return nil }
    if notifiesAtOnce {
      published.withLock { $0.position = LogPosition(epoch: record.epoch, cursor: entry.cursor) }
    }
    trimLog()
    return entry
  }

  /// The record with the paths of nodes about which views noted problems while the record was
  /// published.
  private func located(_ record: ChangeRecord) -> ChangeRecord {
    guard record.diagnostics.contains(where: { $0.node != nil && $0.locatedNodes.isEmpty }),
      let document = view?.document
    else { return record }
    var record = record
    for (position, diagnostic) in record.diagnostics.enumerated() where diagnostic.locatedNodes.isEmpty {
      record.diagnostics[position].locatedNodes = diagnostic.node.flatMap(document.locatedNode(of:)).map { [$0] } ?? []
    }
    return record
  }

  /// Logs an input that did not fit.
  ///
  /// - Parameter notifiesAtOnce: as for ``complete(_:notifiesAtOnce:)``.
  /// - Returns: the entry; `nil` if no view is mounted.
  mutating func log(_ rejection: Rejection, notifiesAtOnce: Bool = true) -> ChangeLog.Entry? {
    guard let entry = view?.log.append(rejection) else { return nil }
    if notifiesAtOnce {
      published.withLock { $0.position = LogPosition(epoch: rejection.epoch, cursor: entry.cursor) }
    }
    trimLog()
    return entry
  }

  private mutating func trimLog() {
    evictEnded(bytes: (view?.log.keptBytes ?? 0) + ended.logBytes - bounds.bytes)
    evictedEntries += view?.trimLog() ?? 0
    countMemory()
  }

  /// Evicts the oldest entries, those of ended epochs first.
  ///
  /// - Parameter bytes: the memory to free.
  mutating func evictEntries(bytes: Int) {
    if removal != nil { return }
    let rest = bytes - ended.logBytes
    evictEnded(bytes: bytes)
    if rest > 0 { evictedEntries += view?.evictEntries(bytes: rest) ?? 0 }
    countMemory()
  }

  /// Evicts a number of the oldest entries of the current epoch.
  mutating func evict(entries count: Int) {
    if count <= 0 { return }
    evictedEntries += view?.evict(entries: count) ?? 0
    countMemory()
  }

  private mutating func evictEnded(bytes: Int) {
    if bytes > 0, !ended.isEmpty { evictedEntries += ended.evictEntries(bytes: bytes) }
  }

  /// Counts the memory of all epochs. The memory of a removed view does not count any more.
  ///
  /// - Complexity: O(1).
  mutating func countMemory() {
    accounts.log.set(removal == nil ? (view?.log.keptBytes ?? 0) + ended.logBytes : 0)
    accounts.page.set(removal == nil ? (view?.memory ?? 0) + drawnMemory + ended.pageMemory : 0)
  }

  /// Makes a join the current one, and drops the pending events of the join before.
  mutating func begin(_ join: TopicJoin) {
    self.join = join
    pending.removeAll()
  }

  mutating func close(join ref: String) {
    if join?.ref == ref { join?.state = .closed }
  }
}
