internal import MirrorSupport

/// The thread that frees memory. It evicts log entries, and unloads views if memory is needed; the
/// journal keeps unloaded views. Without a journal, nothing is unloaded and no thread runs.
///
/// This thread waits for the journal. So it must not hold a lock meanwhile, and a thread that holds
/// a lock must not wait for this thread.
extension LiveViews {
  /// Unloads views that were not used for a time. A view with subscribers or event streams stays
  /// loaded. `serve` calls this every ten seconds.
  ///
  /// - Returns: the number of unloaded views.
  @discardableResult
  package func unloadIdle(for time: Duration) -> Int {
    guard journal != nil else { return 0 }
    let views = directory.withLock { $0.views }
    // Wait for the journal here, because readers of a view must wait while it is unloaded. After
    // this, the last items of a view are nearly always written already.
    journal?.drain()
    return views.count { view in view.idleTime >= time && unload(view, for: time) }
  }

  /// The next work of the thread that frees memory, and the functions to call after it. Guarded by
  /// ``LiveViews/freeing``.
  struct Freeing {
    fileprivate var isRunning = false
    /// Whether to evict log entries, including those of views that are not loaded.
    var evictsEntries = false
    /// Unloads views while pages exceed their limit by some bytes.
    var unloads: (besides: LiveViewCoordinator, excess: @Sendable () -> Int)?
    /// Unloads views until an update that needs so many bytes fits into the memory of the process.
    fileprivate var memory: (besides: LiveViewCoordinator?, needed: Int)?
    fileprivate var waiting: [@Sendable () -> Void] = []

    fileprivate var hasWork: Bool { evictsEntries || unloads != nil || memory != nil }

    /// Adds a request. The largest of several requests counts, and the view that was named last is
    /// not unloaded.
    fileprivate mutating func need(_ bytes: Int, besides view: LiveViewCoordinator?) {
      memory = (view ?? memory?.besides, max(bytes, memory?.needed ?? 0))
    }

    fileprivate mutating func take() -> Freeing {
      defer { self = Freeing(isRunning: hasWork) }
      return self
    }
  }

  /// Frees memory on a thread of its own, because unloading waits for the journal. If the thread
  /// runs, it does the work next.
  ///
  /// - Parameter request: adds the work.
  func free(_ request: (inout Freeing) -> Void) {
    let isFirst = freeing.withLock { freeing in
      request(&freeing)
      defer { freeing.isRunning = true }
      return !freeing.isRunning
    }
    guard isFirst else { return }
    let run: @Sendable () -> Void = { [self] in
      var isDone = false
      while !isDone {
        let work = freeing.change { $0.take() }
        if work.hasWork { journal?.drain() }
        if let (view, excess) = work.unloads { unload(besides: view, while: { excess() > 0 }) }
        if let (view, needed) = work.memory { unload(besides: view, for: needed) }
        // Last, because it may load a view, which can take seconds.
        if work.evictsEntries { evictEntries() }
        // Wakes ``waitUntilFree()``.
        freeing.change { _ in }
        for body in work.waiting { body() }
        isDone = !work.hasWork
      }
    }
    guard let thread = WorkerThread(run) else { return run() }
    thread.detach()
  }

  /// Unloads views in the order of ``evictionOrder(besides:)`` while a condition holds: first those
  /// without subscribers, then the others.
  ///
  /// - Parameter freed: called with the estimated memory of each view that was unloaded.
  private func unload(besides view: LiveViewCoordinator?, while condition: () -> Bool, freed: (Int) -> Void = { _ in })
  {
    for isUsed in [false, true] {
      for other in evictionOrder(besides: view) where condition() {
        let memory = other.pageMemory + other.accounts.log.bytes
        if unload(other, evenIfUsed: isUsed) { freed(memory) }
      }
    }
  }

  /// Unloads views until an update that needs some bytes fits into the memory of the process.
  private func unload(besides view: LiveViewCoordinator? = nil, for needed: Int) {
    var excess = memory.excess(with: needed)
    unload(besides: view, while: { excess > 0 }, freed: { excess -= $0 })
  }

  /// Unloads other views after an update was refused for memory, so that it can be sent again.
  func freeMemory(besides view: LiveViewCoordinator) {
    if journal != nil, let memory = options.memory { free { $0.need(memory / 2, besides: view) } }
  }

  /// Unloads other views if the memory would not suffice to load a view. Called before the view is
  /// loaded. Waits for at most two seconds.
  ///
  /// - Parameter isFreeing: whether this is the thread that frees memory, which cannot wait for
  ///   itself.
  func waitForMemory(_ needed: Int, isFreeing: Bool) {
    if memory.excess(with: needed) == 0 { return }
    if isFreeing { return unload(for: needed) }
    free { $0.need(needed, besides: nil) }
    _ = freeing.wait(until: .now + .seconds(2)) { !$0.isRunning }
  }

  /// Calls `body` at once, unless a limit is exceeded by more than an eighth and memory is being
  /// freed. In that case, calls it after the memory was freed. So a feed that waits for its answers
  /// is not faster than the journal.
  func whenFree(_ body: @escaping @Sendable () -> Void) {
    let waits =
      areExceeded([logBudget, pageBudget])
      && freeing.withLock { freeing in
        if freeing.isRunning { freeing.waiting.append(body) }
        return freeing.isRunning
      }
    if !waits { body() }
  }

  private func areExceeded(_ budgets: [MemoryBudget]) -> Bool {
    budgets.contains { $0.bytes > $0.limit + $0.limit / 8 }
  }

  /// Waits for at most two seconds while a limit is exceeded by more than an eighth and memory is
  /// being freed. Called before a view is loaded and after an import. Only workers call it, see
  /// ``readsJournal(beforeUpdating:)``.
  func waitUntilFree() {
    let isExceeded = { [self] in areExceeded([loadedLogs, pageBudget]) }
    if isExceeded() { _ = freeing.wait(until: .now + .seconds(2)) { !$0.isRunning || !isExceeded() } }
  }
}
