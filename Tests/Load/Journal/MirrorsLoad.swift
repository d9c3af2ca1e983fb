import ArgumentParser

/// One, two and three mirrors with one PostgreSQL journal: posts and reads a second. It measures,
/// and has no limits.
struct MirrorsLoad: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mirrors", abstract: "One, two and three mirrors with one PostgreSQL journal: posts and reads.")

  @OptionGroup var options: LoadOptions
  @Option(help: "The URL of an empty PostgreSQL database.") var journal: String
  @Option(help: "Connections of all mirrors together.") var connections = 32
  @Option(help: "Views of each round.") var views = 30
  @Option var rounds = 5

  func run() throws {
    var findings = Findings(options)
    // In turns, so that changes of the machine's speed affect all.
    var measured: [Int: [(posts: Double, alternating: Double, reads: Double)]] = [:]
    for round in 0..<(options.quick ? 1 : rounds) {
      for count in 1...3 { measured[count, default: []].append(try measure(count, round)) }
    }
    for (count, rounds) in measured.sorted(by: { $0.key < $1.key }) {
      func median(_ value: ((posts: Double, alternating: Double, reads: Double)) -> Double) -> Int {
        Int(rounds.map(value).sorted()[rounds.count / 2])
      }
      findings.note(
        "\(count) \(count == 1 ? "mirror" : "mirrors"), \(connections) connections: \(median(\.posts)) posts a second with each view at one mirror, "
          + "\(median(\.alternating)) with each view at all in turn, \(median(\.reads)) reads")
    }
    try findings.end()
  }

  private func measure(_ count: Int, _ round: Int) throws -> (posts: Double, alternating: Double, reads: Double) {
    let mirrors = try (0..<count).map { _ in
      try MirrorProcess(
        program: options.program,
        arguments: options.arguments + ["--journal", journal, "--max-views", "5000", "--log-bytes", "8GiB"])
    }
    let ports = mirrors.map(\.port)
    let ids = (0..<views).map { "load-\(count)-\(round)-\($0)" }
    let client = Client(port: ports[0])
    for id in ids { try client.expect(client.post("/views/\(id)/rendered", CountedPage.rendered)) }
    let own = ports.indices.map { mirror in ids.indices.filter { $0 % count == mirror }.map { ids[$0] } }
    let posts = try rate(ports) { client, mirror, number in
      try client.post("/views/\(own[mirror][number % own[mirror].count])/diffs", #"{"0":"\#(number)"}"#)
    }
    let alternating = try rate(ports) { client, mirror, number in
      try client.post("/views/\(ids[number % ids.count])/diffs", #"{"0":"\#(mirror) \#(number)"}"#)
    }
    let reads = try rate(ports) { client, _, number in try client.get("/views/\(ids[number % ids.count])/html") }
    for mirror in mirrors {
      mirror.terminate()
      _ = mirror.wait()
    }
    return (posts, alternating, reads)
  }

  /// The number of requests a second that all mirrors together answer.
  private func rate(
    _ ports: [UInt16], _ request: @escaping @Sendable (Client, _ mirror: Int, _ number: Int) throws -> Answer
  ) throws -> Double {
    let seconds = options.quick ? 1.0 : 3.0
    let end = now() + UInt64(seconds * 1e9)
    let counts = try concurrently(connections) { connection in
      let mirror = connection % ports.count
      let client = Client(port: ports[mirror])
      var number = 0
      while now() < end {
        // Connections begin at different views.
        try client.expect(request(client, mirror, number + connection * 7))
        number += 1
      }
      return number
    }
    return Double(counts.reduce(0, +)) / seconds
  }
}
