internal import MirrorSupport

extension LiveViews {
  /// Evicts entries of ended epochs, the oldest epochs first, until no bytes are left to evict or no ended epoch is left.
  ///
  /// - Parameter excess: the number of bytes to evict.
  /// - Complexity: O(*views* + *e* log *e*) for *e* ended epochs, plus that of the evictions.
  func evictEntriesOfEndedEpochs(_ excess: () -> Int) {
    for end in endedEpochs {
      let bytes = excess()
      if bytes <= 0 { return }
      end.view.evictEntries(bytes: bytes, ofEnded: end.epoch)
    }
  }

  /// Drops ended epochs, the oldest first, until no bytes are left to free.
  ///
  /// - Complexity: as for ``evictEntriesOfEndedEpochs(_:)``.
  func dropEndedEpochs(_ excess: () -> Int) {
    for end in endedEpochs where excess() > 0 { end.view.dropEnded(end.epoch) }
  }

  /// The ended epochs of all views, oldest end first.
  private var endedEpochs: [(view: LiveViewCoordinator, epoch: Int)] {
    let views = listed.withLock { Array($0.views.values) }
    let ends = views.flatMap { view in
      view.endedEpochs.map { (view: view, epoch: $0.epoch, ended: $0.ended) }
    }
    return ends.sorted { $0.ended < $1.ended }.map { ($0.view, $0.epoch) }
  }
}
