import MicroHTTP
import Testing

@Suite("RequestReport")
struct RequestReportTests {
  /// Sends each text on a new connection and reads until the server closes it.
  ///
  /// - Returns: the reports of all requests, without their durations.
  func reports(
    _ sent: [String], maximumBodyBytes: Int = 1000, timeLimits: TimeLimits = TimeLimits(head: .milliseconds(100))
  ) throws -> [String] {
    var router = Router()
    router.on(.get, "/views/{view}") { _ in .text("hello") }
    router.on(.post, "/views/{view}") { _ in throw HTTPError(.conflict) }
    router.on(.get, "/empty") { _ in HTTPResponse(status: .noContent) }
    router.on(.get, "/broken") { _ in HTTPResponse(headers: ["A": "b\nc"]) }
    router.on(.get, "/stream") { _ in
      let stream = HTTPStream()
      stream.write("bytes")
      stream.end()
      return HTTPResponse(body: .stream(stream))
    }
    let reports = Collected<RequestReport>()
    let server = HTTPServer(
      maximumBodyBytes: maximumBodyBytes, timeLimits: timeLimits, handler: router, onRequest: { reports.append($0) })
    try server.start()
    for bytes in sent {
      let client = try RawClient(port: server.port)
      client.send(bytes)
      client.finishSending()
      _ = client.receiveRest()
    }
    server.stop()
    #expect(reports.all.allSatisfy { $0.duration >= .zero && $0.duration < .seconds(60) })
    return reports.all.map { report in
      "\(report.method?.rawValue ?? "-") \(report.path ?? "-") \(report.route ?? "-") \(report.status.code)"
        + " in \(report.received) out \(report.sent)"
    }
  }

  @Test
  func `every request is reported once, with its route and without its query`() throws {
    let found = try reports([
      request(.get, "/views/a?token=secret") + request(.head, "/views/b") + request(.post, "/views/c", body: "abc")
        + request(.get, "/none") + request(.delete, "/views/d") + request(.get, "/empty") + request(.get, "/broken")
        + request(.get, "/stream")
    ])
    let problem = HTTPError(.conflict).response.bytes.count
    let none = HTTPError(.notFound, "There is no resource at /none.").response.bytes.count
    let method = HTTPError(.methodNotAllowed, "/views/d does not support DELETE; it supports GET, HEAD, POST, OPTIONS.")
    #expect(
      found == [
        "GET /views/a /views/{view} 200 in 0 out 5",
        "HEAD /views/b /views/{view} 200 in 0 out 0",
        "POST /views/c /views/{view} 409 in 3 out \(problem)",
        "GET /none - 404 in 0 out \(none)",
        "DELETE /views/d - 405 in 0 out \(method.response.bytes.count)",
        "GET /empty /empty 204 in 0 out 0",
        "GET /broken /broken 500 in 0 out \(HTTPError(.internalServerError).response.bytes.count)",
        "GET /stream /stream 200 in 0 out 0",
      ])
  }

  @Test
  func `a request that is refused before the handler is reported`() throws {
    #expect(
      try reports([
        request(.get, "/%zz"), "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        request(.post, "/", body: String(repeating: "x", count: 2000)),
        "POST /long HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n",
        "POST /bad HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
      ]).map { String($0.prefix { $0 != "o" }) } == [
        "GET /%zz - 400 in 0 ", "GET / - 400 in 0 ", "POST / - 413 in 2000 ", "POST /l",
        "- /bad - 400 in 0 ",
      ])
  }

  @Test
  func `a request that times out is reported`() throws {
    let reports = Collected<RequestReport>()
    let server = HTTPServer(
      timeLimits: TimeLimits(body: .milliseconds(20)), handler: echo, onRequest: { reports.append($0) })
    try server.start()
    let client = try RawClient(port: server.port)
    client.send("POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
    #expect(try client.receive().status == 408)
    server.stop()
    #expect(reports.all.map(\.status) == [.requestTimeout])
    #expect(reports.all.map(\.path) == ["/slow"])
    #expect(reports.all.map(\.received) == [3])
  }
}
