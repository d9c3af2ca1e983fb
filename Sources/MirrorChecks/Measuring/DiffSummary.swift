internal import MirrorSupport

/// The sums over all diffs, mounts and empty answers of one ``Scope``. The outputs of `check` and
/// `compare` show them.
package struct DiffSummary: Sendable, Hashable {
  package private(set) var diffs = 0
  package private(set) var bytes = 0
  /// The largest diff in bytes.
  package private(set) var largestBytes = 0
  /// The number of changed nodes.
  package private(set) var nodes = 0
  /// The largest number of changed nodes in one diff.
  package private(set) var mostNodes = 0
  package private(set) var wastedBytes = 0
  package private(set) var renders = 0
  package private(set) var idleRenders = 0
  package private(set) var resentLists = 0
  package private(set) var lostIdentities = 0
  package let mounts: Int
  /// The largest mount in bytes.
  package let largestMount: Int
  /// The latencies in milliseconds, ascending.
  package let latencies: [Double]

  package init(
    _ diffs: some Sequence<MeasuredDiff>, mounts: [MeasuredMount] = [], emptyAnswers: [EmptyAnswer] = []
  ) {
    var latencies = emptyAnswers.map(\.latency)
    self.mounts = mounts.count
    largestMount = mounts.map(\.bytes).max() ?? 0
    for diff in diffs {
      self.diffs += 1
      bytes += diff.bytes
      largestBytes = max(largestBytes, diff.bytes)
      nodes += diff.nodes
      mostNodes = max(mostNodes, diff.nodes)
      wastedBytes += diff.wastedBytes
      renders += diff.renders
      idleRenders += diff.idleRenders
      resentLists += diff.resentLists.count
      lostIdentities += diff.lostIdentities.count
      if let latency = diff.latency { latencies.append(latency) }
    }
    self.latencies = latencies.sorted()
  }

  /// The share of the bytes without effect, from 0 to 1; `nil` without bytes.
  package var waste: Double? { Self.share(wastedBytes, of: bytes) }

  /// The share of the idle re-renders, from 0 to 1; `nil` without re-renders.
  package var idleShare: Double? { Self.share(idleRenders, of: renders) }

  private static func share(_ part: Int, of whole: Int) -> Double? { whole > 0 ? Double(part) / Double(whole) : nil }

  /// A percentile of the latencies; `nil` without latencies.
  package func latency(percentile percent: Int) -> Double? { latencies.percentile(percent) }
}
