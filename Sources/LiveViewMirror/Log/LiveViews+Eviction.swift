internal import MirrorSupport

extension LiveViews {
  /// Evicts log entries if the logs of all views take too much memory.
  func evictExcess() {
    if journal == nil { return logBudget.enforceInTurn { evictEntries() } }
    logBudget.enforce { free { $0.evictsEntries = true } }
  }

  /// Evicts the oldest entries of logs until no bytes are left to evict, or each log has only its newest entry.
  ///
  /// Entries are evicted from ended epochs first, the oldest epoch before the others. Then from the largest log of an ended view,
  /// from the next largest, and only then from those of the other views.
  ///
  /// - Complexity: O(*views* · log *views* + *changes and bytes of the evicted entries*).
  func evictEntries() {
    evictEntriesOfEndedEpochs { logBudget.excess }
    if logBudget.excess <= 0 { return }
    for candidate in viewsByLog {
      let bytes = logBudget.excess
      if bytes <= 0 { return }
      // A view that is not loaded is loaded for this: its entries are replaced by a later snapshot. That can take seconds, so at least
      // half of its log goes each time.
      let isLoaded = listed.withLock { $0.views[candidate] != nil }
      guard let view = try? loaded(candidate, isFreeing: true) else { continue }
      view.evictEntries(bytes: isLoaded ? bytes : max(bytes, view.accounts.log.bytes / 2))
      if !isLoaded { _ = unload(view) }
    }
  }

  /// The views in the order in which entries are evicted from their logs.
  private var viewsByLog: [String] {
    let accounts = listed.withLock { listed in
      let unloaded = listed.unloaded.filter { $0.value.hasEntriesToEvict }
      return (listed.views.map { ($0.key, $0.value.accounts.log) } + unloaded.map { ($0.key, $0.value.account) })
        .map { id, account in (view: id, rank: listed.pages.hasEnded(id) ? 1 : 0, account: account) }
    }
    // Other threads change the sizes meanwhile, and a sort must not see two sizes of one log.
    let sizes = accounts.map { (view: $0.view, order: ($0.rank, $0.account.bytes)) }
    return sizes.sorted { $0.order > $1.order }.map(\.view)
  }
}
