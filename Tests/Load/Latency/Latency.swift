import ArgumentParser
import Glibc

/// `/healthz` and small diffs of one view while heavy diffs of other views run on every core,
/// compared with the same requests while the same number of unrelated processes compute.
struct Latency: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "How long /healthz and small diffs take while other views have heavy diffs, one view for each core.")

  @OptionGroup var options: LoadOptions
  @Option(help: "Views with heavy diffs; one for each core, and at least two, unless given.") var heavy: Int?
  @Option(help: "Seconds of each measurement.") var seconds: Double?
  @Option(help: "The limit is this many times the latency beside unrelated processes, plus --more.")
  var factor = 2.0
  @Option(help: "Milliseconds added to the limit of the 99th percentile; six times as many to that of the maximum.")
  var more = 25.0

  func run() throws {
    var findings = Findings(options)
    let views = heavy ?? max(2, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    let seconds = seconds ?? (options.quick ? 2 : 10)
    // The memory limit is raised, because no view may be removed during the measurement.
    let mirror = try MirrorProcess(
      program: options.program, arguments: ["--page-bytes", "1GiB", "--log-bytes", "16MiB"] + options.arguments)
    try Client(port: mirror.port).expect(
      Client(port: mirror.port).post("/views/\(LatencyProbe.view)/rendered", CountedPage.rendered))
    let probe = LatencyProbe(port: mirror.port, seconds: seconds)
    findings.note("without other load: \(Self.text(try probe.run()))")

    var reference = LatencyProbe.Outcome()
    var measured = LatencyProbe.Outcome()
    for input in HeavyInput.all(dividedBy: options.quick ? 8 : 1) {
      let burners = try Burners(count: views)
      let others = try probe.run()
      burners.stop()
      reference.add(others)
      findings.note("beside \(views) unrelated processes: \(Self.text(others))")
      measured.add(try beside(input, views, probe, &findings))
    }
    let stolen = max(reference.stolen, measured.stolen)
    let isComparable = stolen <= LatencyProbe.mostStolen
    if !isComparable {
      findings.note("not compared: other virtual machines took \((100 * stolen).hundredths) % of the processor time")
    }
    for (name, taken, allowed) in [
      ("/healthz", measured.health, reference.health), ("a small diff", measured.diffs, reference.diffs),
    ] {
      for (kind, share, more) in [("p99", 0.99, more), ("max", 1, 6 * more)] {
        let (is_, most) = (taken.percentile(share), factor * allowed.percentile(share) + more)
        findings.note(
          "\(name), \(kind) of \(taken.values.count): \(is_.hundredths) ms, must be at most \(most.hundredths) ms",
          // One stall of a machine that others use makes the longest time of a short run.
          ofLimit: isComparable && (kind != "max" || !options.quick) ? is_ / most : 0)
      }
    }
    findings.note("\(measured.faults.count) requests failed", holds: measured.faults.isEmpty && mirror.isAlive)
    for fault in measured.faults.prefix(5) { findings.note(fault, holds: false) }
    try findings.end()
  }

  /// The latencies of the probe while each of several views is updated continuously.
  private func beside(
    _ input: HeavyInput, _ views: Int, _ probe: LatencyProbe, _ findings: inout Findings
  ) throws -> LatencyProbe.Outcome {
    let isStopping = Shared(false)
    let slowest = Shared<UInt64>(0)
    let statuses = Shared<[Int: Int]>([:])
    let port = probe.port
    let ids = (0..<views).map { "heavy-\($0)" }
    for id in ids {
      try Client(port: port, patience: 120).expect(Client(port: port).post("/views/\(id)/rendered", input.mount))
    }
    let isDone = Shared(0)
    for id in ids {
      thread {
        let client = Client(port: port, patience: 120)
        var number = 0
        while !isStopping.value {
          let began = now()
          let status = (try? client.post("/views/\(id)/diffs", input.diffs[number % input.diffs.count]).status) ?? 0
          statuses.change { $0[status, default: 0] += 1 }
          slowest.change { $0 = max($0, now() - began) }
          number += 1
        }
        isDone.change { $0 += 1 }
      }
    }
    let outcome = try probe.run()
    isStopping.change { $0 = true }
    let haveEnded = eventually(within: 120) { isDone.value == views }
    let client = Client(port: port)
    for id in ids { _ = try? client.ask("DELETE", "/views/\(id)") }
    let answered = statuses.value.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: " ")
    findings.note(
      "\(input.name): \(answered), the slowest \((Double(slowest.value) / 1e9).hundredths) s; \(Self.text(outcome))",
      holds: haveEnded && statuses.value[200, default: 0] > 0 && statuses.value[0] == nil && statuses.value[500] == nil)
    return outcome
  }

  private static func text(_ outcome: LatencyProbe.Outcome) -> String {
    "/healthz \(outcome.health.text); a diff \(outcome.diffs.text)"
  }
}
