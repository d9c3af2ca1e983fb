import ArgumentParser
import RecordingFixtures

/// The bodies that take the most memory, each against a program of its own: it stays within the
/// memory of the container, or the body is refused. Then a search for sequences of requests that
/// take more.
struct Bodies: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "The bodies that take the most memory: each is refused, or the program stays within its memory.")

  @OptionGroup var options: LoadOptions
  @Option(help: "How much memory the program may take, in MiB: less than the limit in docs/compose.yaml.") var most =
    224
  @Option(help: "Only the cases whose name contains this.") var only = ""
  @Option(help: "The seconds of a random search for the sequence of requests that takes the most memory.") var search =
    120
  @Option(help: "What the random numbers of the search come from; a run prints its own.") var seed: UInt64?
  @Option(help: "A file of inputs as the fuzzer writes them, such as .build-fuzz/heaviest.") var input: String?

  /// What the mirror answers to a body that it takes or refuses.
  private static let allowed: Set<Int> = [200, 201, 400, 404, 413, 422, 503]
  /// And to one of many requests at once: 410 for a view that another one has evicted, 429 to try
  /// again.
  private static let allowedTogether = allowed.union([410, 429])

  func run() throws {
    var findings = Findings(options)
    var cases = BodyCase.all.filter { only.isEmpty || $0.name.contains(only) }
    if options.quick { cases.removeAll { !$0.isQuick } }
    if only.isEmpty { cases += BodyCase.regressions }
    if let input, let text = contents(of: input) { cases.append(BodyCase(name: input, fuzzInput: text)) }
    for body in cases { try post(body, &findings) }
    try searchSequences(&findings)
    try findings.end()
  }

  private func searchSequences(_ findings: inout Findings) throws {
    let seed = seed ?? UInt64.random(in: 0...UInt64.max)
    let seconds = options.quick ? min(search, 30) : search
    var search = SequenceSearch(program: options.program, arguments: Self.container + options.arguments, seed: seed)
    try search.run(until: now() + UInt64(seconds) * 1_000_000_000)
    guard let worst = search.worst.first else { return }
    let steps = worst.sequence.map { "\n      \($0)" }.joined()
    findings.note(
      "\(search.tried) random sequences of requests, seed \(seed): \(worst.peak >> 20) MiB at most\(steps)",
      holds: worst.peak >> 20 <= most)
    for text in search.unexpected.prefix(5) { findings.note(text, holds: false) }
  }

  /// The memory of the container in docs/compose.yaml.
  private static let container = ["--memory", "256MiB"]

  private func post(_ body: BodyCase, _ findings: inout Findings) throws {
    let journal = body.hasJournal ? try JournalFolder() : nil
    defer { journal?.remove() }
    let arguments = Self.container + options.arguments + (journal?.arguments ?? [])
    let mirror = try MirrorProcess(program: options.program, arguments: arguments)
    let client = Client(port: mirror.port)
    var statuses: [Int] = []
    var bytes = 0
    let posts = body.posts()
    for post in posts {
      bytes = max(bytes, post.body.utf8.count)
      guard let answer = try? client.post(post.target, post.body) else { break }
      statuses.append(answer.status)
    }
    var isAnswered = statuses.count == posts.count && statuses.allSatisfy(Self.allowed.contains)
    var counts: [Int: Int] = [:]
    var unread: [Connection] = []
    for group in body.together() {
      for post in group where post.isUnread { unread.append(try leaveUnread(post, port: mirror.port)) }
      for status in try send(group.filter { !$0.isUnread }, port: mirror.port) {
        counts[status, default: 0] += 1
        isAnswered = isAnswered && Self.allowedTogether.contains(status)
      }
    }
    // Answers that nobody reads are made meanwhile.
    if !unread.isEmpty { sleep(until: now() + 5_000_000_000) }
    let peak = mirror.peakMemory >> 20
    let together = counts.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
    let text = (statuses.map(String.init) + together).joined(separator: " ")
    findings.note(
      "\(body.name): bodies up to \(bytes >> 10) KiB, \(text), \(peak) MiB at most",
      holds: isAnswered && mirror.isAlive && peak < most)
  }

  /// The statuses of requests that are sent at once; 0 where there was no answer.
  private func send(_ posts: [BodyCase.Post], port: UInt16) throws -> [Int] {
    try concurrently(posts.count) { number in
      let post = posts[number]
      let client = Client(port: port, patience: 120)
      return (try? client.ask(post.method, post.target, Array(post.body.utf8), headers: post.headers).status) ?? 0
    }
  }

  private func leaveUnread(_ post: BodyCase.Post, port: UInt16) throws -> Connection {
    let connection = try Connection(port: port, receiveBuffer: 4096)
    connection.send("\(post.method) \(post.target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
    return connection
  }
}
