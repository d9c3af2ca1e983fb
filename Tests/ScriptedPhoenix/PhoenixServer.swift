package import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOWebSocket

/// A server of pages and of Phoenix's channel protocol, on a free port of this machine. A
/// ``SocketScript`` decides what it sends.
package final class PhoenixServer: Sendable {
  package struct Page: Sendable {
    package var status: Int
    package var type: String
    package var body: String
    package var headers: [(String, String)]

    package init(
      _ body: String, type: String = "text/html; charset=utf-8", status: Int = 200, headers: [(String, String)] = []
    ) {
      self.body = body
      self.type = type
      self.status = status
      self.headers = headers
    }
  }

  /// A request for a page.
  package struct Request: Sendable {
    /// With its query.
    package var target: String
    package var headers: [(name: String, value: String)]
    package var method = "GET"
    package var body = ""
  }

  private struct State {
    var listener: (any Channel)?
    var sockets: [ObjectIdentifier: any Channel] = [:]
    var port = 0
    var opened: [String] = []
  }

  private let state = Locked(State())
  private let pages: @Sendable (Request) -> Page?
  private let script: @Sendable (String) -> (any SocketScript)?
  private let tls: (@Sendable () throws -> any ChannelHandler)?
  private let joinsFirstPacket: Bool

  /// An app with one page, at `/`.
  ///
  /// - Parameter others: what is at other addresses.
  package convenience init(
    page: String, others: [String: Page] = [:], script: @escaping @Sendable (String) -> (any SocketScript)?
  ) throws {
    try self.init(
      pages: { request in
        switch request.target {
        case "/": Page(page)
        case "/favicon.ico": Page("", type: "image/x-icon")
        default: others[request.target]
        }
      }, script: script)
  }

  /// - Parameters:
  ///   - tls: makes the handler of TLS for a connection; `nil` for a server without TLS.
  ///   - joinsFirstPacket: whether a socket's first frames, and its end, follow the 101 response in
  ///     the same packet. Without TLS only.
  ///   - pages: the page of a target; `nil` for a 404.
  ///   - script: makes the script of a new socket, from its target; `nil` refuses the socket, and
  ///     the target is answered as a page.
  package init(
    tls: (@Sendable () throws -> any ChannelHandler)? = nil, joinsFirstPacket: Bool = false,
    pages: @escaping @Sendable (Request) -> Page?, script: @escaping @Sendable (String) -> (any SocketScript)?
  ) throws {
    self.tls = tls
    self.joinsFirstPacket = joinsFirstPacket
    self.pages = pages
    self.script = script
    try start()
  }

  package var port: Int { state.withLock { $0.port } }
  package var address: String { "\(tls == nil ? "http" : "https")://127.0.0.1:\(port)" }
  /// The targets of all sockets that were opened.
  package var opened: [String] { state.withLock { $0.opened } }

  // MARK: - Starting and stopping

  /// Listens on the same port as before, or on a free one.
  package func start() throws {
    let channel = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { [self] channel in configure(channel) }
      .bind(host: "127.0.0.1", port: port).wait()
    state.withLock { state in
      state.listener = channel
      state.port = channel.localAddress?.port ?? 0
    }
  }

  /// Refuses connections, and drops all sockets.
  package func stop() {
    let listener = state.withLock { state in
      defer { state.listener = nil }
      return state.listener
    }
    try? listener?.close().wait()
    dropSockets()
  }

  /// Closes the connections of all sockets, without a message.
  package func dropSockets() {
    for socket in state.withLock({ Array($0.sockets.values) }) { try? socket.close().wait() }
  }

  // MARK: - Connections

  private func configure(_ channel: any Channel) -> EventLoopFuture<Void> {
    let accepted = Locked<(any SocketScript)?>(nil)
    let packet = joinsFirstPacket ? NIOLoopBound(FirstPacket(), eventLoop: channel.eventLoop) : nil
    let upgrader = NIOWebSocketServerUpgrader(
      maxFrameSize: 64 << 20,
      shouldUpgrade: { [self] channel, head in
        let script = script(head.uri)
        accepted.withLock { $0 = script }
        if script != nil { packet?.value.isHeld = true }
        return channel.eventLoop.makeSucceededFuture(script == nil ? nil : [:])
      },
      upgradePipelineHandler: { [self] channel, head in
        guard let script = accepted.withLock({ $0 }) else { return channel.eventLoop.makeSucceededVoidFuture() }
        let handler = SocketHandler(script) { [self] in
          _ = state.withLock { $0.sockets.removeValue(forKey: ObjectIdentifier(channel)) }
        }
        state.withLock { state in
          state.sockets[ObjectIdentifier(channel)] = channel
          state.opened.append(head.uri)
        }
        return channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            NIOWebSocketFrameAggregator(
              minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 1_000, maxAccumulatedFrameSize: 64 << 20))
          try channel.pipeline.syncOperations.addHandler(handler)
          // The frames of the script's `opened` are written in earlier tasks of the event loop.
          if let packet { channel.eventLoop.execute { packet.value.release() } }
        }
      })
    let pages = pages
    let tls = tls
    return channel.eventLoop.makeCompletedFuture {
      if let tls { try channel.pipeline.syncOperations.addHandler(try tls()) }
      if let packet { try channel.pipeline.syncOperations.addHandler(packet.value) }
      let handler = PageHandler(pages)
      let bound = NIOLoopBound(handler, eventLoop: channel.eventLoop)
      try channel.pipeline.syncOperations.configureHTTPServerPipeline(
        withServerUpgrade: (
          upgraders: [upgrader],
          completionHandler: { context in context.pipeline.syncOperations.removeHandler(bound.value, promise: nil) }
        ))
      try channel.pipeline.syncOperations.addHandler(handler)
    }
  }
}

