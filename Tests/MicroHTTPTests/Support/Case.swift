import MicroHTTP
import Testing

/// Checks the answer to a request twice: of the handler called directly, and of a server over a
/// socket.
func expect(
  _ handler: any HTTPHandler, _ method: HTTPMethod, _ target: String, headers: HTTPHeaders = [:], body: String = "",
  gives expected: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let answers = try bothAnswers(handler, method, target, headers: headers, body: body)
  #expect("\(answers.direct)" == expected, "without a socket", sourceLocation: sourceLocation)
  #expect("\(answers.overSocket)" == expected, "over a socket", sourceLocation: sourceLocation)
  #expect(answers.overSocket.headers["Date"] != nil, sourceLocation: sourceLocation)
}

/// Like the function above, but compares only the part of the answer that `look` returns.
func expect<Seen: Equatable>(
  _ handler: any HTTPHandler, _ method: HTTPMethod, _ target: String, headers: HTTPHeaders = [:], body: String = "",
  gives expected: Seen, sourceLocation: SourceLocation = #_sourceLocation, _ look: (Answer) -> Seen
) throws {
  let answers = try bothAnswers(handler, method, target, headers: headers, body: body)
  #expect(look(answers.direct) == expected, "without a socket", sourceLocation: sourceLocation)
  #expect(look(answers.overSocket) == expected, "over a socket", sourceLocation: sourceLocation)
}

/// The answer of a handler called directly, and of a server with that handler over a socket.
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
  _ handler: any HTTPHandler, maximumBodyBytes: Int = 16 << 20, maximumConnections: Int? = nil,
  maximumStreams: Int = 512, timeLimits: TimeLimits = TimeLimits(),
  middleware: @escaping @Sendable (any HTTPHandler) -> any HTTPHandler = { $0 },
  log: @escaping @Sendable (String) -> Void = { _ in },
  _ body: (HTTPServer) throws -> Result
) throws -> Result {
  let server = HTTPServer(
    maximumBodyBytes: maximumBodyBytes, maximumConnections: maximumConnections, maximumStreams: maximumStreams,
    timeLimits: timeLimits, handler: handler, middleware: middleware, log: log)
  try server.start()
  defer { server.stop() }
  return try body(server)
}

/// The first answer of a new server to the bytes on a new connection.
func exchange(_ bytes: String, with handler: any HTTPHandler, maximumBodyBytes: Int = 16 << 20) throws -> Answer {
  try withServer(handler, maximumBodyBytes: maximumBodyBytes) { server in
    let client = try RawClient(port: server.port)
    client.send(bytes)
    return try client.receive()
  }
}

/// Responds with the method, path segments, query items and body length of the request.
let echo = ClosureHandler { request in
  .text(
    "\(request.method) \(request.segments) \(request.queryItems.map { "\($0.name)=\($0.value)" }) \(request.body.count)"
  )
}
