internal import MirrorSupport
internal import NodeObservation

/// The views by id, and the page loads that show them. No other type has a dictionary of views.
///
/// The directory is a value: a method changes the state of one id, and neither waits nor notifies.
/// ``LiveViews`` has the directory behind one lock. It releases that lock before it reads the
/// journal, mounts a view, or waits for the end of an update.
///
///     first mount ──▶ loaded ──▶ unloading ──▶ unloaded ──▶ loading ──▶ loaded
///     loaded, unloading ──▶ leaving ──▶ ended          unloaded, loading ──▶ ended
///
/// Changes of other mirrors arrive as rows of the journal:
/// ``restore(_:_:revision:lastNotified:removedAt:in:)``.
struct ViewDirectory {
  /// The place of the view of an id: memory, journal, both, or neither.
  enum State {
    /// In memory. Readers do not see a view whose first mount is running.
    case loaded(LiveViewCoordinator)
    /// In memory, while a thread makes sure that the journal has all of the view. Updates are
    /// refused as soon as the running one has ended.
    case unloading(LiveViewCoordinator)
    /// In the journal only.
    indirect case unloaded(UnloadedView)
    /// In the journal, while a thread reads the view.
    indirect case loading(UnloadedView)
    /// Removed, but the listener has not been notified yet. Another view with the same id can be
    /// mounted only after that notification.
    case leaving(LiveViewCoordinator, because: RemovalReason, eviction: Eviction?)
    /// Removed. The last 10,000 are remembered.
    case ended(ViewEnd)

    /// The object of a view in memory that was not removed.
    var view: LiveViewCoordinator? {
      switch self {
      case .loaded(let view), .unloading(let view): view
      case .unloaded, .loading, .leaving, .ended: nil
      }
    }

    /// The part in memory of a view that is in the journal only.
    var unloaded: UnloadedView? {
      switch self {
      case .unloaded(let view), .loading(let view): view
      case .loaded, .unloading, .leaving, .ended: nil
      }
    }

    /// Whether there is a view: in memory, or in the journal.
    var isView: Bool { view != nil || unloaded != nil }
  }

  /// All states but ``State/ended(_:)``.
  private var states: [String: State] = [:]
  /// The ends of removed views. The end of an earlier view stays here while the first mount of a
  /// later one is running, since that may fail.
  private var ends = RecentValues<ViewEnd>()
  /// The number of views in memory and in the journal.
  private(set) var count = 0
  /// The ids of views whose rows could not be read when the journal failed. The views are read when
  /// the journal recovers.
  var unread: Set<String> = []
  /// The pages, and the status of their views.
  var pages: PageTable
  /// The number of removed views by reason.
  private var removed: [RemovalReason: Int] = [:]
  /// The number of entries that were evicted from the logs of ended views.
  var evictedEntries = 0

  init(pages: PageTable) { self.pages = pages }

  // MARK: - Reading

  /// The state of an id; `nil` if there was no view, or it is forgotten.
  ///
  /// - Complexity: O(1)
  subscript(id: String) -> State? { states[id] ?? ends[id].map(State.ended) }

  /// The views in memory.
  var views: [LiveViewCoordinator] { states.values.compactMap(\.view) }

  /// The views that only the journal has.
  var unloaded: [(id: String, view: UnloadedView)] {
    states.compactMap { id, state in state.unloaded.map { (id, $0) } }
  }

  /// The removed views of which the listener was not notified yet.
  var leaving: [LiveViewCoordinator] {
    states.values.compactMap { if case .leaving(let view, _, _) = $0 { view } else { nil } }
  }

  /// The reason why there is no view with an id, if it was evicted and not mounted again.
  func eviction(of id: String) -> Eviction? {
    if case .leaving(_, _, let eviction) = states[id] { eviction } else { ends[id]?.eviction }
  }

  /// The evicted views that were not mounted again, oldest first.
  var evictions: [Eviction] {
    ends.all.compactMap(\.value.eviction)
      + states.values.compactMap { if case .leaving(_, _, let eviction?) = $0 { eviction } else { nil } }
  }

  /// The number of views that were removed for a reason.
  func removals(because reason: RemovalReason) -> Int { removed[reason] ?? 0 }

  /// The revision of a view that is not loaded, or of a view whose removal has ended; otherwise
  /// `nil`.
  func revision(ofUnloaded id: String) -> Int? {
    switch self[id] {
    case .unloaded(let view), .loading(let view): view.revision
    case .ended(let end): end.revision
    case .loaded, .unloading, .leaving, nil: nil
    }
  }

