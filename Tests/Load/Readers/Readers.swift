import ArgumentParser
import Glibc

/// The cost of readers of a whole page: the rate of each form, and that nothing is computed for
/// disconnected clients.
struct Readers: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "How fast the tree and the markup of a page are made, and that readers who are gone cost nothing.")

  @OptionGroup var options: LoadOptions
  @Option(help: "Megabytes for each second of processor time, at least.")
  var least = 150.0
  @Option(help: "Readers that are reset.") var resets = 300

  private static let rows = 20_000

  func run() throws {
    var findings = Findings(options)
    let mirror = try MirrorProcess(program: options.program, arguments: options.arguments)
    let client = Client(port: mirror.port, patience: 120)
    let rows = joined(0..<Self.rows) { #"<li id=\"r\#($0)\" class=\"row\">row \#($0)</li>"# }
    try client.expect(client.post("/views/large/rendered", #"{"0":"0","s":["<ul>\#(rows)</ul><p>","</p>"]}"#))

    var version = 0
    for target in ["tree", "html", "rendered"] {
      var (bytes, time) = (0, 0.0)
      for _ in 0..<(options.quick ? 10 : 40) {
        // Each version is encoded for its first reader.
        version += 1
        try client.expect(client.post("/views/large/diffs", #"{"0":"\#(version)"}"#))
        let before = mirror.workedTime
        bytes += try client.expect(client.get("/views/large/\(target)")).body.count
        time += mirror.workedTime - before
      }
      let speed = Double(bytes) / 1e6 / time
      findings.note(
        "GET /\(target): \(speed.hundredths) MB for a second of processor time, at least \(least)",
        ofLimit: least / speed)
    }
    try reset(mirror, client, &findings)
    findings.note("the mirror goes on", holds: mirror.isAlive)
    try findings.end()
  }

  /// The tree of a past version is computed again for each reader.
  private func reset(_ mirror: MirrorProcess, _ client: Client, _ findings: inout Findings) throws {
    let target = "/views/large/tree?version=1"
    let before = mirror.workedTime
    for _ in 0..<4 { try client.expect(client.get(target)) }
    let one = (mirror.workedTime - before) / 4

    let start = mirror.workedTime
    let readers = try (0..<resets).map { _ in
      let connection = try Connection(port: mirror.port)
      connection.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
      return connection
    }
    for reader in readers { reader.reset() }
    // Waits until the server has been idle for half a second.
    var last = mirror.workedTime
    var since = now()
    _ = eventually(within: 60) {
      let next = mirror.workedTime
      if next - last > 0.002 { (last, since) = (next, now()) }
      return now() - since > 500_000_000
    }
    let taken = mirror.workedTime - start
    // Some responses were computed before the resets: one for each worker, and those during the
    // connecting.
    let most = 20 * one + 0.1
    findings.note(
      "\(resets) readers of a tree, all reset: \(taken.hundredths) s of processor time, one tree \(one.hundredths) s, at most \(most.hundredths) s",
      holds: taken <= most)
  }
}
