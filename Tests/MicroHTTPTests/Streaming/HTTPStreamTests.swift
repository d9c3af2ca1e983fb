import MicroHTTP
import Testing

@Suite("HTTPStream over a socket")
struct HTTPStreamTests {
  @Test("what is written reaches the client as it is written, and the connection goes on after the end")
  func written() throws {
    let streams = Streams()
    try withServer(streams.handler()) { server in
      let client = try RawClient(port: server.port)
      for round in 0..<3 {
        client.send(request(.get, "/"))
        let stream = streams.next()
        let head = try client.receiveStreamHead()
        #expect(
          "\(head)" == """
            200
            Content-Type: text/event-stream
            Transfer-Encoding: chunked
            """)
        for number in 0..<100 {
          stream.write("round \(round) event \(number)\n")
          #expect(try client.receiveChunk() == "round \(round) event \(number)\n")
        }
        #expect(stream.waiting == 0)
        stream.end()
        #expect(!stream.write("late"))
        #expect(try client.receiveChunk() == "")
        #expect(streams.nextClosure() == .ended)
      }
    }
    #expect(streams.closures.isEmpty)
  }

  @Test("what waits goes out together, after the prelude, in order")
  func prelude() throws {
    let pieces = Collected<[UInt8]>()
    for number in 0..<50 { pieces.append(Array(repeating: UInt8(48 + number % 10), count: number * 1000)) }
    let streams = Streams()
    let handler = ClosureHandler { request in
      let response = try streams.handler(prelude: { pieces.isEmpty ? nil : pieces.removeFirst() }).handle(request)
      let stream = streams.next()
      for number in 0..<1000 { stream.write("event \(number)\n") }
      stream.end()
      return response
    }
    let expected =
      (0..<50).map { String(repeating: "\($0 % 10)", count: $0 * 1000) }.joined()
      + (0..<1000).map { "event \($0)\n" }.joined()
    try withServer(handler) { server in
      let client = try RawClient(port: server.port)
      client.send(request(.get, "/"))
      _ = try client.receiveStreamHead()
      #expect(try client.receiveChunks(expected.utf8.count) == expected)
      #expect(try client.receiveChunk() == "")
    }
    #expect(streams.nextClosure() == .ended)
  }

  @Test("a client of HTTP/1.0 reads to the end of the connection")
  func http10() throws {
    let streams = Streams()
    try withServer(streams.handler()) { server in
      let client = try RawClient(port: server.port)
      client.send("GET / HTTP/1.0\r\n\r\n")
      let stream = streams.next()
      #expect(try client.receiveStreamHead().headers["Transfer-Encoding"] == nil)
      stream.write("one ")
      stream.write("two")
      stream.end()
      #expect(client.receiveRest() == "one two")
    }
    #expect(streams.nextClosure() == .ended)
  }

  @Test("HEAD gets the headers and no stream")
  func head() throws {
    let streams = Streams()
    try withServer(streams.handler()) { server in
      let client = try RawClient(port: server.port)
      client.send(request(.head, "/"))
      let head = try client.receiveStreamHead()
      #expect(
        "\(head)" == """
          200
          Connection: close
          Content-Type: text/event-stream
          """)
      #expect(streams.nextClosure() == .ended)
      #expect(!streams.next().write("x"))
      #expect(client.receiveRest() == "")
    }
  }

  @Test("a client that goes away is noticed though nothing is sent", arguments: ["closed", "reset", "half-closed"])
  func gone(how: String) throws {
    let streams = Streams()
    try withServer(streams.handler()) { server in
      let client = try RawClient(port: server.port)
      client.send(request(.get, "/"))
      let stream = streams.next()
      stream.write("hello")
      _ = try client.receiveStreamHead()
      #expect(try client.receiveChunk() == "hello")
      switch how {
      case "closed": client.disconnect()
      case "reset": client.reset()
      default: client.finishSending()
      }
      #expect(streams.nextClosure() == .gone)
      #expect(!stream.write("more"))
      if how == "half-closed" { #expect(client.isClosed()) }
    }
    #expect(streams.closures.isEmpty)
  }

  @Test("a client that reads nothing is cut off when too much waits for it, and nobody else is")
  func tooMuch() throws {
    let streams = Streams()
    try withServer(streams.handler(capacity: 100_000)) { server in
      let idle = try RawClient(port: server.port)
      idle.send(request(.get, "/"))
      let stuck = streams.next()
      let reader = try RawClient(port: server.port)
      reader.send(request(.get, "/"))
      let read = streams.next()
      _ = try reader.receiveStreamHead()
      let piece = String(repeating: "x", count: 10_000)
      var rounds = 0
      while stuck.write(piece) {
        rounds += 1
        read.write(piece)
        #expect(try reader.receiveChunks(10_000).utf8.count == 10_000)
      }
      #expect(rounds > 10)
      #expect(streams.nextClosure() == .stuck)
      read.write("still")
      #expect(try reader.receiveChunk() == "still")
      // What the system had taken can still be read; then it is over, without the end of the body.
      #expect(!idle.receiveRest().hasSuffix("0\r\n\r\n"))
    }
  }

  @Test("a client that takes nothing for too long is cut off")
  func tooLong() throws {
    let streams = Streams()
    try withServer(streams.handler(capacity: 64 << 20), timeLimits: TimeLimits(stalled: .milliseconds(50))) { server in
      let client = try RawClient(port: server.port)
      client.send(request(.get, "/"))
      let stream = streams.next()
      stream.write([UInt8](repeating: 120, count: 32 << 20))
      #expect(streams.nextClosure() == .stuck)
      #expect(!stream.write("more"))
    }
  }

  @Test("a heartbeat is sent when nothing else is")
  func heartbeat() throws {
    let streams = Streams()
    let handler = streams.handler(heartbeat: .init(every: .milliseconds(5), bytes: Array(": \n\n".utf8)))
    try withServer(handler) { server in
      let client = try RawClient(port: server.port)
      client.send(request(.get, "/"))
      _ = try client.receiveStreamHead()
      for _ in 0..<5 { #expect(try client.receiveChunk() == ": \n\n") }
    }
  }

  @Test("a stream beyond the limit is refused and closed, and the next one finds room when one ends")
  func limit() throws {
    let streams = Streams()
    try withServer(streams.handler(), maximumStreams: 2) { server in
      let clients = try (0..<2).map { _ in try RawClient(port: server.port) }
      for client in clients {
        client.send(request(.get, "/"))
        _ = try client.receiveStreamHead()
      }
      let (first, _) = (streams.next(), streams.next())
      let late = try RawClient(port: server.port)
      late.send(request(.get, "/"))
      #expect(
        "\(try late.receive())" == """
          503
          Content-Type: application/problem+json
          Retry-After: 5

          {"type":"about:blank","title":"Service Unavailable","status":503,\
          "detail":"There are as many event streams as this server takes."}
          """)
      #expect(streams.nextClosure() == .gone)
      #expect(!streams.next().write("x"))
      first.end()
      #expect(try clients[0].receiveChunk() == "")
      #expect(streams.nextClosure() == .ended)
      late.send(request(.get, "/"))
      #expect(try late.receiveStreamHead().status == 200)
    }
  }

  @Test("a stream that cannot be sent is closed", arguments: [199, 204, 304, 600])
  func unsent(status: Int) throws {
    let closed = Collected<HTTPStream.Closure>()
    let handler = ClosureHandler { _ in
      HTTPResponse(status: HTTPStatus(code: status), body: .stream(HTTPStream(onClose: { closed.append($0) })))
    }
    let answer = try exchange(request(.get, "/"), with: handler)
    #expect(answer.status == ((200...599).contains(status) ? status : 500))
    #expect(closed.all == [(200...599).contains(status) ? .ended : .gone])
  }

  @Test("a stream with a header that cannot be sent, and one that is let go, are closed")
  func neverSent() throws {
    let closed = Collected<HTTPStream.Closure>()
    let handler = ClosureHandler { request in
      let stream = HTTPStream(onClose: { closed.append($0) })
      if request.segments == ["thrown"] { throw HTTPError(.conflict) }
      return HTTPResponse(headers: ["X": "a\nb"], body: .stream(stream))
    }
    #expect(try exchange(request(.get, "/thrown"), with: handler).status == 409)
    #expect(try exchange(request(.get, "/"), with: handler).status == 500)
    #expect(closed.all == [.gone, .gone])
  }

  @Test("stopping sends what waits, and ends every stream")
  func stopped() throws {
    let streams = Streams()
    let server = HTTPServer(handler: streams.handler())
    try server.start()
    let clients = try (0..<20).map { _ in try RawClient(port: server.port) }
    for client in clients {
      client.send(request(.get, "/"))
      _ = try client.receiveStreamHead()
      streams.next().write("last words")
    }
    #expect(server.stop() == 0)
    for client in clients {
      #expect(try client.receiveChunk() == "last words")
      #expect(try client.receiveChunk() == "")
      #expect(client.isClosed())
    }
    #expect(clients.map { _ in streams.nextClosure() }.allSatisfy { $0 == .ended })
  }

  @Test("stopping does not wait longer than it may for a client that takes nothing")
  func stoppedInspite() throws {
    let streams = Streams()
    let server = HTTPServer(handler: streams.handler(capacity: 64 << 20))
    try server.start()
    let stuck = try RawClient(port: server.port)
    stuck.send(request(.get, "/"))
    streams.next().write([UInt8](repeating: 120, count: 32 << 20))
    let idle = try RawClient(port: server.port)
    idle.send(request(.get, "/"))
    _ = try idle.receiveStreamHead()
    #expect(server.stop(grace: .zero) >= 1)
    #expect([streams.nextClosure(), streams.nextClosure()].contains(.gone))
  }

  @Test("many writers at once: every client gets what was written for it, in order")
  func manyWriters() throws {
    let streams = Streams()
    try withServer(streams.handler()) { server in
      let clients = try (0..<20).map { _ in try RawClient(port: server.port) }
      let open = try clients.map { client in
        client.send(request(.get, "/"))
        _ = try client.receiveStreamHead()
        return streams.next()
      }
      let writers = (0..<4).map { writer in
        Background { for number in 0..<500 { for stream in open { stream.write("\(writer).\(number)\n") } } }
      }
      let length = (0..<4).map { writer in (0..<500).reduce(0) { $0 + "\(writer).\($1)\n".utf8.count } }.reduce(0, +)
      for client in clients {
        let lines = try client.receiveChunks(length).split(separator: "\n")
        for writer in 0..<4 {
          #expect(lines.filter { $0.hasPrefix("\(writer).") } == (0..<500).map { "\(writer).\($0)" })
        }
      }
      for writer in writers { writer.wait() }
    }
  }
}
