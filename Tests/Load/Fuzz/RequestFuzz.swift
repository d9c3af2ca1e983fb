import RecordingFixtures

/// Slightly malformed requests, each on its own connection.
struct RequestFuzz {
  let mirror: MirrorProcess
  let control: ControlView
  let seed: UInt64
  /// The number of concurrent requests. Most of the time is spent waiting for responses to
  /// incomplete requests.
  private static let workers = 48

  fileprivate struct Tally: Sendable {
    var sent = 0
    var statuses: [Int: Int] = [:]
    /// Connections that were closed without a response.
    var silent = 0
    /// Connections that the client closed after a while without bytes: an incomplete request gets
    /// no response.
    var held = 0
    /// Responses whose head is sent twice: libmicrohttpd 0.9.75 does that if `Content-Length` is
    /// not a number.
    var doubled = 0
    var faults: [String] = []
  }

  func run(_ count: Int, most: Double, _ findings: inout Findings) throws {
    let (port, seed, workers) = (mirror.port, seed, Self.workers)
    let began = now()
    let halves = try (0..<2).map { half -> (tally: Tally, memory: Int) in
      let tallies = try concurrently(workers) { worker in
        Self.send(
          count / 2 / workers, to: port, random: SplitMix(state: seed &+ UInt64(half * workers + worker)),
          source: 2 + worker)
      }
      return (tally: tallies.reduce(into: Tally()) { $0.add($1) }, memory: mirror.memory)
    }
    var tally = halves[0].tally
    tally.add(halves[1].tally)
    let passed = Double(now() - began) / 1e9
    let statuses = tally.statuses.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    findings.note(
      "\(tally.sent) requests in \(passed.hundredths) s; \(statuses); without an answer: \(tally.silent), "
        + "given up after 200 ms without one: \(tally.held), "
        + "heads sent twice by libmicrohttpd: \(tally.doubled)",
      holds: tally.sent >= count / 2 / workers * 2 * workers && tally.statuses[500] == nil && tally.statuses.count > 5)
    for fault in tally.faults.prefix(10) { findings.note(fault, holds: false) }
    try control.report("requests", mirror, halves.map(\.memory), most, &findings)
  }

  private static func send(
    _ count: Int, to port: UInt16, random: SplitMix, source: Int
  ) -> Tally {
    var random = random
    var tally = Tally()
    let mutator = RequestMutator()
    for _ in 0..<count {
      let request = mutator.request(&random)
      tally.sent += 1
      do {
        // Alternates the loopback addresses, because each address has a limited number of ports.
        let connection = try Connection(port: port, source: source + workers * random.below(5), patience: 20)
        if connection.send(request) { connection.finishSending() }
        try tally.take(connection, request)
      } catch {
        tally.faults.append("\(error), for \(String(decoding: request, as: UTF8.self).debugDescription)")
        if tally.faults.count > 20 { break }
      }
    }
    return tally
  }
}

extension RequestFuzz.Tally {
  mutating func add(_ other: Self) {
    sent += other.sent
    silent += other.silent
    held += other.held
    doubled += other.doubled
    statuses.merge(other.statuses, uniquingKeysWith: +)
    faults += other.faults
  }

  /// Reads to the end, and checks that the bytes are responses and nothing else.
  mutating func take(_ connection: Connection, _ request: [UInt8]) throws {
    var reading = Connection.Reading.bytes
    while reading == .bytes {
      guard connection.canRead(within: 200) else {
        held += 1
        connection.reset()
        return
      }
      reading = connection.fill()
      // A stream has no end.
      let first = try Answer.readHead(connection.unread)
      var head = first?.answer
      // The status line of an interim response may precede it.
      if let first, head?.status == 100 {
        head = try Answer.readHead(Array(connection.unread.dropFirst(first.end)))?.answer
      }
      if let head, head.header("content-type")?.hasPrefix("text/event-stream") == true {
        statuses[head.status, default: 0] += 1
        return
      }
    }
    if reading == .nothingYet {
      faults.append("no end within 20 s: \(String(decoding: request, as: UTF8.self).debugDescription)")
    }
    var rest = connection.unread[...]
    if rest.isEmpty { silent += 1 }
    if let end = try Answer.endOfRepeatedHead(connection.unread) {
      doubled += 1
      rest = rest.dropFirst(end)
    }
    while !rest.isEmpty {
      // The bytes after the response to a HEAD are not checked: a mutated request may contain
      // others, whose responses follow. Empty lines before the method are ignored (RFC 9112 §2.2).
      let beginning = request.drop { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }.prefix(4)
      let isHead = String(decoding: beginning, as: UTF8.self).uppercased() == "HEAD"
      guard let (answer, length) = try Answer.read(rest, toHead: isHead, closed: true) else {
        // A reset may discard bytes that were already sent.
        if reading == .end { throw Answer.Malformed(description: "an answer that is not complete") }
        return
      }
      statuses[answer.status, default: 0] += 1
      if answer.status == 500 {
        faults.append(
          "500 for \(String(decoding: request, as: UTF8.self).debugDescription): \(answer.text.prefix(200))")
      }
      rest = rest.dropFirst(length)
      if isHead { return }
    }
  }
}

extension ControlView {
  /// Checks that hold after both fuzzers.
  func report(
    _ what: String, _ mirror: MirrorProcess, _ memory: [Int], _ most: Double, _ findings: inout Findings
  ) throws {
    guard mirror.isAlive else {
      return findings.note("the mirror ended: \(mirror.wait()), \(mirror.lastWords.value)", holds: false)
    }
    let difference = try difference()
    findings.note("the other view is unchanged \(difference ?? "")", holds: difference == nil)
    let growth = Double(memory[1] - memory[0]) / Double(memory[0]) * 100
    findings.note(
      "memory: \(memory[0] >> 20) MiB at the half, \(memory[1] >> 20) MiB at the end, at most \(most) % more",
      holds: growth <= most)
  }
}
