import Foundation
import MicroHTTP
import Testing

@Suite("HTTPStream over a socket")
struct HTTPStreamTests {
  @Test
  func `each write is sent at once as a chunk, and the connection stays open after the stream`() throws {
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

  @Test
  func `bytes that were written early are sent in order after the prelude`() throws {
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

  @Test
  func `a client that disconnects after it has read the end has missed nothing`() {
    let closures = Collected<HTTPStream.Closure>()
    let stream = HTTPStream(onClose: { closures.append($0) })
    stream.write(Array("all".utf8))
    stream.end()
    #expect(stream.take() == .bytes(Array("all".utf8)))
    #expect(stream.take() == .end)
    stream.close(.disconnected)
    #expect(closures.all == [.ended])

    let cut = HTTPStream(onClose: { closures.append($0) })
    cut.write(Array("all".utf8))
    cut.end()
    cut.close(.disconnected)
    #expect(closures.all == [.ended, .disconnected])
  }

  @Test
  func `a stream for an HTTP/1.0 client is not chunked and ends with the connection`() throws {
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

  @Test
  func `HEAD gets the headers, and the stream is closed`() throws {
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

  /// A client that has received the first chunk of its stream.
  private func greeted(by streams: Streams, on port: UInt16) throws -> (client: RawClient, stream: HTTPStream) {
    let client = try RawClient(port: port)
    client.send(request(.get, "/"))
    let stream = streams.next()
    stream.write("hello")
    _ = try client.receiveStreamHead()
    #expect(try client.receiveChunk() == "hello")
    return (client, stream)
  }

  @Test(arguments: ["closed", "reset", "half-closed"])
  func `a disconnect of the client closes the stream even if the server sends nothing`(how: String) throws {
    let streams = Streams()
    try withServer(streams.handler()) { server in
      let (client, stream) = try greeted(by: streams, on: server.port)
      switch how {
      case "closed": client.disconnect()
      case "reset": client.reset()
      default: client.finishSending()
      }
      #expect(streams.nextClosure() == .disconnected)
      #expect(!stream.write("more"))
      if how == "half-closed" { #expect(client.isClosed()) }
    }
    #expect(streams.closures.isEmpty)
  }

  @Test(arguments: ["ended", "closed", "reset", "half-closed", "closed while writing", "stalled"])
  func `the end of a stream is not logged as an error`(how: String) throws {
    let streams = Streams()
    let log = Collected<String>()
    try withServer(streams.handler(capacity: 100_000), log: { log.append($0) }) { server in
      for _ in 0..<10 {
        let (client, stream) = try greeted(by: streams, on: server.port)
        switch how {
        case "ended": stream.end()
        case "closed": client.disconnect()
        case "reset": client.reset()
        case "half-closed": client.finishSending()
        case "stalled": while stream.write(String(repeating: "x", count: 10_000)) {}
        default:
          client.disconnect()
          for _ in 0..<50 { stream.write("more") }
        }
        #expect(streams.nextClosure() == (how == "ended" ? .ended : how == "stalled" ? .stalled : .disconnected))
      }
    }
    // The server has stopped, so each line has been written.
    #expect(log.all == [])
  }

  @Test
  func `a stream is closed when its unread bytes exceed the capacity, and other streams stay open`() throws {
    let streams = Streams()
    try withServer(streams.handler(capacity: 100_000)) { server in
      let idle = try RawClient(port: server.port)
      idle.send(request(.get, "/"))
      let stuck = streams.next()
      // A stream that overflows before its response is sent becomes a 500.
      _ = try idle.receiveStreamHead()
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
      #expect(streams.nextClosure() == .stalled)
      read.write("still")
      #expect(try reader.receiveChunk() == "still")
      // The client can still read the bytes in the kernel's buffers, but not the last chunk that
      // would end the body.
      #expect(!idle.receiveRest().hasSuffix("0\r\n\r\n"))
    }
  }

  @Test
  func `a stream is closed when its client reads nothing for longer than the time limit`() throws {
    let streams = Streams()
    try withServer(streams.handler(capacity: 64 << 20), timeLimits: TimeLimits(stalled: .milliseconds(50))) { server in
      let client = try RawClient(port: server.port)
      client.send(request(.get, "/"))
      let stream = streams.next()
      stream.write([UInt8](repeating: 120, count: 32 << 20))
      #expect(streams.nextClosure() == .stalled)
      #expect(!stream.write("more"))
    }
  }

  @Test
  func `a heartbeat is sent while the stream is idle`() throws {
    let streams = Streams()
    let handler = streams.handler(heartbeat: .init(every: .milliseconds(5), bytes: Array(": \n\n".utf8)))
    try withServer(handler) { server in
      let client = try RawClient(port: server.port)
      client.send(request(.get, "/"))
      _ = try client.receiveStreamHead()
      for _ in 0..<5 { #expect(try client.receiveChunk() == ": \n\n") }
    }
  }

  @Test
  func `bytes that follow within the pace of a stream are sent together`() throws {
    let streams = Streams()
    try withServer(streams.handler(pace: .seconds(1))) { server in
      let client = try RawClient(port: server.port)
      client.send(request(.get, "/"))
      let stream = streams.next()
      _ = try client.receiveStreamHead()
      stream.write("a")
      #expect(try client.receiveChunk() == "a")
      let begin = ContinuousClock.now
      for piece in ["b", "c", "d"] { stream.write(piece) }
      #expect(try client.receiveChunk() == "bcd")
      #expect(begin.duration(to: .now) >= .milliseconds(500))
      // The end does not wait.
      stream.write("e")
      stream.end()
      #expect(try client.receiveChunk() == "e")
      #expect(streams.nextClosure() == .ended)
    }
  }

  @Test
  func `the pace does not make a client exceed the capacity`() throws {
    let streams = Streams()
    try withServer(streams.handler(capacity: 80_000, pace: .seconds(1))) { server in
      let client = try RawClient(port: server.port)
      client.send(request(.get, "/"))
      let stream = streams.next()
      _ = try client.receiveStreamHead()
      var received = 0
      for _ in 0..<40 {
        #expect(stream.write(String(repeating: "x", count: 12_000)))
        while received < 12_000 { received += try client.receiveChunk().utf8.count }
        received -= 12_000
      }
      #expect(streams.closures.isEmpty)
    }
  }

  @Test
  func `a stream beyond the limit gets a 503, and a new one is accepted after another has ended`() throws {
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

          {"type":"about:blank","title":"Service Unavailable","status":503,"code":"service-unavailable",\
          "detail":"All event streams of this server are in use: close one or try again later."}

          """)
      #expect(streams.nextClosure() == .disconnected)
      #expect(!streams.next().write("x"))
      first.end()
      #expect(try clients[0].receiveChunk() == "")
      #expect(streams.nextClosure() == .ended)
      late.send(request(.get, "/"))
      #expect(try late.receiveStreamHead().status == 200)
    }
  }

  @Test(arguments: [199, 204, 304, 600])
  func `a stream is closed if its status allows no body or is invalid`(status: Int) throws {
    let closed = Collected<HTTPStream.Closure>()
    let handler = ClosureHandler { _ in
      HTTPResponse(status: HTTPStatus(code: status), body: .stream(HTTPStream(onClose: { closed.append($0) })))
    }
    let answer = try exchange(request(.get, "/"), with: handler)
    #expect(answer.status == ((200...599).contains(status) ? status : 500))
    #expect(closed.all == [(200...599).contains(status) ? .ended : .disconnected])
  }

  @Test
  func `a stream is closed if its response has an invalid header, or if it is released unsent`() throws {
    let closed = Collected<HTTPStream.Closure>()
    let handler = ClosureHandler { request in
      let stream = HTTPStream(onClose: { closed.append($0) })
      if request.segments == ["thrown"] { throw HTTPError(.conflict) }
      return HTTPResponse(headers: ["X": "a\nb"], body: .stream(stream))
    }
    #expect(try exchange(request(.get, "/thrown"), with: handler).status == 409)
    #expect(try exchange(request(.get, "/"), with: handler).status == 500)
    #expect(closed.all == [.disconnected, .disconnected])
  }

  @Test
  func `a stopping server sends the buffered bytes and ends every stream`() throws {
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

  @Test
  func `a stopping server waits at most the grace period for a client that reads nothing`() throws {
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
    #expect([streams.nextClosure(), streams.nextClosure()].contains(.disconnected))
  }

  @Test
  func `each stream delivers the writes of every concurrent writer in order`() throws {
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

@Suite("Streams that share memory")
struct StreamBudgetTests {
  @Test
  func `a stream that nobody reads is closed earlier while all streams together exceed the budget`() {
    let budget = StreamBudget(limit: 10_000)
    let closed = Collected<Int>()
    let streams = (0..<4).map { number in
      HTTPStream(capacity: 8_000, budget: budget, onClose: { _ in closed.append(number) })
    }
    let kilobyte = [UInt8](repeating: 1, count: 1_000)
    // One stream may use its whole capacity while the others wait for nothing.
    for _ in 0..<8 { #expect(streams[0].write(kilobyte)) }
    for stream in streams[1...] { #expect(stream.write([1])) }
    #expect(budget.bytes == 8_003)
    #expect(streams[1].write(kilobyte))
    // Then it exceeds its share, and its bytes are free.
    #expect(!streams[0].write(kilobyte))
    #expect(closed.all == [0])
    #expect(budget.bytes < 3_000)
    for _ in 0..<5 { #expect(streams[2].write(kilobyte)) }
    while case .bytes = streams[2].take() {}
    for stream in streams[1...] { stream.close(.disconnected) }
    #expect(budget.bytes == 0)
  }

  /// 285 of 500 clients that read everything were once disconnected.
  @Test
  func `a client that has read everything gets the next bytes beyond the budget`() {
    let budget = StreamBudget(limit: 10_000)
    let streams = (0..<4).map { _ in HTTPStream(capacity: 8_000, budget: budget) }
    for stream in streams { #expect(stream.write([UInt8](repeating: 1, count: 4_000))) }
    #expect(budget.bytes == 16_000)
    #expect(!streams[0].write([1]))
    for stream in streams { stream.close(.disconnected) }
  }
}
