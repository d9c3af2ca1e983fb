internal import MirrorSupport
internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket

/// A WebSocket to a server, by `ws` or `wss`. ``LivePage`` opens it for the channels of its page.
///
/// Every method may be called from any thread, because the channel's event loop does the work. A
/// text that is sent after the end of the connection is dropped.
final class WebSocketConnection: Sendable {
  /// The messages in the order of their arrival, and then the end of the connection, which comes
  /// once and is the last event. The stream has one reader, which must call ``didProcess(_:)`` for
  /// each message.
  let events: AsyncStream<WebSocketEvent>
  private let channel: any Channel
  /// Only the channel's event loop uses the handler.
  private let handler: NIOLoopBound<WebSocketHandler>

  private enum Upgrade: Sendable {
    case opened(NIOLoopBound<WebSocketHandler>)
    case refused(EventLoopFuture<Int>)
  }

  private init(
    _ channel: any Channel, _ handler: NIOLoopBound<WebSocketHandler>, _ events: AsyncStream<WebSocketEvent>
  ) {
    (self.channel, self.handler, self.events) = (channel, handler, events)
  }

  /// Opens a WebSocket.
  ///
  /// - Parameter headers: the headers of the handshake, without those of the WebSocket protocol.
  /// - Throws: ``ClientError/refusedSocket(url:status:)`` if the server answers the handshake with
  ///   another status than 101.
  static func open(
    _ address: WebAddress, headers: [(name: String, value: String)], maximumMessage: Int, by transport: Transport
  ) async throws(ClientError) -> WebSocketConnection {
    let (events, continuation) = AsyncStream<WebSocketEvent>.makeStream()
    let status: Int
    let isLate = Guarded(false)
    do {
      let (channel, negotiation) = try await transport.connect(to: address) { channel in
        (
          channel,
          try upgrade(channel, to: address, headers: headers, maximumMessage: maximumMessage) { event in
            continuation.yield(event)
            if case .closed = event { continuation.finish() }
          }
        )
      }
      let deadline = channel.eventLoop.scheduleTask(in: transport.timeAmount) {
        isLate.withLock { $0 = true }
        channel.close(promise: nil)
      }
      defer { deadline.cancel() }
      switch try await negotiation.get() {
      case .opened(let handler):
        // The event loop processes the frames that came with the answer to the handshake before it
        // runs this task.
        channel.eventLoop.execute { handler.value.noteEnd(of: channel) }
        return WebSocketConnection(channel, handler, events)
      case .refused(let future):
        status = try await future.get()
        channel.close(promise: nil)
      }
    } catch {
      throw isLate.current
        ? Transport.timeoutError(at: address, transport.timeout) : Transport.error(error, at: address)
    }
    throw .refusedSocket(url: address.origin + address.path, status: status)
  }

  private static func upgrade(
    _ channel: any Channel, to address: WebAddress, headers: [(name: String, value: String)], maximumMessage: Int,
    onEvent: @escaping @Sendable (WebSocketEvent) -> Void
  ) throws -> EventLoopFuture<Upgrade> {
    // The decoder does not accept a limit of more than 32 bits. The handler itself closes the
    // connection after an invalid frame.
    let upgrader = NIOTypedWebSocketClientUpgrader<Upgrade>(
      maxFrameSize: min(maximumMessage, Int(UInt32.max)), enableAutomaticErrorHandling: false
    ) { channel, _ in
      channel.eventLoop.makeCompletedFuture {
        let handler = WebSocketHandler(maximumMessage: maximumMessage, onEvent: onEvent)
        try channel.pipeline.syncOperations.addHandler(handler)
        return .opened(NIOLoopBound(handler, eventLoop: channel.eventLoop))
      }
    }
    var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: address.target)
    head.headers = HTTPHeaders(headers.map { ($0.name, $0.value) })
    if !head.headers.contains(name: "Host") { head.headers.add(name: "Host", value: address.authority) }
    let configuration = NIOTypedHTTPClientUpgradeConfiguration<Upgrade>(
      upgradeRequestHead: head, upgraders: [upgrader]
    ) { channel in
      channel.eventLoop.makeCompletedFuture {
        let promise = channel.eventLoop.makePromise(of: Int.self)
        try channel.pipeline.syncOperations.addHandler(StatusReader(promise))
        return .refused(promise.futureResult)
      }
    }
    var pipeline = NIOUpgradableHTTPClientPipelineConfiguration(upgradeConfiguration: configuration)
    // A server may send frames right behind its response.
    pipeline.leftOverBytesStrategy = .forwardBytes
    return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(configuration: pipeline)
  }

  // MARK: - Messages

  func send(_ text: String) {
    channel.writeAndFlush(
      WebSocketFrame(fin: true, opcode: .text, maskKey: .random(), data: ByteBuffer(string: text)), promise: nil)
  }

  /// Counts the bytes of a message as processed. The connection reads nothing more while too many
  /// bytes are not processed.
  func didProcess(_ bytes: Int) {
    let (channel, handler) = (channel, handler)
    channel.eventLoop.execute {
      guard let context = try? channel.pipeline.syncOperations.context(handler: handler.value) else { return }
      handler.value.didProcess(bytes, context: context)
    }
  }

  /// Sends a close frame behind all earlier messages, and closes the connection.
  func close() {
    var data = ByteBuffer()
    data.write(webSocketErrorCode: .normalClosure)
    let channel = channel
    channel.writeAndFlush(
      WebSocketFrame(fin: true, opcode: .connectionClose, maskKey: .random(), data: data)
    ).whenComplete { _ in channel.close(promise: nil) }
  }
}

/// Reads the status of an answer that does not open a WebSocket.
private final class StatusReader: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  private var promise: EventLoopPromise<Int>?

  init(_ promise: EventLoopPromise<Int>) { self.promise = promise }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head(let head) = unwrapInboundIn(data) { finish(.success(Int(head.status.code))) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    finish(.failure(ClientResponseReader.Interrupted(hasHead: false)))
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { finish(.failure(error)) }

  private func finish(_ result: Result<Int, any Error>) {
    promise?.completeWith(result)
    promise = nil
  }
}
