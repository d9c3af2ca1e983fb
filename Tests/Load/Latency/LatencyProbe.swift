/// The measured requests: `/healthz` and small diffs of one view, each a hundred times per second on its own connection.
struct LatencyProbe {
  struct Outcome: Sendable {
    var health = Latencies()
    var diffs = Latencies()
    var faults: [String] = []

    mutating func add(_ other: Outcome) {
      health.add(other.health)
      diffs.add(other.diffs)
      faults += other.faults
    }
  }

  var port: UInt16
  var seconds: Double

  static let view = "probe"

  func run() throws -> Outcome {
    let start = now()
    let outcomes = try concurrently(2) { which in try ask(health: which == 0, from: start) }
    return outcomes.reduce(into: Outcome()) { $0.add($1) }
  }

  /// Measures from the scheduled start of a request, so a request that waits behind a slow one counts as slow.
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
