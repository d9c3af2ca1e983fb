import Foundation
import MicroHTTP
import Testing

@Suite("HTTPServer")
struct HTTPServerTests {
  @Test
  func `a connection serves several requests in turn`() throws {
    try withServer(echo) { server in
      let client = try RawClient(port: server.port)
      for number in 0..<5 {
        client.send(request(.post, "/\(number)", body: String(repeating: "x", count: number)))
        #expect(
          "\(try client.receive())" == """
            200
            Content-Type: text/plain; charset=utf-8

            POST ["\(number)"] [] \(number)
            """)
      }
      client.send(request(.head, "/"))
      #expect(try client.receive(toHead: true).contentLength == 12)
      client.send("GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      #expect(
        "\(try client.receive())" == """
          200
          Connection: close
          Content-Type: text/plain; charset=utf-8

          GET ["last"] [] 0
          """)
      #expect(client.isClosed())
    }
  }

  @Test
  func `pipelined requests are answered in order`() throws {
    try withServer(echo) { server in
      let client = try RawClient(port: server.port)
      client.send(request(.get, "/1") + request(.post, "/2", body: "two") + request(.get, "/3"))
      #expect(try client.receive().body == #"GET ["1"] [] 0"#)
      #expect(try client.receive().body == #"POST ["2"] [] 3"#)
      #expect(try client.receive().body == #"GET ["3"] [] 0"#)
    }
  }

  @Test
  func `an HTTP/1.0 request is answered, and the connection is closed`() throws {
    try withServer(echo) { server in
      let client = try RawClient(port: server.port)
      client.send("GET /a HTTP/1.0\r\n\r\n")
      #expect(try client.receive().body == #"GET ["a"] [] 0"#)
      #expect(client.isClosed())
    }
  }

  @Test
  func `the chunks of a body are joined`() throws {
    let handler = ClosureHandler { request in .text(String(decoding: request.body, as: UTF8.self)) }
    let answer = try exchange(
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n7;x=y\r\n, world\r\n0\r\nT: 1\r\n\r\n",
      with: handler)
    #expect(answer.body == "hello, world")
  }

  @Test(arguments: [1, 16_383, 16_384, 16_385, 1_000_000])
  func `a body of any length arrives completely`(count: Int) throws {
    let back = ClosureHandler { request in HTTPResponse(contentType: "application/octet-stream", bytes: request.body) }
    try withServer(back) { server in
      let client = try RawClient(port: server.port)
      let body = String((0..<count).map { "abcdefghijk".utf8.map { Character(UnicodeScalar($0)) }[$0 % 11] })
      client.send(request(.post, "/", body: body))
      #expect(try client.receive().body == body)
    }
  }

  @Test
  func `a request that expects 100 Continue gets it before the body`() throws {
    try withServer(echo) { server in
      let client = try RawClient(port: server.port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
      #expect(try client.receiveStatusLine() == "HTTP/1.1 100 Continue")
      client.send("ok")
      #expect(try client.receive().body == "POST [] [] 2")
    }
  }

  @Test
  func `two hundred concurrent connections each get their own response`() throws {
    try withServer(echo) { server in
      let clients = try (0..<200).map { _ in try RawClient(port: server.port) }
      for (number, client) in clients.enumerated() {
        client.send(request(.post, "/\(number)", body: String(repeating: "x", count: number)))
      }
      for (number, client) in clients.enumerated() {
        #expect(
          "\(try client.receive())" == """
            200
            Content-Type: text/plain; charset=utf-8

            POST ["\(number)"] [] \(number)
            """)
      }
    }
  }

  // MARK: - Addresses and ports

  @Test
  func `the server listens on IPv6`() throws {
    let server = HTTPServer(address: "::1", handler: echo)
    try server.start()
    defer { server.stop() }
    let client = try RawClient(port: server.port, ipv6: true)
    client.send(request(.get, "/six"))
    #expect(try client.receive().body == #"GET ["six"] [] 0"#)
  }

  @Test
  func `the server listens on all addresses`() throws {
    let server = HTTPServer(address: "0.0.0.0", handler: echo)
    try server.start()
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    client.send(request(.get, "/"))
    #expect(try client.receive().status == 200)
  }

  @Test(arguments: ["127.0.0.1", "::1"])
  func `a port in use is an error that names the port`(address: String) throws {
    let first = HTTPServer(address: address, handler: echo)
    try first.start()
    defer { first.stop() }
    let second = HTTPServer(address: address, port: first.port, handler: echo)
    let error = #expect(throws: HTTPServerError.self) { try second.start() }
    #expect(error?.description.hasPrefix("port \(first.port) on \(address) is already used by ") == true)
    #if os(Linux)
      #expect(error?.description.hasSuffix(" (process \(getpid()))") == true)
    #endif
    #expect(second.stop() == 0)
  }

  @Test(arguments: ["localhost", "", "1.2.3", "::1%", "127.0.0.1:80"])
  func `an invalid address is an error`(address: String) {
    #expect(throws: HTTPServerError.invalidAddress(address)) {
      try HTTPServer(address: address, handler: echo).start()
    }
  }

  @Test
  func `an address that the machine does not have is an error with the system's reason`() {
    let error = #expect(throws: HTTPServerError.self) {
      try HTTPServer(address: "192.0.2.1", port: 80, handler: echo).start()
    }
    #expect(error?.description == "cannot listen on port 80 of 192.0.2.1: Cannot assign requested address")
  }

  @Test
  func `starting a running server is an error`() throws {
    try withServer(echo) { server in
      _ = #expect(throws: HTTPServerError.alreadyRunning) { try server.start() }
    }
  }
}
