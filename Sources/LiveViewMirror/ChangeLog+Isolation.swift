internal import NodeObservation

extension ChangeLog {
  /// The isolation reports of all diffs in a log, summed: each node told once for a diff. Mounts are none.
  public struct IsolationTotals: Sendable, Hashable {
    public var diffs = 0
    /// What publishers of their own called.
    public var selective = 0
    /// What one subject that everybody filters would have called.
    public var filtered = 0
    /// What an object for the whole document would have evaluated.
    public var whole = 0

    public init() {}

    /// How many evaluations there were not, because only those were told whom a diff concerned.
    public var saved: Int { max(0, whole - selective) }

    mutating func add(_ report: IsolationReport) {
      diffs += 1
      selective += report.selective.coalesced
      filtered += report.filtered.coalesced
      whole += report.whole.coalesced
    }
  }
}
