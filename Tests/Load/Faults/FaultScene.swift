import Glibc

/// A mirror with a small and a large view, well-behaved clients that send requests all the time,
/// and faulty clients.
struct FaultScene {
  let mirror: MirrorProcess
  /// The number of slow clients at a time.
  let slow: Int
  private(set) var faults: [String] = []
  private let prober: Prober

  /// Counts that must not grow.
  struct Counts: Equatable, CustomStringConvertible {
    var descriptors: Int
    var threads: Int
    var subscribers: String
    var description: String { "\(descriptors) descriptors, \(threads) threads, subscribers \(subscribers)" }
  }

  init(mirror: MirrorProcess, slow: Int) throws {
    self.mirror = mirror
    self.slow = slow
    let client = Client(port: mirror.port)
    try client.expect(client.post("/views/counter/rendered", CountedPage.rendered))
    try client.expect(client.post("/views/probe/rendered", CountedPage.rendered))
    let rows = (0..<20_000).map { #"<li id=\"r\#($0)\" class=\"row\">row \#($0)</li>"# }.joined()
    try client.expect(client.post("/views/large/rendered", #"{"s":["<ul>\#(rows)</ul>"]}"#))
    prober = Prober(port: mirror.port)
    prober.start()
  }

  /// Causes one fault, and checks that all counts return to their previous values.
  mutating func during(
    _ name: String, _ findings: inout Findings, _ fault: (inout FaultScene) throws -> Void
  ) throws {
    let before = try settledCounts()
    let began = now()
    try fault(&self)
    let lasted = Double(now() - began) / 1e9
    // If the daemon cannot detect a disconnect, its time limits of at most a minute apply.
    var after = before
    let isSettled = try eventually(within: 90) {
      after = try counts()
      return after == before
    }
    let settled = Double(now() - began) / 1e9 - lasted
    findings.note(
      "\(name): \(lasted.hundredths) s, and \(settled.hundredths) s until all was as before",
      holds: isSettled && mirror.isAlive)
    if !isSettled { findings.note("before \(before), after \(after)", holds: false) }
  }

  /// Waits until the counts are constant for a second, because the daemon notices the end of a
  /// connection with a delay.
  func settledCounts() throws -> Counts {
    var last = try counts()
    var since = now()
    _ = try eventually(within: 30) {
      let next = try counts()
      if next != last { (last, since) = (next, now()) }
      return now() - since > 1_000_000_000
    }
    return last
  }

  private func counts() throws -> Counts {
    // Uses the prober's permanent connection. A new connection would count itself.
    let subscribers = try prober.ask("/views/counter/subscribers").text.firstMatch(of: /"total":\d+/)
    return Counts(
      descriptors: mirror.descriptors, threads: mirror.threads, subscribers: subscribers.map { String($0.0) } ?? "?")
  }

  /// The latencies of the well-behaved client during all faults.
  func others() -> (p99: Double, text: String) {
    let (latencies, failed) = prober.stop()
    let text = "\(latencies.values.count) requests, \(latencies.text)" + (failed.isEmpty ? "" : ", \(failed)")
    return (failed.isEmpty ? latencies.percentile(0.99) : .infinity, text)
  }

  // MARK: - The faults

  mutating func killed(reading target: String, count: Int) throws {
    var clients: [pid_t] = []
    defer {
      for id in clients {
        kill(id, SIGKILL)
        var code: Int32 = 0
        waitpid(id, &code, 0)
      }
    }
    for _ in 0..<count {
      let ends = try makePipe()
      clients.append(try spawn(["/proc/self/exe", "victim", "\(mirror.port)", target], output: ends.writing))
      close(ends.writing)
      var byte: UInt8 = 0
      if read(ends.reading, &byte, 1) != 1 { faults.append("no client could read \(target)") }
      close(ends.reading)
    }
    for number in 0..<20 { try post(number) }
  }

  /// A client that has sent its whole request still gets the response. A client that stops in the
  /// middle of a request is disconnected by the time limit of requests at the latest, because
  /// libmicrohttpd 0.9.75 does not notice an end of the connection that arrives together with
  /// bytes.
  mutating func halfClosed() throws {
    var parts: [Connection] = []
    for _ in 0..<50 {
      let whole = try Connection(port: mirror.port)
      whole.send("GET /views/large/html HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
      whole.finishSending()
      // A worker creates the response of a large page, which may take a moment.
      var reading = Connection.Reading.bytes
      while reading == .bytes, whole.canRead(within: 10_000) { reading = whole.fill() }
      if try Answer.read(whole.unread)?.answer.status != 200 { faults.append("no answer to a half-closed client") }

      let part = try Connection(port: mirror.port, patience: 90)
      part.send("POST /views/counter/diffs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{".utf8)
      part.finishSending()
      parts.append(part)
    }
    for part in parts {
      var last = Connection.Reading.bytes
      while last == .bytes { last = part.fill() }
      if last == .nothingYet { faults.append("a request that never ends is held for 90 s") }
    }
  }

  /// Large responses and streams of which the clients read very little.
  mutating func slowReaders(seconds: Int) throws {
    let readers = try (0..<slow).map { number in
      let connection = try Connection(port: mirror.port, receiveBuffer: 2048)
      let target = number % 4 == 0 ? "/views/counter/events" : "/views/large/tree"
      connection.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
      return connection
    }
    for second in 0..<seconds {
      for reader in readers where reader.descriptor >= 0 { _ = reader.fill(atMost: 1) }
      try post(second)
      sleep(1)
    }
    readers.forEach { $0.close() }
  }

  /// Requests that are sent byte by byte: half of them pause in the headers, half in the body.
  mutating func slowWriters(seconds: Int) throws {
    let writers = try (0..<slow).map { _ in try Connection(port: mirror.port) }
    let head = Array(
      "POST /views/counter/diffs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{\"0\":\"".utf8)
    for (number, writer) in writers.enumerated() where number % 2 == 0 { writer.send(head) }
    for second in 0..<seconds {
      for (number, writer) in writers.enumerated() where writer.descriptor >= 0 {
        let bytes = number % 2 == 0 ? [UInt8(ascii: "1")] : [head[second % head.count]]
        if !writer.send(bytes) { writer.close() }
      }
      try post(second)
      sleep(1)
    }
    writers.forEach { $0.close() }
  }

  /// Connections that send nothing, a part of a request or a whole one, and are then closed or
  /// reset.
  mutating func dropped(_ count: Int) throws {
    let pieces = [
      "", "GET / HT", "GET /views HTTP/1.1\r\nHost: localhost\r\n",
      "GET /views/large/html HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ]
    for number in 0..<count {
      let connection = try Connection(port: mirror.port, source: 2 + number % 100)
      connection.send(pieces[number % pieces.count].utf8)
      if number % 3 == 0 { connection.reset() } else { connection.close() }
    }
  }

  /// Posts a diff, so that streams have something to send.
  private func post(_ number: Int) throws {
    let answer = try prober.ask("/views/counter/diffs", body: #"{"0":"\#(now()) \#(number)"}"#)
    guard answer.status == 200 else { throw LoadFailure("a diff got \(answer.status)") }
  }
}
