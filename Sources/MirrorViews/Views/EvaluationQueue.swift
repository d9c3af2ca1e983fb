internal import NodeObservation

/// The invalid views: views that must be evaluated again, each with its reasons. A flush evaluates
/// them in the order of their depths. Each ``ViewTree`` has one, guarded by the lock of the tree. A
/// view in the queue that has no reasons any more is not evaluated: the drawing of an undrawn
/// element has evaluated it meanwhile.
struct EvaluationQueue {
  private var views: [ViewNode] = []
  /// The number of the current flush.
  private var flush = 0

  /// The maximum number of evaluations of one view in one flush. If a view exceeds the maximum,
  /// views invalidate each other in a cycle, and ``ViewTree`` empties the queue.
  static let maximumRepeats = 100

  var isEmpty: Bool { views.isEmpty }

  mutating func add(_ view: ViewNode, because reasons: [EvaluationReason]) {
    guard view.isAlive else { return }
    if view.reasons.isEmpty {
      views.append(view)
      view.reasons = reasons
    } else {
      for reason in reasons where !view.reasons.contains(reason) { view.reasons.append(reason) }
    }
  }

  mutating func beginFlush() { flush += 1 }

  /// If the queue has exactly one view, removes and returns that view. This is the usual case, and
  /// needs no sorting.
  mutating func takeOnly() -> ViewNode? { views.count == 1 ? views.popLast() : nil }

  /// Removes and returns the views with the smallest depth, in the order in which they were
  /// created. No other view in the queue encloses them.
  mutating func takeTopmost() -> [ViewNode] {
    guard let depth = views.lazy.map(\.depth).min() else { return [] }
    let topmost = views.filter { $0.depth == depth }
    views = views.count == topmost.count ? [] : views.filter { $0.depth != depth }
    return topmost.sorted { $0.number < $1.number }
  }

  /// Counts an evaluation of a view in this flush.
  ///
  /// - Returns: whether the view may be evaluated: `false` if the count exceeds ``maximumRepeats``.
  func countEvaluation(of view: ViewNode) -> Bool {
    let count = view.repeats.flush == flush ? view.repeats.count + 1 : 1
    view.repeats = (flush, count)
    return count <= Self.maximumRepeats
  }

  /// Removes all views and their reasons, so that the views are not evaluated.
  ///
  /// - Returns: the removed views with their reasons.
  mutating func abandonAll() -> [(view: ViewNode, reasons: [EvaluationReason])] {
    defer { views = [] }
    return views.filter { !$0.reasons.isEmpty }.map { view in
      defer { view.reasons = [] }
      return (view, view.reasons)
    }
  }

  mutating func removeAll() { views = [] }
}
