internal import NodeObservation

extension ChangeLog {
  /// The sums of the isolation reports of all diffs in a log, with coalesced calls: each diff notifies a node once. Mounts are
  /// not included.
  public struct IsolationTotals: Sendable, Hashable {
    /// The number of diffs.
    public var diffs = 0
    /// The calls that were made, with one publisher for each node.
    public var selective = 0
    /// The calls that one subject would have made, if each subscriber filtered the signals.
    public var filtered = 0
    /// The evaluations that one object for the whole document would have caused.
    public var whole = 0

    /// Sums of 0.
    public init() {}

    /// The evaluations that were saved, because only subscribers of changed nodes were notified.
    public var saved: Int { max(0, whole - selective) }

    mutating func add(_ report: IsolationReport) {
      diffs += 1
      selective += report.selective.coalesced
      filtered += report.filtered.coalesced
      whole += report.whole.coalesced
    }
  }
}