  /// Changes the state of an id. All changes are made here, so that ``count`` is right.
  private mutating func set(_ state: State?, of id: String) {
    let before = states[id]
    states[id] = state
    count += (state?.isView == true ? 1 : 0) - (before?.isView == true ? 1 : 0)
  }

  // MARK: - Mounting

  /// Lists a view before its first mount.
  mutating func add(_ view: LiveViewCoordinator) { set(.loaded(view), of: view.id) }

  /// Forgets the end of the earlier view, because a mount has succeeded.
  mutating func didMount(_ view: LiveViewCoordinator) {
    if states[view.id]?.view === view { _ = ends.take(view.id) }
  }

  /// Forgets a view whose first mount has failed, except for its end.
  ///
  /// - Returns: whether the view was listed.
  mutating func forget(_ view: LiveViewCoordinator, _ end: ViewEnd) -> Bool {
    guard states[view.id]?.view === view else { return false }
    set(nil, of: view.id)
    let isKnown = ends.update(view.id) { ($0.epoch, $0.revision) = (end.epoch, end.revision) }
    if !isKnown, end.epoch > 0 { ends.remember(end, of: view.id) }
    return true
  }

  // MARK: - Removing

  /// Begins the removal of a view in memory.
  ///
  /// - Returns: whether the view was listed.
  mutating func beginRemoval(
    of view: LiveViewCoordinator, because reason: RemovalReason, eviction: Eviction? = nil
  ) -> Bool {
    guard states[view.id]?.view === view else { return false }
    set(.leaving(view, because: reason, eviction: eviction), of: view.id)
    pages.remove(view.id)
    // The memory counts as free from now on, before the removal frees it. Otherwise another view
    // could be evicted to free the same memory.
    view.accounts.page.set(0)
    view.accounts.log.set(0)
    countRemoval(because: reason)
    return true
  }

  /// Ends the removal of a view, after the listener was notified.
  ///
  /// - Parameter entries: the number of entries that were evicted from its log.
  mutating func endRemoval(of view: LiveViewCoordinator, _ end: ViewEnd, evicted entries: Int) {
    guard case .leaving(let leaving, _, let eviction) = states[view.id], leaving === view else { return }
    set(nil, of: view.id)
    evictedEntries += entries
    ends.remember(ViewEnd(epoch: end.epoch, revision: end.revision, eviction: eviction), of: view.id)
  }

  /// Removes a view that is not loaded.
  ///
  /// - Returns: the end of the view; `nil` if there is no such view.
  mutating func removeUnloaded(_ id: String, because reason: RemovalReason, eviction: Eviction?) -> ViewEnd? {
    guard let view = states[id]?.unloaded else { return nil }
    set(nil, of: id)
    pages.remove(id)
    countRemoval(because: reason)
    view.account.set(0)
    let end = ViewEnd(epoch: view.row.lastEpoch, revision: view.revision + 1, eviction: eviction)
    ends.remember(end, of: id)
    return end
  }

  mutating func countRemoval(because reason: RemovalReason) { removed[reason, default: 0] += 1 }

  // MARK: - Unloading and loading

  /// Reserves a view for unloading.
  ///
  /// - Returns: whether the view was loaded. If so, the caller must call ``endUnloading(_:as:)``.
  mutating func beginUnloading(_ view: LiveViewCoordinator) -> Bool {
    guard case .loaded(let listed) = states[view.id], listed === view else { return false }
    set(.unloading(view), of: view.id)
    return true
  }

  /// Ends the reservation of ``beginUnloading(_:)``.
  ///
  /// - Parameter unloaded: the part that stays in memory; `nil` if the view stays loaded.
  /// - Returns: whether the view was unloaded; `false` if `unloaded` is `nil` or the view was
  ///   removed meanwhile.
  mutating func endUnloading(_ view: LiveViewCoordinator, as unloaded: UnloadedView?) -> Bool {
    guard case .unloading(let listed) = states[view.id], listed === view else { return false }
    set(unloaded.map(State.unloaded) ?? .loaded(view), of: view.id)
    return unloaded != nil
  }

  /// The next step of a thread that needs the object of a view.
  enum Search {
    /// The object, if there is one.
    case found(LiveViewCoordinator?)
    /// The thread loads the view, and then calls ``endLoading(_:by:)``. The account identifies this
    /// loading.
    case loads(MemoryAccount)
  }

