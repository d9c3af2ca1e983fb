internal import NIOCore
internal import NIOWebSocket

/// An event of a WebSocket. ``LivePage`` reads it from ``WebSocketConnection/events``.
enum WebSocketEvent: Sendable {
  /// A text or binary message.
  case message([UInt8])
  /// The end of the connection.
  case closed(DisconnectReason)
}

/// Joins the fragments of messages, answers pings, and stops reading while too many bytes are
/// unprocessed. ``WebSocketConnection`` adds it to its channel. All methods run on the channel's
/// event loop.
final class WebSocketHandler: ChannelDuplexHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  /// Reading stops while the unprocessed messages have more bytes than this.
  private static let maximumUnprocessed = 4 << 20

  private let maximumMessage: Int
  private let onEvent: @Sendable (WebSocketEvent) -> Void
  /// The fragments of a message that has not ended.
  private var message: ByteBuffer?
  private var unprocessed = 0
  private var isReadHeld = false
  private var reason = DisconnectReason.lost
  private var isClosing = false
  private var hasEnded = false

  init(maximumMessage: Int, onEvent: @escaping @Sendable (WebSocketEvent) -> Void) {
    self.maximumMessage = maximumMessage
    self.onEvent = onEvent
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    if isClosing { return }
    switch frame.opcode {
    case .text, .binary, .continuation:
      var buffer = message ?? ByteBuffer()
      if (message != nil) != (frame.opcode == .continuation) { return close(context, .protocolError, .invalidFrame) }
      var content = frame.unmaskedData
      guard buffer.readableBytes + content.readableBytes <= maximumMessage else {
        return close(context, .messageTooLarge, .messageTooLong(limit: maximumMessage))
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
      // A close frame without a code means 1005: the server has ended the connection on purpose,
      // without a reason.
      close(
        context, stated ?? .normalClosure, .closed(code: stated.map { Int(UInt16(webSocketErrorCode: $0)) } ?? 1005))
    default: break
    }
  }

  func read(context: ChannelHandlerContext) {
    if unprocessed > Self.maximumUnprocessed { isReadHeld = true } else { context.read() }
  }

  /// Counts the bytes of a message as processed. If reading was stopped, and the bytes that are
  /// still unprocessed are below the limit, reads again.
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

  /// Closes the connection after an error of the decoder. The decoder checks the length of a frame
  /// before the content has arrived.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error as? NIOWebSocketError {
    case .invalidFrameLength: close(context, .messageTooLarge, .messageTooLong(limit: maximumMessage))
    case .fragmentedControlFrame, .multiByteControlFrameLength: close(context, .protocolError, .invalidFrame)
    case nil: close(context, .unexpectedServerError, .lost)
    }
  }

  /// Reports the end of a connection that had ended before this handler was added. The handler has
  /// missed `channelInactive` then.
  func noteEnd(of channel: any Channel) { if !channel.isActive { end() } }

  private func end() {
    guard !hasEnded else { return }
    hasEnded = true
    onEvent(.closed(reason))
  }

  /// Sends a close frame, and closes the connection. Later calls have no effect, so
  /// ``WebSocketEvent/closed(_:)`` reports the reason of the first call.
  private func close(_ context: ChannelHandlerContext, _ code: WebSocketErrorCode, _ reason: DisconnectReason) {
    guard !isClosing else { return }
    isClosing = true
    self.reason = reason
    var data = ByteBuffer()
    data.write(webSocketErrorCode: code)
    send(context, WebSocketFrame(fin: true, opcode: .connectionClose, maskKey: .random(), data: data))
    context.close(promise: nil)
  }

  private func send(_ context: ChannelHandlerContext, _ frame: WebSocketFrame) {
    context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
  }
}
