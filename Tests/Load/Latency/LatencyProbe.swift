/// The measured requests: `/healthz` and small diffs of one view, each a hundred times per second
/// on its own connection.
struct LatencyProbe {
  struct Outcome: Sendable {
    var health = Latencies()
    var diffs = Latencies()
    var faults: [String] = []
    /// The largest share of the processor time that other virtual machines took during one of the
    /// measurements.
    var stolen = 0.0

    mutating func add(_ other: Outcome) {
      health.add(other.health)
      diffs.add(other.diffs)
      faults += other.faults
      stolen = max(stolen, other.stolen)
    }
  }

  /// A measurement with a larger stolen share is repeated.
  static let mostStolen = 0.05
  private static let attempts = 4

  var port: UInt16
  var seconds: Double

  static let view = "probe"

  /// Measures until the host leaves the processors to this machine, at most four times.
  /// - Returns: the latencies of the measurement with the smallest stolen share, and the failed
  ///   requests of all.
  func run() throws -> Outcome {
    var best = try measure()
    for _ in 1..<Self.attempts where best.stolen > Self.mostStolen {
      var next = try measure()
      let faults = best.faults + next.faults
      if next.stolen < best.stolen { swap(&best, &next) }
      best.faults = faults
    }
    return best
  }

  private func measure() throws -> Outcome {
    let start = now()
    let stolen = StolenTime()
    let outcomes = try concurrently(2) { which in try ask(health: which == 0, from: start) }
    var sum = outcomes.reduce(into: Outcome()) { $0.add($1) }
    sum.stolen = stolen.share
    return sum
  }

  /// Measures from the scheduled start of a request, so a request that waits behind a slow one
  /// counts as slow.
  private func ask(health: Bool, from start: UInt64) throws -> Outcome {
    var outcome = Outcome()
    let client = Client(port: port, patience: 120)
    let end = start + UInt64(seconds * 1e9)
    var due = start
    while due < end {
      sleep(until: due)
      let answer =
        try health
        ? client.get("/healthz") : client.post("/views/\(Self.view)/diffs", #"{"0":"asked at \#(due)"}"#)
      if health { outcome.health.add(now() - due) } else { outcome.diffs.add(now() - due) }
      if answer.status != 200 { outcome.faults.append("\(health ? "/healthz" : "a diff") got \(answer.status)") }
      due += 10_000_000
    }
    return outcome
  }
}