  /// Finds the object of a view, or begins to load it.
  ///
  /// - Returns: `nil` while another thread loads or unloads the view.
  mutating func search(_ id: String) -> Search? {
    switch states[id] {
    case .loaded(let view): return .found(view)
    case .unloading, .loading: return nil
    case .leaving, .ended, nil: return .found(nil)
    case .unloaded(let view):
      set(.loading(view), of: id)
      return .loads(view.account)
    }
  }

  /// The view that is being loaded; `nil` if it was removed meanwhile.
  func loading(_ id: String, by account: MemoryAccount) -> UnloadedView? {
    guard case .loading(let view) = states[id], view.account === account else { return nil }
    return view
  }

  /// Sets the revision of a view that is being loaded, as read from the store. It can be lower than
  /// the revision known here: the store may have lost a change, as after a failover.
  mutating func setRevision(_ revision: Int, of id: String, loadingBy account: MemoryAccount) {
    guard var view = loading(id, by: account) else { return }
    view.revision = revision
    set(.loading(view), of: id)
  }

  /// Lists a view that was loaded.
  mutating func didLoad(_ view: LiveViewCoordinator) { set(.loaded(view), of: view.id) }

  /// Ends a loading. The view is unloaded as before if it was not loaded.
  mutating func endLoading(_ id: String, by account: MemoryAccount) {
    guard let view = loading(id, by: account) else { return }
    view.count()
    set(.unloaded(view), of: id)
  }

  // MARK: - The journal

  /// Lists a view as a row of the journal describes it: not loaded, or removed. If a thread is
  /// loading a view that the row does not remove, the loading continues.
  ///
  /// - Parameters:
  ///   - lastNotified: the last entry of which the listener was notified; `nil` for all entries.
  ///   - time: when the view was removed, in milliseconds since 1970.
  ///   - budget: the budget of all logs.
  /// - Returns: whether the journal may lack entries after `lastNotified`. The listener is then not
  ///   notified of the entries that the journal has now.
  @discardableResult
  mutating func restore(
    _ id: String, _ row: JournalRow, revision: Int, lastNotified: NotifiedEntry? = nil, removedAt time: Int64,
    in budget: MemoryBudget
  ) -> Bool {
    guard row.summary != nil else {
      set(nil, of: id)
      // With a journal, a view is removed only because of ``MirrorLimits/views``; the other limits
      // unload views.
      let eviction = row.removal == .evicted ? Eviction(view: id, bound: .views, time: time) : nil
      ends.remember(ViewEnd(epoch: row.lastEpoch, revision: revision, eviction: eviction), of: id)
      return false
    }
    // A later view with the same id has entries with the same numbers, but another origin.
    let isGap = lastNotified.map { $0.number > 0 && $0.origin != row.origin } == true
    let before = states[id]
    let view = UnloadedView(
      row, revision: revision, lastNotified: isGap ? nil : lastNotified,
      account: before?.unloaded?.account ?? MemoryAccount(in: budget))
    _ = ends.take(id)
    if case .loading = before {
      set(.loading(view), of: id)
    } else {
      view.count()
      set(.unloaded(view), of: id)
    }
    return isGap
  }

  /// Lists a view with its last known row until the journal can be read. The revision is 0, so any
  /// row of the store replaces this row.
  ///
  /// - Parameter last: the last row of the view, and the last entry of which the listener was
  ///   notified; `nil` for a view that was not in memory.
  mutating func listUnread(
    _ id: String, _ last: (row: JournalRow, lastNotified: NotifiedEntry)?, in budget: MemoryBudget
  ) {
    unread.insert(id)
    guard let last else { return }
    let view = UnloadedView(last.row, revision: 0, lastNotified: last.lastNotified, account: MemoryAccount(in: budget))
    view.count()
    set(.unloaded(view), of: id)
  }

  /// Restores all pages.
  ///
  /// - Parameter frames: for each view in memory, the number of frames of its page up to the view's
  ///   last frame.
  mutating func restorePages(_ rows: [(id: String, row: [UInt8]?)], frames: [(String, Int)]) throws(JournalError) {
    for (text, bytes) in rows { try pages.restore(text, bytes) }
    finishRestoringPages(frames)
  }

  /// Counts the frames that views have received, as ``PageTable/finishRestoring(_:)``. The frames
  /// of views that are not loaded are in their rows.
  mutating func finishRestoringPages(_ frames: [(String, Int)]) {
    pages.finishRestoring(frames + unloaded.compactMap { id, view in view.row.frames.map { (id, $0) } })
  }
}
