internal import MarkupDocument

/// One readable epoch of a view: the current one, or one that a remount has ended. The summary of a
/// view, its row in the journal and the inspector list the readable epochs, newest first.
package struct EpochSummary: Sendable, Hashable {
  /// The number of the epoch.
  package let epoch: Int
  /// The oldest version that is kept.
  package let firstVersion: Int
  /// The newest version.
  package let version: Int
  /// The number of diffs that were applied, including evicted ones.
  package let diffs: Int
  /// The time of the mount, in milliseconds since 1970.
  package let mountedAt: Int64
  /// The time of the remount that ended the epoch, in milliseconds since 1970; `nil` for the
  /// current epoch.
  package let endedAt: Int64?
  /// The position of the last entry in the log of the epoch.
  package let last: ChangeLog.Cursor?

  /// The number of versions that are kept.
  package var versions: Int { version - firstVersion + 1 }
}

extension ViewState {
  /// Whether this is the epoch of the last mount.
  package var isCurrent: Bool { endedAt == nil }

  /// All readable epochs of the view, newest first. The first one is the current epoch.
  ///
  /// Only a state that was read from a coordinator has the other epochs.
  ///
  /// - Complexity: O(*epochs*). There are at most ``EpochBounds/count`` + 1.
  package var epochs: [EpochSummary] { epochs(beside: otherEpochs) }

  /// - Parameter others: the other readable epochs, newest first.
  func epochs(beside others: [EpochSummary]) -> [EpochSummary] {
    let place = others.firstIndex { $0.epoch < epoch } ?? others.endIndex
    return others[..<place] + [summary] + others[place...]
  }

  /// The current epoch of the view.
  package var currentEpoch: EpochSummary { isCurrent ? summary : otherEpochs.first ?? summary }

  /// This epoch.
  package var summary: EpochSummary {
    EpochSummary(
      epoch: epoch, firstVersion: firstVersion, version: version, diffs: log.diffCount, mountedAt: mountedAt,
      endedAt: endedAt, last: log.last(1).first?.cursor)
  }
}
