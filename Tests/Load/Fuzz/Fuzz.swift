import ArgumentParser
import RecordingFixtures

/// Hostile input against the program as users start it.
struct Fuzz: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Mutated requests and bodies: no crash, no 500, every answer well formed, memory flat, other views untouched.")

  @OptionGroup var options: LoadOptions
  @Option(help: "Mutated requests.") var requests: Int?
  @Option(help: "Mutated bodies.") var bodies: Int?
  @Option(help: "What the random numbers come from; a run prints its own.") var seed: UInt64?
  @Option(help: "How much more memory at the end than at the half, in percent.") var most = 10.0

  func run() throws {
    var findings = Findings(options)
    let seed = seed ?? UInt64.random(in: 0...UInt64.max)
    findings.note("seed \(seed)")
    let mirror = try MirrorProcess(
      program: options.program,
      arguments: ["--versions", "50", "--max-views", "200", "--log-bytes", "4194304"] + options.arguments)
    let control = try ControlView(mirror: mirror)

    let requests = requests ?? (options.quick ? 20_000 : 100_000)
    let bodies = bodies ?? (options.quick ? 8_000 : 50_000)
    try RequestFuzz(mirror: mirror, control: control, seed: seed).run(requests, most: most, &findings)
    try BodyFuzz(mirror: mirror, control: control, seed: seed).run(bodies, most: most, &findings)

    mirror.terminate()
    let code = mirror.wait()
    findings.note("after SIGTERM: exit code \(code)", holds: code == 0)
    try findings.end()
  }
}

/// A view whose id the fuzzer does not know. It must stay unchanged.
struct ControlView {
  private let id = "control-0f8e4d7a61c25b93"
  private let port: UInt16
  private let markup: String
  private let summary: String

  init(mirror: MirrorProcess) throws {
    port = mirror.port
    let client = Client(port: port)
    try client.expect(client.post("/views/\(id)/rendered", CountedPage.rendered))
    try client.expect(client.post("/views/\(id)/diffs", #"{"0":"17"}"#))
    markup = try client.expect(client.get("/views/\(id)/html")).text
    summary = try Self.summary(client, id)
  }

  /// The summary without the members that other requests may change.
  private static func summary(_ client: Client, _ id: String) throws -> String {
    let text = try client.expect(client.get("/views/\(id)")).text
    return [#/"epoch":\d+/#, #/"nodes":\d+/#].compactMap { text.firstMatch(of: $0)?.0 }.joined(separator: " ")
  }

  /// The difference from the previous state, if any.
  func difference() throws -> String? {
    let client = Client(port: port)
    let answer = try client.get("/views/\(id)/html")
    if answer.text != markup { return "its markup is another: \(answer.status) \(answer.text.prefix(200))" }
    let now = try Self.summary(client, id)
    return now == summary ? nil : "\(now) instead of \(summary)"
  }

  /// Posts an empty diff, which counts as an update, so that the view is not evicted as the least
  /// recently updated one.
  func touch(by client: Client) throws {
    try client.expect(client.post("/views/\(id)/diffs", "{}"))
  }
}
