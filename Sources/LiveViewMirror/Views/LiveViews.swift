public import MarkupDocument
package import MirrorSupport
internal import NodeObservation
internal import RenderedTree

/// All mirrored views, by id.
///
/// An id is for example a Phoenix topic such as `lv:phx-F1x…`, or `main`. The inspector, `replay`,
/// `check` and programs that use the library make one, and feed it from any thread. Each extension
/// is in a file that is named for its task.
///
/// Locks are taken in this order: the directory, the state of one view, the queue of the journal. A
/// thread that has the lock of a view's state never takes that of the directory, and no thread has
/// the locks of two views. Listeners and subscribers are called without any of these locks.
public final class LiveViews: Sendable {
  let directory: Guarded<ViewDirectory>
  let decoders: DecoderPool
  let memory: MemoryBound
  let options: UpdateOptions
  /// The limits of what is kept.
  package let limits: MirrorLimits
  let listener: (any LogListener)?
  /// The journal of the views and pages; `nil` if views and pages end with the process.
  let journal: Journal?
  /// The pages whose frames are being received.
  let turns = PageTurns()
  /// Called with each view that was loaded from the journal, before its later entries are applied.
  let reloaded = Guarded<@Sendable (LiveViewCoordinator) -> Void>({ _ in })
  let whenEvicted = Guarded<@Sendable (Eviction) -> Void>({ _ in })
  let peerRequests = PeerRequests()
  /// The numbers of the last messages of other mirrors.
  let messages = Guarded(RecentValues<Bool>())
  /// Frames that were ignored because they belong to another join than the current one, since the
  /// start.
  let staleFrameCount = Guarded(0)
  /// The input of ``lastRejectedFeed``.
  let rejectedFeed = Guarded<RejectedFeed?>(nil)
  /// Follows what other mirrors write to the journal; `nil` if it is not shared.
  let follower: JournalFollower?
  let clock: WallClock
  /// The memory of the logs of all views, and (``loadedLogs``) that of the loaded logs. Without a
  /// journal, both are the same budget.
  let logBudget: MemoryBudget
  let loadedLogs: MemoryBudget
  /// The work of the thread that frees memory. It is used only with a journal, which keeps the
  /// unloaded views.
  let freeing = Guarded(Freeing())
  /// The memory of the pages of all views.
  let pageBudget: MemoryBudget
  /// Removes secrets from addresses.
  let filter: ParameterFilter

  /// Creates a mirror without views.
  public convenience init(options: UpdateOptions = UpdateOptions(), limits: MirrorLimits = MirrorLimits()) {
    self.init(options: options, limits: limits, hearing: nil, clock: .system, journal: nil)
  }

  /// Creates a mirror without views, with a listener for log entries.
  package convenience init(
    options: UpdateOptions, limits: MirrorLimits, listener: any LogListener, clock: WallClock = .system
  ) {
    self.init(options: options, limits: limits, hearing: listener, clock: clock, journal: nil)
  }

  /// Creates a mirror with the views and pages of a journal.
  ///
  /// - Throws: if the list of views and pages cannot be read.
  package convenience init(
    options: UpdateOptions, limits: MirrorLimits, listener: (any LogListener)?, clock: WallClock = .system,
    journal: Journal
  ) throws(JournalError) {
    self.init(options: options, limits: limits, hearing: listener, clock: clock, journal: journal)
    try open(journal)
  }

  private init(
    options: UpdateOptions, limits: MirrorLimits, hearing listener: (any LogListener)?, clock: WallClock,
    journal: Journal?
  ) {
    self.journal = journal
    follower = (journal?.store as? any SharedJournalStore).map { store in
      JournalFollower(store) { [weak journal] in journal?.doubt() }
    }
    self.options = options
    memory = MemoryBound(options.memory)
    decoders = DecoderPool(within: memory)
    self.limits = limits
    self.listener = listener
    self.clock = clock
    filter = ParameterFilter(names: options.filteredParameters)
    logBudget = MemoryBudget(limit: limits.logBytes)
    loadedLogs = journal == nil ? logBudget : MemoryBudget(limit: limits.logBytes, within: logBudget)
    pageBudget = MemoryBudget(limit: limits.pageBytes)
    directory = Guarded(ViewDirectory(pages: PageTable(views: limits.views)))
    loadedLogs.belong(to: self)
  }

  // MARK: - Reading

  /// The mounted views, in the order of their last mount.
  package var all: [ViewSummary] {
    let (views, unloaded) = directory.withLock { ($0.views, $0.unloaded.compactMap(\.view.row.summary)) }
    return (views.compactMap { $0.view?.overview } + unloaded).sorted { ($0.mountedAt, $0.id) < ($1.mountedAt, $1.id) }
  }

  /// The view with an id; `nil` if it is not mounted, or the journal cannot return it.
  public subscript(id: String) -> LiveViewCoordinator? { (try? view(id)).flatMap { $0 } }

  /// The view with an id; `nil` if it is not mounted.
  ///
  /// - Throws: if the journal cannot return it.
  package func view(_ id: String) throws(UpdateError) -> LiveViewCoordinator? {
    guard let view = try load(id), view.isMounted else {
      // Another mirror may have mounted it.
      if isShared { try checkJournal() }
      return nil
    }
    return view
  }

