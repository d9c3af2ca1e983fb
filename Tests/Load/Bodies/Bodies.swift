import ArgumentParser
import RecordingFixtures

/// The bodies that take the most memory, each against a program of its own: it stays within the memory of the container, or the
/// body is refused.
struct Bodies: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "The bodies that take the most memory: each is refused, or the program stays within its memory.")

  @OptionGroup var options: LoadOptions
  @Option(help: "How much memory the program may take, in MiB: the limit in docs/compose.yaml.") var most = 256
  @Option(help: "Only the cases whose name contains this.") var only = ""
  @Option(help: "A file of inputs as the fuzzer writes them, such as .build-fuzz/heaviest.") var input: String?

  /// What the mirror answers to a body that it takes or refuses.
  private static let allowed: Set<Int> = [200, 201, 400, 404, 413, 422]

  func run() throws {
    var findings = Findings()
    var cases = BodyCase.all.filter { only.isEmpty || $0.name.contains(only) }
    if options.quick { cases.removeAll { !$0.isQuick } }
    cases += BodyCase.regressions
    if let input, let text = contents(of: input) { cases.append(BodyCase(name: input, fuzzInput: text)) }
    for body in cases { try post(body, &findings) }
    try findings.end()
  }

  private func post(_ body: BodyCase, _ findings: inout Findings) throws {
    let mirror = try MirrorProcess(program: options.program, arguments: options.arguments)
    let client = Client(port: mirror.port)
    var statuses: [Int] = []
    var bytes = 0
    for post in body.posts() {
      bytes = max(bytes, post.body.utf8.count)
      guard let answer = try? client.post(post.target, post.body) else { break }
      statuses.append(answer.status)
    }
    let isAnswered = statuses.count == body.posts().count && statuses.allSatisfy(Self.allowed.contains)
    let peak = mirror.peakMemory >> 20
    findings.note(
      "\(body.name): bodies up to \(bytes >> 10) KiB, \(statuses.map(String.init).joined(separator: " ")), \(peak) MiB at most",
      holds: isAnswered && mirror.isAlive && peak < most)
  }
}
