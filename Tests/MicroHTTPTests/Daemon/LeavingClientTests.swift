import MicroHTTP
import Testing

@Suite("Disconnecting clients")
struct LeavingClientTests {
  /// Time limits of an hour, so that no connection is closed because of its age.
  let patient = TimeLimits(idle: .seconds(3600), head: .seconds(3600), body: .seconds(3600), stalled: .seconds(3600))

  /// Connections that are opened first, on each of the server's threads, and stay open.
  /// libmicrohttpd treats a connection differently if its thread has an older one.
  func olderClients(of server: HTTPServer) throws -> [RawClient] {
    try (0..<8).map { _ in try RawClient(port: server.port) }
  }

  @Test(
    arguments: ["closed", "reset", "half-closed", "ended, HTTP/1.0", "stuck"])
  func `the end of a stream closes its connection without other traffic, and older ones stay open`(how: String) throws {
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
      #expect(eventually { server.streamCount == 0 })
      for _ in clients { _ = streams.nextClosure() }
    }
  }

  @Test
  func `a client that disconnects in the middle of a large response leaks no descriptor and no thread`() throws {
    let body = [UInt8](repeating: 120, count: 16 << 20)
    try withServer(ClosureHandler { _ in HTTPResponse(body: .bytes(body)) }, timeLimits: patient) { server in
      let older = try olderClients(of: server)
      #expect(eventually { server.connections == older.count })
      let (descriptors, threads) = (openDescriptorCount(), runningThreads())
      for number in 0..<12 {
        let client = try RawClient(port: server.port)
        client.send(request(.get, "/"))
        // The response has begun and is longer than the socket buffers.
        #expect(try client.receiveStreamHead().contentLength == 16 << 20)
        if number % 2 == 0 { client.reset() } else { client.disconnect() }
      }
      #expect(eventually { server.connections == older.count })
      // Fewer: what an earlier test used may end now.
      #expect(eventually { openDescriptorCount() <= descriptors && runningThreads() <= threads })
    }
  }
}
