import ArgumentParser

/// An hour of diffs, replayed fast with low limits: memory must stay constant after the limits are
/// reached.
struct Memory: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "An hour of diffs, replayed fast: memory stays flat once the bounds are reached.")

  @OptionGroup var options: LoadOptions
  @Option(help: "Diffs in all; an hour at 200 a second unless given.") var diffs: Int?
  @Option var views = 20
  @Option(help: "Versions that each view keeps.") var versions = 500
  @Option(help: "How much more than at a quarter of the way memory may be later, in percent.") var most = 5.0

  func run() throws {
    var findings = Findings(options)
    let diffs = diffs ?? (options.quick ? 60_000 : 720_000)
    let mirror = try MirrorProcess(
      program: options.program, arguments: ["--versions", "\(versions)"] + options.arguments)
    let ids = (0..<views).map { "load-\($0)" }
    let client = Client(port: mirror.port)
    for id in ids { try client.expect(client.post("/views/\(id)/rendered", CountedPage.rendered)) }

    let posted = Shared(0)
    let isDone = Shared(false)
    let (port, began) = (mirror.port, now())
    thread {
      _ = try? concurrently(4) { writer in
        let client = Client(port: port)
        while posted.change({
          $0 += 1; return $0
        }) <= diffs {
          let number = posted.value
          // Rejected diffs are also entries of the log.
          let body = number % 50 == 0 ? #"{"9":"no slot"}"# : #"{"0":"\#(writer) counts \#(number)"}"#
          _ = try client.post("/views/\(ids[number % ids.count])/diffs", body)
        }
      }
      isDone.change { $0 = true }
    }

    var samples: [(posted: Int, memory: Int)] = []
    var next = 0
    while !isDone.value {
      let count = min(diffs, posted.value)
      if count >= next {
        samples.append((count, mirror.memory))
        next += diffs / 40
      }
      sleep(until: now() + 20_000_000)
    }
    samples.append((min(diffs, posted.value), mirror.memory))
    let passed = Double(now() - began) / 1e9
    findings.note(
      "\(diffs) diffs in \(passed.hundredths) s, \((Double(diffs) / passed).hundredths) a second",
      holds: posted.value >= diffs && mirror.isAlive)
    for sample in samples.enumerated().filter({ $0.offset % 4 == 0 }).map(\.element) {
      findings.note("  \(sample.posted): \((Double(sample.memory) / 1048576).hundredths) MiB")
    }
    let start = samples.first { $0.posted >= diffs / 4 }?.memory ?? 0
    let highest = samples.filter { $0.posted >= diffs / 4 }.map(\.memory).max() ?? 0
    let growth = Double(highest - start) / Double(max(1, start)) * 100
    findings.note("from a quarter on at most \(growth.hundredths) % more, at most \(most) %", holds: growth <= most)
    findings.note(
      "every view keeps its log within the bounds",
      holds: try ids.allSatisfy { id in
        let log = try client.get("/views/\(id)/log?limit=1000").text
        let entries = log.matches(of: /"cursor":/).count
        if entries > versions + 1 || entries < versions / 2 { print("  \(id): \(entries) entries") }
        return entries <= versions + 1 && entries >= versions / 2
      })
    mirror.terminate()
    let code = mirror.wait()
    findings.note("after SIGTERM: exit code \(code)", holds: code == 0)
    try findings.end()
  }
}