/// Collects what is written into one packet, until it is released or the connection is closed.
private final class FirstPacket: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  var isHeld = false
  private var held = ByteBuffer()
  private var context: ChannelHandlerContext?

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }
  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard isHeld else { return context.write(data, promise: promise) }
    var buffer = unwrapOutboundIn(data)
    held.writeBuffer(&buffer)
    promise?.succeed()
  }

  func flush(context: ChannelHandlerContext) { if !isHeld { context.flush() } }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    release()
    context.close(mode: mode, promise: promise)
  }

  func release() {
    guard isHeld else { return }
    isHeld = false
    context?.writeAndFlush(wrapOutboundOut(held), promise: nil)
    held = ByteBuffer()
  }
}

/// Answers requests for pages.
private final class PageHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let pages: @Sendable (PhoenixServer.Request) -> PhoenixServer.Page?
  private var head: HTTPRequestHead?
  private var body = ""

  init(_ pages: @escaping @Sendable (PhoenixServer.Request) -> PhoenixServer.Page?) { self.pages = pages }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): (self.head, body) = (head, "")
    case .body(let buffer): body += String(buffer: buffer)
    case .end:
      guard let head else { return }
      let request = PhoenixServer.Request(
        target: head.uri, headers: head.headers.map { (name: $0.name, value: $0.value) }, method: head.method.rawValue,
        body: body)
      let page = pages(request) ?? PhoenixServer.Page("not found", type: "text/plain", status: 404)
      var headers = HTTPHeaders(page.headers)
      headers.add(name: "content-type", value: page.type)
      headers.add(name: "content-length", value: String(page.body.utf8.count))
      context.write(
        wrapOutboundOut(
          .head(HTTPResponseHead(version: .http1_1, status: .init(statusCode: page.status), headers: headers))),
        promise: nil)
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: page.body)))), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
  }
}

/// Passes the messages of one socket to its script.
private final class SocketHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let script: any SocketScript
  private let onClose: () -> Void

  init(_ script: any SocketScript, onClose: @escaping () -> Void) {
    self.script = script
    self.onClose = onClose
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let (channel, loop) = (context.channel, context.eventLoop)
    script.opened(
      SocketOutput(
        send: { text in
          let frame = WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text))
          loop.execute { channel.writeAndFlush(frame, promise: nil) }
        }, drop: { loop.execute { channel.close(promise: nil) } },
        close: { code in
          var data = ByteBuffer()
          data.write(webSocketErrorCode: .init(codeNumber: code))
          let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
          loop.execute { channel.writeAndFlush(frame).whenComplete { _ in channel.close(promise: nil) } }
        }))
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    switch frame.opcode {
    case .text: script.received(String(buffer: frame.unmaskedData))
    case .ping:
      context.writeAndFlush(
        wrapOutboundOut(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)), promise: nil)
    case .connectionClose: context.close(promise: nil)
    default: break
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    onClose()
    script.closed()
  }
}
