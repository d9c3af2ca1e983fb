import MicroHTTP
import Testing

@Suite("Clients that leave")
struct LeavingClientTests {
  /// What leaves must not be let go because of its time only, nor what stays.
  let patient = TimeLimits(idle: .seconds(3600), head: .seconds(3600), body: .seconds(3600), stalled: .seconds(3600))

  /// Older connections, on each of the server's threads, that stay: what libmicrohttpd does with a connection depends on
  /// whether there is an older one.
  func olderClients(of server: HTTPServer) throws -> [RawClient] {
    try (0..<8).map { _ in try RawClient(port: server.port) }
  }

  @Test(
    "the connection of a stream is closed with it, though nothing else happens and older ones stay",
    arguments: ["closed", "reset", "half-closed", "ended, HTTP/1.0", "stuck"])
  func streams(how: String) throws {
    let streams = Streams()
    try withServer(streams.handler(capacity: 1 << 10), timeLimits: patient) { server in
      let older = try olderClients(of: server)
      #expect(eventually { server.connections == older.count })
      let clients = try (0..<12).map { _ in
        let client = try RawClient(port: server.port)
        client.send(how.hasSuffix("1.0") ? "GET / HTTP/1.0\r\n\r\n" : request(.get, "/"))
        _ = try client.receiveStreamHead()
        return client
      }
      for client in clients {
        let stream = streams.next()
        switch how {
        case "closed": client.disconnect()
        case "reset": client.reset()
        case "half-closed": client.finishSending()
        case "stuck": #expect(!stream.write([UInt8](repeating: 120, count: 1 << 20)))
        default: stream.end()
        }
      }
      #expect(eventually { server.connections == older.count })
      #expect(eventually { server.streams == 0 })
      for _ in clients { _ = streams.nextClosure() }
    }
  }

  @Test("a client that is killed in the middle of a large answer leaves nothing behind")
  func largeAnswer() throws {
    let body = [UInt8](repeating: 120, count: 16 << 20)
    try withServer(ClosureHandler { _ in HTTPResponse(body: .bytes(body)) }, timeLimits: patient) { server in
      let older = try olderClients(of: server)
      #expect(eventually { server.connections == older.count })
      let (descriptors, threads) = (openDescriptors(), runningThreads())
      for number in 0..<12 {
        let client = try RawClient(port: server.port)
        client.send(request(.get, "/"))
        // The answer has begun, and does not fit into what the system keeps of it.
        #expect(try client.receiveStreamHead().contentLength == 16 << 20)
        if number % 2 == 0 { client.reset() } else { client.disconnect() }
      }
      #expect(eventually { server.connections == older.count })
      #expect(eventually { openDescriptors() == descriptors && runningThreads() == threads })
    }
  }
}
