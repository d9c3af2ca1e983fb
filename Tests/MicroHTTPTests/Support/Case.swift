import MicroHTTP
import Testing

/// A request with the answer it should get, asked of the handler itself and again over a socket.
func expect(
  _ handler: any HTTPHandler, _ method: HTTPMethod, _ target: String, headers: HTTPHeaders = [:], body: String = "",
  gives expected: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let answers = try bothAnswers(handler, method, target, headers: headers, body: body)
  #expect("\(answers.direct)" == expected, "without a socket", sourceLocation: sourceLocation)
  #expect("\(answers.overSocket)" == expected, "over a socket", sourceLocation: sourceLocation)
  #expect(answers.overSocket.headers["Date"] != nil, sourceLocation: sourceLocation)
}

/// The same with what is to be seen of the answer, where the whole of it would say too much.
func expect<Seen: Equatable>(
  _ handler: any HTTPHandler, _ method: HTTPMethod, _ target: String, headers: HTTPHeaders = [:], body: String = "",
  gives expected: Seen, sourceLocation: SourceLocation = #_sourceLocation, _ look: (Answer) -> Seen
) throws {
  let answers = try bothAnswers(handler, method, target, headers: headers, body: body)
  #expect(look(answers.direct) == expected, "without a socket", sourceLocation: sourceLocation)
  #expect(look(answers.overSocket) == expected, "over a socket", sourceLocation: sourceLocation)
}

/// What a handler answers, and what a server with it does.
func bothAnswers(
  _ handler: any HTTPHandler, _ method: HTTPMethod, _ target: String, headers: HTTPHeaders = [:], body: String = ""
) throws -> (direct: Answer, overSocket: Answer) {
  let direct: HTTPResponse
  do throws(HTTPError) {
    let request = try HTTPRequest(
      method: method, target: target, headers: withHost(headers), body: Array(body.utf8))
    direct = handler.respond(to: request)
  } catch {
    direct = error.response
  }
  let overSocket = try withServer(handler) { server in
    let client = try RawClient(port: server.port)
    client.send(request(method, target, headers: headers, body: body))
    return try client.receive(toHead: method == .head)
  }
  return (Answer(direct, to: method), overSocket)
}

/// The bytes of a well-formed request, to `localhost` unless the headers say otherwise.
func request(
  _ method: HTTPMethod, _ target: String, headers: HTTPHeaders = [:], body: String = ""
) -> String {
  var lines = ["\(method) \(target) HTTP/1.1"]
  lines += withHost(headers).fields.map { "\($0.name): \($0.value)" }
  if !body.isEmpty { lines.append("Content-Length: \(body.utf8.count)") }
  return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
}

private func withHost(_ headers: HTTPHeaders) -> HTTPHeaders {
  headers["Host"] == nil ? HTTPHeaders([HTTPHeaders.Field(name: "Host", value: "localhost")] + headers.fields) : headers
}

/// Runs a server on a free port for as long as the body runs.
func withServer<Result>(
  _ handler: any HTTPHandler, maximumBodyBytes: Int = 16 << 20, maximumConnections: Int = 1_024,
  maximumStreams: Int = 512, timeLimits: TimeLimits = TimeLimits(),
  log: @escaping @Sendable (String) -> Void = { _ in },
  _ body: (HTTPServer) throws -> Result
) throws -> Result {
  let server = HTTPServer(
    maximumBodyBytes: maximumBodyBytes, maximumConnections: maximumConnections, maximumStreams: maximumStreams,
    timeLimits: timeLimits, handler: handler,
    log: log)
  try server.start()
  defer { server.stop() }
  return try body(server)
}

/// What the server under test answers to these bytes on a connection of their own.
func exchange(_ bytes: String, with handler: any HTTPHandler, maximumBodyBytes: Int = 16 << 20) throws -> Answer {
  try withServer(handler, maximumBodyBytes: maximumBodyBytes) { server in
    let client = try RawClient(port: server.port)
    client.send(bytes)
    return try client.receive()
  }
}

/// Says back what it got.
let echo = ClosureHandler { request in
  .text(
    "\(request.method) \(request.segments) \(request.queryItems.map { "\($0.name)=\($0.value)" }) \(request.body.count)"
  )
}
