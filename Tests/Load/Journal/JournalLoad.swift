import ArgumentParser
import Glibc

/// A mirror with a journal: posts as fast as without one, posts in time at a constant rate, the
/// start with many views, and readers beside a slow disk.
struct JournalLoad: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journal",
    abstract: "A mirror with a journal: throughput, latency, the start with many views, and a slow disk.")

  @OptionGroup var options: LoadOptions
  @Option(help: "The journal; by default a SQLite database in a temporary folder.") var journal: String?
  @Option(help: "The least share of the throughput without a journal, with 32 connections.") var least = 0.5
  @Option(help: "Diffs a second, over 200 views.") var rate: Double?
  @Option(
    help: "The most that the 99th percentile of these posts may take, in milliseconds, beyond twice that of an echo.")
  var most = 20.0
  @Option var views: Int?
  @Option(help: "The number of versions of each view at the start.") var versions: Int?

  func run() throws {
    var findings = Findings(options)
    let folder = try TemporaryFolder()
    try measureThroughput(&findings, folder)
    try measureLatency(&findings, folder)
    try measureStart(&findings, folder)
    if journal == nil { try SlowDisk(options: options, folder: folder).measure(&findings) }
    try findings.end()
  }

  private func start(_ name: String, _ folder: TemporaryFolder) throws -> MirrorProcess {
    try MirrorProcess(
      program: options.program,
      arguments: options.arguments + [
        "--journal", journal ?? "\(folder.path)/\(name).sqlite", "--max-views", "5000", "--log-bytes", "8GiB",
      ])
  }

  /// Rounds with and without a journal, in turns, so that changes of the machine's speed affect
  /// both.
  private func measureThroughput(_ findings: inout Findings, _ folder: TemporaryFolder) throws {
    let mirrors = (
      kept: try start("throughput", folder),
      memory: try MirrorProcess(program: options.program, arguments: options.arguments)
    )
    for mirror in [mirrors.kept, mirrors.memory] {
      let client = Client(port: mirror.port)
      try client.expect(client.post("/views/counter/rendered", CountedPage.rendered))
    }
    func postsPerSecond(_ mirror: MirrorProcess) throws -> Double {
      let seconds = options.quick ? 1.0 : 3.0
      let outcome = try Writers(port: mirror.port, views: ["counter"], count: 32, rate: 0, seconds: seconds).run()
      for fault in outcome.faults.prefix(3) { throw LoadFailure("a post: \(fault)") }
      return Double(outcome.posted) / seconds
    }
    var ratios: [Double] = []
    var last = (kept: 0.0, memory: 0.0)
    for round in 0...(options.quick ? 3 : 7) {
      last = (try postsPerSecond(mirrors.kept), try postsPerSecond(mirrors.memory))
      // The first round warms up.
      if round > 0 { ratios.append(last.kept / last.memory) }
    }
    let ratio = ratios.sorted()[ratios.count / 2]
    findings.note(
      "32 connections: \(Int(last.kept)) posts a second with the journal, \(Int(last.memory)) without, "
        + "ratio \(ratio.hundredths), at least \(least.hundredths)", ofLimit: least / ratio)
  }

  private func measureLatency(_ findings: inout Findings, _ folder: TemporaryFolder) throws {
    let mirror = try start("latency", folder)
    let ids = (0..<200).map { "load-\($0)" }
    let client = Client(port: mirror.port)
    for id in ids { try client.expect(client.post("/views/\(id)/rendered", CountedPage.rendered)) }
    let (rate, seconds) = (rate ?? (options.quick ? 500 : 2_000), options.quick ? 4.0 : 20.0)
    let echo = try Echo()
    let outcome = try Writers(port: mirror.port, views: ids, count: 16, rate: rate, seconds: seconds).run()
    let allowed = most + 2 * echo.stop().percentile(0.99)
    findings.note(
      "\(Int(rate)) posts a second over 200 views: \(outcome.latencies.text), at most \(allowed.hundredths) ms for p99",
      holds: outcome.faults.isEmpty,
      ofLimit: max(
        outcome.latencies.percentile(0.99) / allowed, 0.98 * rate * seconds / Double(outcome.posted)))
  }

  private func measureStart(_ findings: inout Findings, _ folder: TemporaryFolder) throws {
    let (views, versions) = (views ?? (options.quick ? 100 : 1_000), versions ?? (options.quick ? 100 : 1_000))
    let filled = try start("start", folder)
    let port = filled.port
    _ = try concurrently(4) { writer in
      let client = Client(port: port)
      for view in stride(from: writer, to: views, by: 4) {
        try client.expect(client.post("/views/load-\(view)/rendered", CountedPage.rendered))
        for part in stride(from: 1, through: versions, by: 250) {
          let frames = (part..<min(part + 250, versions + 1)).map {
            #"[null,null,"load-\#(view)","diff",{"0":"\#($0)"}]"#
          }
          try client.expect(client.post("/frames", frames.joined(separator: "\n")))
        }
      }
    }
    filled.terminate()
    _ = filled.wait()

    let began = now()
    let mirror = try start("start", folder)
    let client = Client(port: mirror.port)
    let list = try client.expect(client.get("/views"))
    let listed = Double(now() - began) / 1e6
    findings.note(
      "a start with \(views) views of \(versions) versions: the list after \(listed.hundredths) ms, at most 1000",
      holds: list.text.contains("load-\(views - 1)"), ofLimit: listed / 1_000)
    let memory = mirror.memory
    var times = Latencies()
    for view in stride(from: 0, to: views, by: max(1, views / 50)) {
      let asked = now()
      try client.expect(client.get("/views/load-\(view)/tree"))
      times.add(now() - asked)
    }
    findings.note("a view that is not loaded: \(times.text), at most 100", ofLimit: times.percentile(1) / 100)
    findings.note("memory: \(memory >> 20) MiB without a loaded view, \(mirror.memory >> 20) MiB with 50")
  }
}

/// A folder that is removed at the end.
final class TemporaryFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/mirror-load-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw LoadFailure("no temporary folder") }
    path = String(cString: made)
  }

  deinit {
    for name in names(in: path) { unlink("\(path)/\(name)") }
    rmdir(path)
  }
}
