internal import MirrorSupport
internal import Synchronization

/// The ended epochs of a view: requests read them by `?epoch=`, and ``LiveViews`` evicts them. A
/// dropped state is released after the lock was released, because freeing a large page takes time.
extension LiveViewCoordinator {
  /// The state of an epoch: a snapshot of the current one, or the final state of an earlier one.
  /// `nil` for an epoch that did not begin yet or is not kept any more, and until the view is
  /// mounted.
  package func view(ofEpoch epoch: Int) -> ViewState? {
    state.withLock { $0.readableView(ofEpoch: epoch) }
  }

  /// The ended epochs that are kept, with the time of their end.
  var endedEpochs: [(epoch: Int, ended: MonotonicTime)] { state.withLock { $0.ended.ends } }

  /// Evicts the oldest entries from the log of an ended epoch, to free a number of bytes. If the
  /// log frees less, the whole epoch is dropped.
  func evictEntries(bytes: Int, ofEnded epoch: Int) {
    changingEnded { $0.evictEntries(bytes: bytes, of: epoch) }
  }

  /// Drops an ended epoch.
  func dropEnded(_ epoch: Int) { changingEnded { $0.drop(epoch) } }

  private func changingEnded(_ change: (inout EndedEpochs) -> Int) {
    _ = state.withLock { state in
      state.changeEnded(change)
      writeRow(of: &state, isWaitedFor: false)
      return state.takeDropped()
    }
  }
}
