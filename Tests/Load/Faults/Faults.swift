import ArgumentParser
import Glibc

/// Clients with every kind of fault against the program, while other clients are served.
///
/// Descriptors, threads and subscriptions are counted before each fault and must return to the same
/// values afterwards.
struct Faults: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Killed, stuck and half-closed clients, dropped connections, SIGTERM under load: nothing leaks.")

  @OptionGroup var options: LoadOptions
  @Option(help: "Slow readers, and slow writers.") var slow: Int?
  @Option(help: "Connections that are opened and dropped.") var dropped: Int?
  @Option(
    help:
      "The most that the 99th percentile of what others ask may take, in milliseconds, beyond twice that of an echo."
  )
  var most = 100.0

  func run() throws {
    var findings = Findings(options)
    let mirror = try MirrorProcess(program: options.program, arguments: options.arguments)
    let echo = try Echo()
    var scene = try FaultScene(mirror: mirror, slow: slow ?? (options.quick ? 50 : 200))
    let before = try scene.settledCounts()
    findings.note("before: \(before)")

    try scene.during("clients killed in the middle of an answer", &findings) {
      try $0.killed(reading: "/views/large/tree", count: options.quick ? 10 : 30)
    }
    try scene.during("clients killed in the middle of a stream", &findings) {
      try $0.killed(reading: "/views/counter/events", count: options.quick ? 10 : 30)
    }
    try scene.during("half-closed sockets", &findings) { try $0.halfClosed() }
    try scene.during("slow readers", &findings) { try $0.slowReaders(seconds: options.quick ? 4 : 20) }
    try scene.during("slow writers, a byte a second", &findings) {
      try $0.slowWriters(seconds: options.quick ? 4 : 40)
    }
    try scene.during("connections opened and dropped", &findings) {
      try $0.dropped(dropped ?? (options.quick ? 2_000 : 10_000))
    }
    for fault in scene.faults { findings.note(fault, holds: false) }
    let (p99, text) = scene.others()
    let machine = echo.stop()
    let allowed = most + 2 * machine.percentile(0.99)
    findings.note("meanwhile an echo between two threads: \(machine.text)")
    findings.note("others meanwhile: \(text), at most \(allowed.hundredths) ms for p99", ofLimit: p99 / allowed)

    try terminate(mirror, &findings)
    try findings.end()
  }

  /// Sends SIGTERM while clients post diffs and read streams.
  private func terminate(_ mirror: MirrorProcess, _ findings: inout Findings) throws {
    let streams = StreamClients()
    let client = Client(port: mirror.port)
    let ids = (0..<4).map { "last-\($0)" }
    for id in ids { try client.expect(client.post("/views/\(id)/rendered", CountedPage.rendered)) }
    for number in 0..<40 { try streams.open(ids[number % 4], at: 0, port: mirror.port) }
    streams.start()
    defer { streams.stop() }
    findings.note(
      "streams are read", holds: eventually(within: 10) { streams.progress.value.begun == 40 })

    // Each writer continues until it is refused or disconnected. A response that has begun must be
    // complete.
    let posted = Shared(0)
    let cut = Shared<[String]>([])
    let port = mirror.port
    let isDone = Shared(0)
    for writer in 0..<4 {
      thread {
        while let connection = try? Connection(port: port, patience: 5) {
          let body = #"{"0":"\#(writer) \#(posted.value)"}"#
          connection.send(
            "POST /views/\(ids[writer])/diffs HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
              .utf8)
          do {
            if let status = try readWhole(connection) {
              if status == 200 { posted.change { $0 += 1 } }
              if status != 200, status != 503 { cut.change { $0.append("status \(status)") } }
            } else {
              break
            }
          } catch { cut.change { $0.append("\(error)") } }
        }
        isDone.change { $0 += 1 }
      }
    }
    let areRunning = eventually(within: 10) { posted.value > 500 }
    mirror.terminate()
    let code = mirror.wait()
    let haveStopped = eventually(within: 15) { isDone.value == 4 }
    findings.note(
      "SIGTERM under load: exit code \(code), \(posted.value) diffs were answered, and no answer was cut short",
      holds: code == 0 && areRunning && haveStopped && cut.value.isEmpty)
    for fault in cut.value.prefix(5) { findings.note(fault, holds: false) }
    let haveEnded = eventually(within: 5) { streams.progress.value.ended == 40 }
    findings.note(
      "\(streams.progress.value.ended) of 40 streams were ended in order, none lost an event",
      holds: haveEnded && streams.progress.value.faults.isEmpty)
    for fault in streams.progress.value.faults.prefix(5) { findings.note(fault, holds: false) }
  }
}

/// The status of a complete response; `nil` if the connection was closed or reset before the
/// response began.
private func readWhole(_ connection: Connection) throws -> Int? {
  while true {
    if let (answer, _) = try Answer.read(connection.unread) { return answer.status }
    switch connection.fill() {
    case .bytes: continue
    case .nothingYet: throw LoadFailure("no answer within 5 s")
    case .end, .reset:
      if connection.unread.isEmpty { return nil }
      throw LoadFailure("an answer was cut off")
    }
  }
}
