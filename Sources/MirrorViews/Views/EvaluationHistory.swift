internal import NodeObservation

/// The recorded evaluations of a view tree, and the problems of its views. Each ``ViewTree`` has
/// one, guarded by the lock of the tree.
///
/// Evaluations during an update of a mirror are only counted here, and not recorded, because
/// ``MirrorUpdate`` collects them.
struct EvaluationHistory {
  /// The number of evaluations, including first drawings.
  private(set) var total = 0
  private var recent: [Evaluation] = []
  /// The number of evaluations that ``add(_:)`` has recorded.
  private(set) var added = 0
  private(set) var problems: [ViewProblem] = []

  /// The maximum length of ``recent``. The oldest evaluations are evicted.
  static let maximumRecent = 1000
  private static let maximumProblems = 100

  mutating func countEvaluation() { total += 1 }

  mutating func add(_ evaluations: [Evaluation]) {
    recent += evaluations
    added += evaluations.count
    if recent.count > Self.maximumRecent { recent.removeFirst(recent.count - Self.maximumRecent) }
  }

  /// The evaluations that were added after the first `count` ones, without those that were evicted
  /// or taken since.
  func recent(after count: Int) -> [Evaluation] { recent.suffix(added - count) }

  /// Returns the recent evaluations and forgets them.
  mutating func takeRecent() -> [Evaluation] {
    if recent.isEmpty { return [] }
    defer { recent = [] }
    return recent
  }

  /// Records a problem, unless an equal problem is already recorded. If the list is full, the
  /// oldest problem is evicted.
  mutating func note(_ problem: ViewProblem) {
    guard !problems.contains(problem) else { return }
    if problems.count == Self.maximumProblems { problems.removeFirst() }
    problems.append(problem)
  }

  /// Returns the recorded problems and forgets them.
  mutating func takeProblems() -> [ViewProblem] {
    if problems.isEmpty { return [] }
    defer { problems = [] }
    return problems
  }
}
