package import LiveViewMirror
internal import MarkupDocument
internal import MirrorSupport

/// What the diffs of a view or of a page load cost, summed by the client's event, or by the
/// template line, list or slot that was sent. The routes `…/totals` and the tab *Cost* show it.
///
/// Only the diffs that the log keeps are counted. So all numbers of a row are about the same diffs,
/// also for a range of versions. ``evictedDiffCount`` counts the evicted diffs.
///
/// The bytes of an event are those of its diffs as they were received. The bytes of a line, list or
/// slot are those of its values: the rest of a diff is names, punctuation, events and replies.
package struct CostTotals: Sendable {
  /// What a row is about.
  package enum Grouping: String, Sendable, CaseIterable {
    case event, source, list, slot
  }

  /// The sums of one event, line, list or slot.
  package struct Row: Sendable, Hashable {
    /// The name of the event, the file and line, or the slot as `2.k.*.1`. `nil` for diffs that the
    /// server has pushed, slots without a line, slots outside of lists, and slots beyond those that
    /// are counted.
    package let key: String?
    /// The view of a list or slot, in the totals of a page load.
    package let view: String?
    /// The place in the templates; empty for an event.
    package internal(set) var source: TemplateSource
    /// The number of diffs that answer the event, or that sent the line, list or slot.
    package internal(set) var diffs = 0
    package internal(set) var bytes = 0
    /// The size of the values that the tree already had.
    package internal(set) var wastedBytes = 0
    /// The number of changes of the document that these diffs, or these slots, caused. It is not
    /// the number of nodes: an added or removed subtree is one change.
    package internal(set) var nodes = 0
    /// The latencies in milliseconds of the diffs that answer an event, ascending.
    package internal(set) var latencies: [Double] = []

    /// The percentile `percent`, from 1 to 100, of the latencies; `nil` if the row has none.
    package func latency(percentile percent: Int) -> Double? { latencies.percentile(percent) }
  }

  package let grouping: Grouping
  /// In the order of the parameter `sort`.
  package let rows: [Row]
  /// The sizes of the diffs as they were received, descending.
  package let sizes: [Int]
  package let wastedBytes: Int
  /// The range of versions; `nil` for a page load.
  package let versions: ClosedRange<Int>?
  /// The number of earlier diffs that the log no longer keeps.
  package let evictedDiffCount: Int
  /// Whether a view has debug annotations, which name the lines.
  package let hasAnnotations: Bool

  package var diffs: Int { sizes.count }
  package var bytes: Int { sizes.reduce(0, +) }

  /// The totals of a view.
  ///
  /// - Parameters:
  ///   - first: the first version; `nil` for all versions up to the last one. Only with `nil`,
  ///     ``evictedDiffCount`` counts the evicted diffs; otherwise it is 0.
  ///   - last: the last version, not before the first one; `nil` for the newest one.
  /// - Complexity: O(*entries* × *slots of each* + *changes*), for events O(*entries*).
  package init(
    of view: ViewState, by grouping: Grouping, from first: Int? = nil, to last: Int? = nil,
    sortedBy order: Order = .bytes
  ) {
    var sums = CostSums(by: grouping)
    let range = (first ?? view.firstVersion)...(last ?? view.version)
    sums.add(view, in: range, isOfPage: false)
    let kept = view.log.records.count { $0.version > 0 }
    self.init(
      sums, sortedBy: order, versions: range, evicted: first == nil ? view.log.diffCount - kept : 0,
      hasAnnotations: view.hasAnnotations)
  }

  /// The totals of all views of a page load, each in its current epoch.
  ///
  /// - Complexity: the sum of that of the views.
  package init(ofPage views: [ViewState], by grouping: Grouping, sortedBy order: Order = .bytes) {
    var sums = CostSums(by: grouping)
    for view in views { sums.add(view, in: view.firstVersion...view.version, isOfPage: true) }
    self.init(
      sums, sortedBy: order, versions: nil, evicted: views.reduce(0) { $0 + $1.log.diffCount } - sums.sizes.count,
      hasAnnotations: views.contains(where: \.hasAnnotations))
  }

  private init(
    _ sums: CostSums, sortedBy order: Order, versions: ClosedRange<Int>?, evicted: Int, hasAnnotations: Bool
  ) {
    grouping = sums.grouping
    rows = sums.rows.sorted { order.precedes($0, $1, by: sums.grouping) }
    sizes = sums.sizes.sorted(by: >)
    wastedBytes = sums.wastedBytes
    (self.versions, evictedDiffCount, self.hasAnnotations) = (versions, max(0, evicted), hasAnnotations)
  }
}

extension CostTotals {
  /// The order of ``rows``: numbers descending, keys ascending, and lines by their file and number.
  /// Rows without a key, and rows without a latency, are last.
  package enum Order: String, Sendable, CaseIterable {
    case key, diffs, bytes
    case wastedBytes = "wasted_bytes"
    case nodes, median, p95, max

    func precedes(_ a: Row, _ b: Row, by grouping: Grouping) -> Bool {
      let (first, second) = (number(of: a), number(of: b))
      if first != second { return first > second }
      if self != .bytes, self != .key, a.bytes != b.bytes { return a.bytes > b.bytes }
      if grouping == .source, let isBefore = a.source.precedes(b.source) { return isBefore }
      guard let left = a.key else { return false }
      guard let right = b.key else { return true }
      if left == right { return (a.view ?? "") < (b.view ?? "") }
      return NumericOrder.precedes(left, right)
    }

    private func number(of row: Row) -> Double {
      switch self {
      case .key: 0
      case .diffs: Double(row.diffs)
      case .bytes: Double(row.bytes)
      case .wastedBytes: Double(row.wastedBytes)
      case .nodes: Double(row.nodes)
      case .median: row.latency(percentile: 50) ?? -1
      case .p95: row.latency(percentile: 95) ?? -1
      case .max: row.latencies.last ?? -1
      }
    }
  }

  /// The number of diffs in the largest tenth, rounded up, and their share of all bytes. The share
  /// shows whether a few large diffs or the number of diffs is what costs. `nil` for fewer than two
  /// diffs.
  private var largest: (count: Int, share: Double)? {
    let bytes = bytes
    guard diffs > 1, bytes > 0 else { return nil }
    let count = (diffs + 9) / 10
    return (count, Double(sizes.prefix(count).reduce(0, +)) / Double(bytes))
  }

  /// `22 diffs, 3.1 kB: the 3 largest are 45 % of the bytes, so both their size and their number
  /// cost.`
  package var sentence: String {
    let total = "\(Formatted.count(diffs, "diff")), \(Formatted.size(bytes))"
    guard let largest else { return total + "." }
    let even = Double(largest.count) / Double(diffs)
    let verdict =
      switch largest.share {
      // With two diffs, `2 * even` is 1, a share that the larger one cannot exceed. Hence 0.75.
      case ..<min(2 * even, 0.75): "the number of diffs is what costs"
      case 0.5...: "the size of a few diffs is what costs"
      default: "both their size and their number cost"
      }
    let subject = largest.count == 1 ? "the largest is" : "the \(Formatted.grouped(largest.count)) largest are"
    return "\(total): \(subject) \(Formatted.wholePercent(largest.share)) of the bytes, so \(verdict)."
  }

  /// A sentence about the evicted diffs, which are not counted; `nil` without such diffs.
  package var limitation: String? {
    if evictedDiffCount == 0 { return nil }
    let subject = "\(Formatted.count(evictedDiffCount, "earlier diff")) \(evictedDiffCount == 1 ? "is" : "are")"
    return "\(subject) no longer stored and not counted."
  }
}
