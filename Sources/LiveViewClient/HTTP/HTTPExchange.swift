internal import NIOCore
internal import NIOHTTP1

/// The exchange that a connection is waiting for. ``HTTPConnection`` makes one for each request,
/// and ``ClientResponseReader`` ends it once.
struct HTTPExchange {
  /// Succeeds with the whole response, or with its head if the body is streamed.
  let promise: EventLoopPromise<ClientResponse>
  let maximumBody: Int
  /// Receives the parts of the body as they arrive; `nil` if the whole body is collected in
  /// ``response``.
  let stream: AsyncThrowingStream<[UInt8], any Error>.Continuation?
  /// Fires if the response does not arrive in time.
  var deadline: Scheduled<Void>?
  var response: ClientResponse?
}

/// Reads the responses of one connection. Only the channel's event loop uses it.
final class ClientResponseReader: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  /// The server has closed the connection.
  struct Interrupted: Error {
    /// Whether the server has sent the head of a response.
    let hasHead: Bool
  }

  struct TooLarge: Error, CustomStringConvertible {
    let limit: Int
    var description: String { "the answer has more than \(limit) bytes" }
  }

  private var exchange: HTTPExchange?
  /// The reason why the connection was closed. A request that begins afterwards fails with this
  /// error, for example after a TLS handshake that failed before the first request.
  private var failure: (any Error)?

  func begin(_ exchange: HTTPExchange) {
    if let failure { return fail(exchange, failure) }
    self.exchange = exchange
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      // 1xx responses precede the final one, except 101, which is final itself.
      if (100..<200).contains(head.status.code), head.status.code != 101 { return }
      let response = ClientResponse(
        status: Int(head.status.code), headers: head.headers.map { (name: $0.name, value: $0.value) })
      exchange?.response = response
      if exchange?.stream != nil {
        exchange?.deadline?.cancel()
        exchange?.promise.succeed(response)
      }
    case .body(let buffer):
      let bytes = Array(buffer.readableBytesView)
      if let stream = exchange?.stream {
        stream.yield(bytes)
      } else {
        exchange?.response?.body += bytes
        if let exchange, (exchange.response?.body.count ?? 0) > exchange.maximumBody {
          finish(throwing: TooLarge(limit: exchange.maximumBody))
          context.close(promise: nil)
        }
      }
    case .end:
      guard let exchange else { return }
      self.exchange = nil
      exchange.deadline?.cancel()
      if let stream = exchange.stream {
        stream.finish()
      } else if let response = exchange.response {
        exchange.promise.succeed(response)
      }
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    let interrupted = Interrupted(hasHead: exchange?.response != nil)
    failure = failure ?? interrupted
    finish(throwing: interrupted)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    var error = error
    if error is IOError || (error as? HTTPParserError) == .invalidEOFState {
      error = Interrupted(hasHead: exchange?.response != nil)
    }
    failure = failure ?? error
    finish(throwing: error)
    context.close(promise: nil)
  }

  func finish(throwing error: any Error) {
    guard let exchange else { return }
    self.exchange = nil
    fail(exchange, error)
  }

  private func fail(_ exchange: HTTPExchange, _ error: any Error) {
    exchange.deadline?.cancel()
    if let stream = exchange.stream {
      stream.finish(throwing: error)
      if exchange.response == nil { exchange.promise.fail(error) }
    } else {
      exchange.promise.fail(error)
    }
  }
}
