internal import NIOCore
internal import NIOWebSocket

/// What happens on a WebSocket.
enum WebSocketEvent: Sendable {
  /// A text or binary message.
  case message([UInt8])
  /// The socket was closed, with the code of the peer's close frame, or 1006 without one.
  case closed(code: Int)
}

/// Joins the fragments of messages, answers pings, and stops reading while the program has too much to process.
final class WebSocketHandler: ChannelDuplexHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  /// Reading stops while messages of as many bytes are unprocessed.
  private static let maximumUnprocessed = 4 << 20

  private let maximumMessage: Int
  private let onEvent: @Sendable (WebSocketEvent) -> Void
  /// The fragments of a message that has not ended.
  private var message: ByteBuffer?
  private var unprocessed = 0
  private var isReadHeld = false
  private var code = 1006
  private var hasEnded = false

  init(maximumMessage: Int, onEvent: @escaping @Sendable (WebSocketEvent) -> Void) {
    self.maximumMessage = maximumMessage
    self.onEvent = onEvent
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    switch frame.opcode {
    case .text, .binary, .continuation:
      var buffer = message ?? ByteBuffer()
      if (message != nil) != (frame.opcode == .continuation) { return close(context, .protocolError) }
      var content = frame.unmaskedData
      guard buffer.readableBytes + content.readableBytes <= maximumMessage else {
        return close(context, .messageTooLarge)
      }
      buffer.writeBuffer(&content)
      message = frame.fin ? nil : buffer
      guard frame.fin else { return }
      unprocessed += buffer.readableBytes
      onEvent(.message(Array(buffer.readableBytesView)))
    case .ping: send(context, WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: frame.unmaskedData))
    case .connectionClose:
      var data = frame.unmaskedData
      let stated = data.readWebSocketErrorCode()
      // A close frame without a code means 1005: the server has ended the connection on purpose, without a reason.
      code = stated.map { Int(UInt16(webSocketErrorCode: $0)) } ?? 1005
      close(context, stated ?? .normalClosure)
    default: break
    }
  }

  func read(context: ChannelHandlerContext) {
    if unprocessed > Self.maximumUnprocessed { isReadHeld = true } else { context.read() }
  }

  /// The program has processed a message of as many bytes.
  func didProcess(_ bytes: Int, context: ChannelHandlerContext) {
    unprocessed -= bytes
    guard isReadHeld, unprocessed <= Self.maximumUnprocessed else { return }
    isReadHeld = false
    context.read()
  }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    close(context, error is NIOWebSocketError ? .protocolError : .unexpectedServerError)
  }

  private func end() {
    guard !hasEnded else { return }
    hasEnded = true
    onEvent(.closed(code: code))
  }

  private func close(_ context: ChannelHandlerContext, _ code: WebSocketErrorCode) {
    var data = ByteBuffer()
    data.write(webSocketErrorCode: code)
    send(context, WebSocketFrame(fin: true, opcode: .connectionClose, maskKey: .random(), data: data))
    context.close(promise: nil)
  }

  private func send(_ context: ChannelHandlerContext, _ frame: WebSocketFrame) {
    context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
  }
}
