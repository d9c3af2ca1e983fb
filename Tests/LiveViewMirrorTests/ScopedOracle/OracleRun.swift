import LiveViewMirror
import MarkupDocument
import RecordingFixtures

/// The results of an oracle run.
struct OracleStatistics: Sendable {
  var pages = 0
  var steps = 0
  var scoped = 0
  var rejected = 0
  var nodes = 0
  var bytes = 0
  /// The number of full updates for each reason.
  var reasons: [String: Int] = [:]
  /// How often the generator used each feature.
  var features: [String: Int] = [:]
  /// The number of diffs with each permitted difference between the pipelines.
  var deviations: [String: Int] = [:]

  var scopedShare: Double { steps == rejected ? 0 : Double(scoped) / Double(steps - rejected) }

  mutating func add(_ other: OracleStatistics) {
    pages += other.pages
    steps += other.steps
    scoped += other.scoped
    rejected += other.rejected
    nodes += other.nodes
    bytes += other.bytes
    reasons.merge(other.reasons, uniquingKeysWith: +)
    features.merge(other.features, uniquingKeysWith: +)
    deviations.merge(other.deviations, uniquingKeysWith: +)
  }

  var report: String {
    func lines(_ counts: [String: Int]) -> String {
      counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\n    \($0.value) × \($0.key)" }.joined()
    }
    let share = Int((scopedShare * 1_000).rounded())
    return """
        \(pages) pages, \(steps) steps, \(rejected) rejected by both, \(nodes / max(1, steps)) nodes and \
      \(bytes / max(1, steps)) bytes a diff; \(share / 10).\(share % 10) % scoped
        full updates, by reason:\(lines(reasons))
        permitted differences:\(lines(deviations))
        features of the pages:\(lines(features))
      """
  }
}

/// A page and its diffs, up to the first disagreement of the two pipelines.
struct OracleRun {
  static let stepsOfPage = 40
  /// Versions of LiveView's client, one on each side of most boundaries of its rules.
  private static let clients = [
    "1.0.0", "1.0.19", "1.1.0", "1.1.13", "1.1.17", "1.1.19", "1.1.20", "1.1.26", "1.1.33", "1.2.7", "1.2.8",
  ]

  struct Fault: Sendable {
    var seed: UInt64
    var dialect: Dialect
    var client: String
    var isOfHostilePage: Bool
    var reason: String
    /// The mount, then the diffs and frames. The fault occurs at the last diff.
    var inputs: [String]
  }

  let profile: OracleProfile
  let seed: UInt64
  private(set) var statistics = OracleStatistics()

  init(profile: OracleProfile, seed: UInt64) {
    self.profile = profile
    self.seed = seed
  }

  /// - Returns: the disagreement of the pipelines, if any.
  mutating func run(steps: Int = stepsOfPage) throws -> Fault? {
    var page = RandomPage(profile: profile, seed: seed)
    var random = SplitMix(state: ~seed)
    let dialect = random.one(in: 10) ? Dialect.native : .html
    let client = random.one(in: 3) ? Self.clients[random.below(Self.clients.count)] : ClientVersion.newest.rawValue
    var pair = OraclePair()
    var inputs = [page.mount()]
    statistics.pages = 1
    defer { statistics.features = page.features }
    func fault(_ reason: String) -> Fault {
      Fault(
        seed: seed, dialect: dialect, client: client, isOfHostilePage: profile.hostility > 0, reason: reason,
        inputs: inputs)
    }

    if let reason = pair.mount(inputs[0], dialect, client: client) { return fault(reason) }
    pair.remember()
    for step in 1...steps {
      let before = page
      let next = page.step()
      inputs.append(next.diff)
      if let reason = pair.update(next.diff, isThorough: step % 8 == 0) { return fault(reason) }
      pair.remember()
      count(pair, next.diff)
      if pair.wasRejected {
        // The server's state is restored as if the diff had not been sent. The features of the diff
        // stay counted.
        (page.root, page.components) = (before.root, before.components)
        inputs.removeLast()
        continue
      }
      // The damaged diff was applied, so the server's state no longer matches the page, and the run
      // ends here.
      if next.isSpoiled { return nil }
      if !next.destroyed.isEmpty {
        inputs.append(OraclePair.frame(destroying: next.destroyed))
        try pair.receive(inputs[inputs.count - 1])
      }
      if step % 16 == 0, let reason = pair.timeTravelDifference(to: random.below(pair.versions)) {
        return fault(reason)
      }
    }
    return nil
  }

  private mutating func count(_ pair: OraclePair, _ diff: String) {
    statistics.steps += 1
    statistics.nodes += pair.count
    statistics.bytes += diff.utf8.count
    if pair.wasRejected {
      statistics.rejected += 1
      return
    }
    switch pair.path {
    case .scoped: statistics.scoped += 1
    case .full(let reason): statistics.reasons[reason.withoutNames, default: 0] += 1
    }
    for deviation in pair.deviations { statistics.deviations[deviation, default: 0] += 1 }
  }
}

extension String {
  /// A reason without numbers and ids.
  fileprivate var withoutNames: String {
    replacing(/"[^"]*"/, with: "…").replacing(/[0-9]+/, with: "n")
  }
}
