/// Pushes whose answer does not come: they wait until their deadline, and no thread waits with
/// them.
struct WaitingPushes {
  let options: LoadOptions

  private static let wait = 3.0
  private static let page =
    #"["1","1","lv:a","phx_join",{}]"# + "\n"
    + #"["1","1","lv:a","phx_reply",{"status":"ok","response":{"rendered":{"0":"0","s":["<p>","</p>"]}}}]"#

  func measure(_ findings: inout Findings) throws {
    let mirror = try MirrorProcess(program: options.program, arguments: options.arguments)
    let port = mirror.port
    let client = Client(port: port)
    try client.expect(client.post("/frames?page=p", Self.page))
    let carrier = try Connection(port: port)
    carrier.send("GET /pages/p/pushes HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
    guard case .bytes = carrier.fill() else { throw LoadFailure("the carrier gets no stream") }
    let threads = mirror.threads

    let count = 300
    let began = now()
    let body = #"{"event":"x"}"#
    let pushes = try (0..<count).map { _ in
      let connection = try Connection(port: port)
      connection.send(
        "POST /views/lv:a~p/push?wait=\(Int(Self.wait)) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
          .utf8)
      return connection
    }
    var latencies = Latencies()
    var most = 0
    while Double(now() - began) / 1e9 < Self.wait - 0.5 {
      let asked = now()
      try client.expect(client.get("/healthz"))
      latencies.add(now() - asked)
      most = max(most, mirror.threads)
      sleep(until: now() + 10_000_000)
    }
    let answered = pushes.filter { push in
      while push.unread.isEmpty, case .bytes = push.fill() {}
      return push.unread.starts(with: "HTTP/1.1 504 ".utf8)
    }.count
    let passed = Double(now() - began) / 1e9
    findings.note(
      "\(answered) of \(count) pushes without an answer ended with 504 after \(passed.hundredths) s",
      holds: answered == count, ofLimit: passed / (Self.wait + 2))
    // The thread of the deadlines, and the connection of the client.
    findings.note("meanwhile \(most) threads instead of \(threads)", holds: most <= threads + 2)
    findings.note("meanwhile GET /healthz: \(latencies.text)", ofLimit: latencies.percentile(0.5) / 20)
    mirror.terminate()
    findings.note("it ends with exit code \(mirror.wait())")
  }
}
