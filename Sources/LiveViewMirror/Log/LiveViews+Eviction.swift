internal import MirrorSupport

extension LiveViews {
  /// Evicts the oldest entries of logs until no bytes are left to evict, or each log has only its newest entry.
  ///
  /// Entries are evicted from ended epochs first, the oldest epoch before the others. Then from the largest log of an ended view,
  /// from the next largest, and only then from those of the other views.
  ///
  /// - Parameter excess: the number of bytes to evict.
  /// - Complexity: O(*views* · log *views* + *changes and bytes of the evicted entries*).
  func evictEntries(_ excess: () -> Int) {
    evictEntriesOfEndedEpochs(excess)
    if excess() <= 0 { return }
    for candidate in evictionOrder {
      let bytes = excess()
      if bytes <= 0 { return }
      // A view that is not loaded is loaded for this: its entries are replaced by a later snapshot.
      (try? loaded(candidate))?.evictEntries(bytes: bytes)
    }
  }

  /// The views in the order in which entries are evicted from their logs.
  private var evictionOrder: [String] {
    let accounts = listed.withLock { listed in
      (listed.views.map { ($0.key, $0.value.accounts.log) } + listed.unloaded.map { ($0.key, $0.value.account) })
        .map { id, account in (view: id, rank: listed.pages.hasEnded(id) ? 1 : 0, account: account) }
    }
    // Other threads change the sizes meanwhile, and a sort must not see two sizes of one log.
    let sizes = accounts.map { (view: $0.view, order: ($0.rank, $0.account.bytes)) }
    return sizes.sorted { $0.order > $1.order }.map(\.view)
  }
}