  /// Whether a text can be a view's id: `[A-Za-z0-9._:~-]{1,200}`.
  public static func isValid(id: String) -> Bool {
    // In a URL, clients resolve the path segments `.` and `..`.
    (1...200).contains(id.utf8.count) && id != "." && id != ".."
      && id.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "._:~-".utf8.contains(byte)
        }
      }
  }

  // MARK: - Feeding

  /// Mounts or remounts a view. See ``LiveViewCoordinator/mount(_:dialect:)``.
  ///
  /// If there are more views than ``MirrorLimits/views`` after the mount, the least recently
  /// updated view is removed.
  public func mount(_ id: String, _ body: [UInt8], dialect: Dialect) throws(UpdateError) -> ChangeRecord {
    try mountNoting(id, body, dialect: dialect).record
  }

  /// As ``mount(_:_:dialect:)``. Also returns whether there was no view with this id before.
  ///
  /// - Parameter receipts: gets what must be written before the result is final; `nil` to wait for
  ///   it. An error of the kind `outdated` then means that another mirror has changed the view: the
  ///   view is to be mounted again.
  package func mountNoting(
    _ id: String, _ body: [UInt8], dialect: Dialect, container: ContainerContent? = nil, client: String? = nil,
    receipts: JournalReceipts? = nil
  ) throws(UpdateError) -> (record: ChangeRecord, isFirst: Bool) {
    try checkJournal()
    let ticket = journalTicket
    var join: TopicJoin?
    let (record, view) = try mounting(id, join: &join) { view throws(UpdateError) in
      try view.mount(body, dialect: dialect, container: container, client: client, receipts: receipts)
    }
    changeDirectory { $0.pages.didMount(id) }
    if isShared, receipts == nil { try settle(after: ticket) }
    return (record, record.epoch == view.epochBefore + 1)
  }

  /// Applies a diff to a view. See ``LiveViewCoordinator/update(_:)``.
  public func update(_ id: String, _ body: [UInt8]) throws(UpdateError) -> ChangeRecord {
    try update(id, body, receipts: nil)
  }

  /// - Parameter receipts: gets what must be written before the result is final; `nil` to wait for
  ///   it.
  /// - Throws: with `receipts`, an error of the kind `outdated` if the diff can only be applied
  ///   after waiting: another thread replaces the view, or another mirror has changed it.
  package func update(_ id: String, _ body: [UInt8], receipts: JournalReceipts?) throws(UpdateError) -> ChangeRecord {
    try checkJournal()
    do throws(UpdateError) {
      return try using(id, { () throws(UpdateError) in try load(id, orCatchUp: true) }, mayWait: receipts == nil) {
        view throws(UpdateError) in
        try catchUpIfContended(view)
        // A rejected diff is an entry of the log, too.
        defer { makeRoomForPages(beside: view) }
        return try view.update(body, receipts: receipts)
      }
    } catch {
      if error.kind == .staleFrame { countStale(1) }
      // The view may have been evicted meanwhile.
      throw error.kind == .unknownView ? absence(of: id) : error
    }
  }

  /// Runs `body` with a view. Runs it again if the view was replaced meanwhile, or if another
  /// mirror has changed the view.
  ///
  /// - Parameters:
  ///   - find: finds the view, even while its first mount is running. It need not check
  ///     `isMounted`, which would wait for the lock of a running update: the caller waits for its
  ///     turn anyway, and an update of an unmounted view is refused there.
  ///   - mayWait: `false` for an error of the kind `outdated` instead of another run.
  /// - Throws: also if there is no view.
  func using<Result>(
    _ id: String, _ find: () throws(UpdateError) -> LiveViewCoordinator?, mayWait: Bool = true,
    _ body: (LiveViewCoordinator) throws(UpdateError) -> Result
  ) throws(UpdateError) -> Result {
    var attempts = UpdateAttempts()
    while true {
      guard let view = try find() else { throw absence(of: id) }
      if let result = try attempt(&attempts, view, mayWait: mayWait, body) { return result }
    }
  }

  /// - Returns: the result of `body`; `nil` if the view was replaced, or another mirror has changed
  ///   it. The caller then finds the view again.
  func attempt<Result>(
    _ attempts: inout UpdateAttempts, _ view: LiveViewCoordinator, mayWait: Bool = true,
    _ body: (LiveViewCoordinator) throws(UpdateError) -> Result
  ) throws(UpdateError) -> Result? {
    let revision = isShared ? view.end.revision : 0
    do throws(UpdateError) { return try body(view) } catch {
      // A rejection is an entry of the journal, so it is final.
      let isDue =
        error.kind == .outdated || error.kind == .unknownView && view.isReplaced
        || isShared && error.kind == .staleFrame
      if !mayWait, isDue {
        throw UpdateError(.outdated, reason: "the view is replaced by another thread, or another mirror has changed it")
      }
      if try !attempts.shouldRetry(after: error, of: view) {
        guard attempts.mayCatchUp(), try isBehind(view, at: revision, after: error) else { throw error }
      }
    }
    try checkJournal()
    return nil
  }

  // MARK: - The directory

  /// Changes the directory, and writes the changed rows of pages to the journal. Both happen under
  /// the lock, so that the journal has the changes in their order. A change of
  /// ``ViewDirectory/pages`` by `directory.withLock` is written only with the next call of this
  /// function.
  func changeDirectory<Result>(_ change: (inout ViewDirectory) -> Result) -> Result {
    directory.withLock { directory in
      defer { writePages(of: &directory) }
      return change(&directory)
    }
  }

  private func writePages(of directory: inout ViewDirectory) {
    guard let journal else { return directory.pages.dropChanges() }
    for (key, row, write) in directory.pages.takeChanges(isShared: isShared) {
      guard isShared else {
        journal.add(.page(key, row))
        continue
      }
      journal.add(.page(key, row)) { [weak self] in
        self?.directory.withLock { $0.pages.didWrite(key, write) }
      }
    }
  }
}
