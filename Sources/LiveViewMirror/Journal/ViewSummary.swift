package import MarkupDocument
internal import NodeObservation

/// The facts about a view that the list of views shows. A view that is not loaded has only these in
/// memory.
///
/// `JournalRow+Coding` writes them before other values, so a new property would make earlier rows
/// unreadable.
package struct ViewSummary: Sendable {
  package var id: String
  package var epoch: Int
  package var version: Int
  /// The oldest version that is kept.
  package var firstVersion: Int
  package var dialect: Dialect
  package var nodes: Int
  /// The number of observers: one for each view of an element of the page, and the observers of
  /// programs that use the library.
  package var observers: Int
  package var title: String?
  package var versions: LiveViewVersions
  /// The module of the LiveView: ``ViewState/module``.
  package var module: String?
  /// The number of findings: ``ViewState/findingCount``.
  package var findings: Int
  package var log: LogSummary
  /// The time of the mount, in milliseconds since 1970.
  package var mountedAt: Int64
  /// The time of the last update, in milliseconds since 1970.
  package var updatedAt: Int64
  /// All readable epochs of the view, newest first.
  package var epochs: [EpochSummary]
}

/// The numbers of a log. ``diffCount``, ``rejectionCount``, ``bytes`` and ``isolation`` include
/// evicted entries.
package struct LogSummary: Sendable {
  package var diffCount: Int
  package var rejectionCount: Int
  /// The sizes of all inputs, in bytes.
  package var bytes: Int
  package var isolation: ChangeLog.IsolationTotals
  package var keptEntryCount: Int
  /// The estimated memory of the kept entries in bytes.
  package var keptBytes: Int
  /// The position of the oldest kept entry.
  package var first: ChangeLog.Cursor?
  /// The number of evicted entries.
  package var evicted: Int
}

extension ViewState {
  /// - Complexity: O(*epochs*), and that of ``findingCount``.
  package var overview: ViewSummary { overview(beside: otherEpochs) }

  /// - Parameter others: the other readable epochs, newest first.
  func overview(beside others: [EpochSummary]) -> ViewSummary {
    ViewSummary(
      id: id, epoch: epoch, version: version, firstVersion: firstVersion, dialect: document.dialect,
      nodes: document.count, observers: observers.publishers.sums.observers, title: title, versions: versions,
      module: module,
      findings: findingCount,
      log: log.overview, mountedAt: mountedAt, updatedAt: updatedAt, epochs: epochs(beside: others))
  }
}

extension ChangeLog {
  fileprivate var overview: LogSummary {
    LogSummary(
      diffCount: diffCount, rejectionCount: rejectionCount, bytes: bytes, isolation: isolation,
      keptEntryCount: keptEntryCount,
      keptBytes: keptBytes,
      first: first, evicted: evicted)
  }
}
