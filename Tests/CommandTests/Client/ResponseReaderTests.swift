import Testing

@testable import liveview_mirror

@Suite struct ResponseReaderTests {
  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n"

  /// Reads a response in pieces of each length, and then the end of the connection.
  private func read(_ text: String, pieces size: Int) throws(MirrorClientError) -> MirrorResponse {
    var reader = ResponseReader()
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      try reader.receive(Array(bytes[start..<min(start + size, bytes.count)]))
    }
    return try reader.end()
  }

  @Test(arguments: [
    ("\(head)Content-Length: 5\r\n\r\nhello", "hello"),
    ("\(head)content-length:0\r\n\r\n", ""),
    ("\(head)Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1;x=y\r\n!\r\n0\r\nTrailer: 1\r\n\r\n", "hello!"),
    ("\(head)Connection: close\r\n\r\nhello", "hello"),
    ("HTTP/1.1 100 Continue\r\n\r\n\(head)Content-Length: 5\r\n\r\nhello", "hello"),
    ("\(head)Content-Length: 5\r\n\r\nhello, and more", "hello"),
  ])
  func `a response is read however it is cut`(text: String, body: String) throws {
    for size in 1...text.utf8.count {
      #expect(try read(text, pieces: size) == MirrorResponse(status: 200, type: "text/plain", body: Array(body.utf8)))
    }
  }

  @Test func `a response without a body ends with its head`() throws {
    #expect(try read("HTTP/1.1 204 No Content\r\n\r\n", pieces: 1) == MirrorResponse(status: 204, type: "", body: []))
  }

  @Test(arguments: [
    "", "HTTP/1.1 200 OK\r\n", "\(head)Content-Length: 6\r\n\r\nhello",
    "\(head)Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
  ])
  func `the end of the connection in a response is an error`(text: String) {
    #expect(throws: MirrorClientError.closed) { try read(text, pieces: 1) }
  }

  @Test(arguments: [
    "SSH-2.0-OpenSSH_9.2\r\n", "\u{15}\u{3}\u{1}", "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 OK\r\n\r\n",
    "HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "\(head)Content-Length: -1\r\n\r\n",
    "\(head)Transfer-Encoding: chunked\r\n\r\nxyz\r\n", "\(head)Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
  ])
  func `what is not HTTP is an error`(text: String) {
    #expect(throws: MirrorClientError.notHTTP) { try read(text, pieces: 1) }
    #expect(throws: MirrorClientError.notHTTP) { try read(text, pieces: 1_000) }
  }

  @Test func `a head without an end is not read forever`() {
    var reader = ResponseReader()
    #expect(throws: MirrorClientError.notHTTP) {
      for _ in 0..<100 { try reader.receive(Array("HTTP/1.1 200 ".utf8) + [UInt8](repeating: 0x61, count: 1_000)) }
    }
  }
}
