import ArgumentParser

/// Many clients on event streams while writers post.
struct Streams: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Event-stream clients while writers post: every event once, in order, and the posts in time. Then pushes that wait for an answer."
  )

  @OptionGroup var options: LoadOptions
  @Option var clients: Int?
  @Option var views = 20
  @Option var writers = 4
  @Option(help: "Diffs a second, of all writers together.") var rate = 200.0
  @Option var seconds: Double?
  @Option(
    help:
      "The most that the 99th percentile of the posts may take, in milliseconds, beyond twice that of an echo.")
  var most = 20.0

  func run() throws {
    var findings = Findings(options)
    let count = clients ?? (options.quick ? 200 : 500)
    let seconds = seconds ?? (options.quick ? 10 : 60)
    let mirror = try MirrorProcess(program: options.program, arguments: options.arguments)
    let ids = (0..<views).map { "load-\($0)" }
    let client = Client(port: mirror.port)
    for id in ids { try client.expect(client.post("/views/\(id)/rendered", CountedPage.rendered)) }

    let streams = StreamClients()
    for number in 0..<count { try streams.open(ids[number % views], at: 0, port: mirror.port) }
    streams.start()
    defer { streams.stop() }
    let haveBegun = eventually(within: 30) { streams.progress.value.begun == count }
    findings.note("\(streams.progress.value.begun) of \(count) clients have begun", holds: haveBegun)

    let (began, processorTime) = (now(), mirror.processorTime)
    let writers = Writers(port: mirror.port, views: ids, count: writers, rate: rate, seconds: seconds)
    let echo = try Echo()
    let outcome = try writers.run()
    let machine = echo.stop()
    let passed = Double(now() - began) / 1e9
    let used = mirror.processorTime - processorTime

    let haveAll = eventually(within: 30) {
      outcome.versions.allSatisfy { streams.progress.value.reached[$0.key] == $0.value }
    }
    let progress = streams.progress.value
    findings.note(
      "\(outcome.posted) diffs in \(passed.hundredths) s, \((Double(outcome.posted) / passed).hundredths) a second",
      holds: outcome.faults.isEmpty, ofLimit: 0.98 * rate * seconds / Double(outcome.posted))
    for fault in outcome.faults.prefix(5) { findings.note("a post: \(fault)", holds: false) }
    let p99 = outcome.latencies.percentile(0.99)
    let allowed = most + 2 * machine.percentile(0.99)
    findings.note("meanwhile an echo between two threads: \(machine.text)")
    findings.note(
      "posts: \(outcome.latencies.text), at most \(allowed.hundredths) ms for p99", ofLimit: p99 / allowed)
    let expected = outcome.posted * count / views
    findings.note(
      "\(progress.events) events of \(expected), every client has every one of its view, in order",
      holds: haveAll && progress.faults.isEmpty)
    for fault in progress.faults.prefix(10) { findings.note("a stream: \(fault)", holds: false) }
    findings.note(
      "the mirror: \((used / passed * 100).hundredths) % of a core, \(mirror.memory >> 20) MiB, "
        + "\(mirror.descriptors) descriptors, \(mirror.threads) threads", holds: mirror.isAlive)

    mirror.terminate()
    let code = mirror.wait()
    let haveEnded = eventually(within: 5) { streams.progress.value.ended == count }
    findings.note(
      "after SIGTERM: exit code \(code), \(streams.progress.value.ended) streams were ended in order",
      holds: code == 0 && haveEnded)
    try WaitingPushes(options: options).measure(&findings)
    try findings.end()
  }
}
