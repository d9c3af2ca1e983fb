import MirrorSupport
import NIOCore
import NIOEmbedded
import NIOWebSocket
import Testing

@testable import LiveViewClient

@Suite struct WebSocketHandlerTests {
  private struct Fixture {
    let channel = EmbeddedChannel()
    let handler: WebSocketHandler
    let events = Guarded<[String]>([])

    init(maximumMessage: Int = 64 << 20) throws {
      let events = events
      handler = WebSocketHandler(maximumMessage: maximumMessage) { event in
        events.withLock { events in
          switch event {
          case .message(let bytes):
            events.append(bytes.count < 100 ? String(decoding: bytes, as: UTF8.self) : "\(bytes.count) bytes")
          case .closed(let reason): events.append("closed: \(reason)")
          }
        }
      }
      try channel.pipeline.syncOperations.addHandler(handler)
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    func receive(_ opcode: WebSocketOpcode, _ text: String = "", isLast: Bool = true) throws {
      try channel.writeInbound(WebSocketFrame(fin: isLast, opcode: opcode, data: ByteBuffer(string: text)))
    }

    func sent() throws -> WebSocketFrame? { try channel.readOutbound(as: WebSocketFrame.self) }

    var log: [String] { events.current }
  }

  @Test func `fragments are joined, and control frames between them are answered`() throws {
    let it = try Fixture()
    try it.receive(.text, "[\"1\",", isLast: false)
    try it.receive(.ping, "beat")
    try it.receive(.continuation, "\"2\"", isLast: false)
    try it.receive(.continuation, "]")
    try it.receive(.text, "[]")
    #expect(it.log == ["[\"1\",\"2\"]", "[]"])
    let pong = try #require(try it.sent())
    #expect(pong.opcode == .pong && pong.maskKey != nil)
    // The encoder applies the mask.
    #expect(String(buffer: pong.data) == "beat")
  }

  @Test func `a message that is too long, or a fragment without a beginning, closes the socket`() throws {
    let long = try Fixture(maximumMessage: 10)
    try long.receive(.text, "123456", isLast: false)
    try long.receive(.continuation, "78901")
    var close = try #require(try long.sent()?.data)
    #expect(close.readWebSocketErrorCode() == .messageTooLarge)
    #expect(long.log == ["closed: the server has sent a message of more than 10 bytes"])
    // The rest of the message is ignored.
    try long.receive(.continuation, "2")
    #expect(try long.sent() == nil)
    let stray = try Fixture()
    try stray.receive(.continuation, "x")
    #expect(stray.log == ["closed: the server has sent a frame that violates the WebSocket protocol"])
    close = try #require(try stray.sent()?.data)
    #expect(close.readWebSocketErrorCode() == .protocolError)
  }

  @Test(arguments: [1000, 1001, 1012, 4000])
  func `the code of the server's close frame is reported`(code: Int) throws {
    let it = try Fixture()
    var data = ByteBuffer()
    data.write(webSocketErrorCode: WebSocketErrorCode(codeNumber: code))
    try it.channel.writeInbound(WebSocketFrame(fin: true, opcode: .connectionClose, data: data))
    #expect(it.log == ["closed: the server has closed the connection with code \(code)"])
    #expect(try it.sent()?.opcode == .connectionClose)
  }

  @Test(arguments: [
    (NIOWebSocketError.invalidFrameLength, WebSocketErrorCode.messageTooLarge, "sent a message of more than 10 bytes"),
    (.fragmentedControlFrame, .protocolError, "sent a frame that violates the WebSocket protocol"),
  ])
  func `an invalid frame closes the socket, with one close frame`(
    error: NIOWebSocketError, code: WebSocketErrorCode, reason: String
  ) throws {
    let it = try Fixture(maximumMessage: 10)
    it.channel.pipeline.fireErrorCaught(error)
    it.channel.pipeline.fireErrorCaught(error)
    var close = try #require(try it.sent()?.data)
    #expect(close.readWebSocketErrorCode() == code)
    #expect(try it.sent() == nil)
    #expect(it.log == ["closed: the server has \(reason)"])
  }

  @Test func `a connection without a close frame was lost`() throws {
    let it = try Fixture()
    try it.channel.close().wait()
    #expect(it.log == ["closed: the connection was lost"])
  }

  @Test func `reading stops while messages are unprocessed`() throws {
    let it = try Fixture()
    let reads = ReadCounter()
    try it.channel.pipeline.syncOperations.addHandler(reads, position: .first)
    it.channel.read()
    #expect(reads.count == 1)
    try it.receive(.text, String(repeating: "x", count: 5 << 20))
    it.channel.read()
    it.channel.read()
    #expect(reads.count == 1)
    let context = try it.channel.pipeline.syncOperations.context(handler: it.handler)
    it.handler.didProcess(5 << 20, context: context)
    #expect(reads.count == 2)
  }
}

private final class ReadCounter: ChannelOutboundHandler {
  typealias OutboundIn = Any
  private(set) var count = 0

  func read(context: ChannelHandlerContext) { count += 1 }
}
