internal import NIOCore
internal import NIOHTTP1

/// A connection to an HTTP/1.1 server. One request at a time.
package final class HTTPConnection: Sendable {
  private let channel: any Channel
  private let reader: NIOLoopBound<HTTPAnswerReader>
  private let address: WebAddress
  private let transport: Transport

  private struct TimedOut: Error {}

  private init(
    _ channel: any Channel, _ reader: NIOLoopBound<HTTPAnswerReader>, to address: WebAddress, by transport: Transport
  ) {
    (self.channel, self.reader, self.address, self.transport) = (channel, reader, address, transport)
  }

  /// Connects to the host of an address.
  package static func open(
    _ address: WebAddress, by transport: Transport
  ) async throws(ClientError) -> HTTPConnection {
    do {
      let (channel, reader) = try await transport.connect(to: address) { channel in
        let reader = HTTPAnswerReader()
        try channel.pipeline.syncOperations.addHTTPClientHandlers()
        try channel.pipeline.syncOperations.addHandler(reader)
        return (channel, NIOLoopBound(reader, eventLoop: channel.eventLoop))
      }
      return HTTPConnection(channel, reader, to: address, by: transport)
    } catch {
      throw Transport.error(error, at: address)
    }
  }

  package var isOpen: Bool { channel.isActive }

  package func close() { channel.close(promise: nil) }

  /// Sends a request and waits for the whole answer.
  package func send(_ call: HTTPCall, maximumBody: Int = 64 << 20) async throws(ClientError) -> HTTPAnswer {
    try await exchange(call, maximumBody: maximumBody, stream: nil)
  }

  /// Sends a request whose answer has no end, such as an event stream.
  ///
  /// - Returns: the head of the answer, and its body as it arrives.
  package func stream(
    _ call: HTTPCall
  ) async throws(ClientError) -> (HTTPAnswer, AsyncThrowingStream<[UInt8], any Error>) {
    let (stream, continuation) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
    let answer = try await exchange(call, maximumBody: .max, stream: continuation)
    return (answer, stream)
  }

  private func exchange(
    _ call: HTTPCall, maximumBody: Int, stream: AsyncThrowingStream<[UInt8], any Error>.Continuation?
  ) async throws(ClientError) -> HTTPAnswer {
    let promise = channel.eventLoop.makePromise(of: HTTPAnswer.self)
    let (reader, channel) = (reader, channel)
    let amount = transport.timeAmount
    channel.eventLoop.execute {
      let deadline = channel.eventLoop.scheduleTask(in: amount) {
        reader.value.finish(throwing: TimedOut())
        channel.close(promise: nil)
      }
      reader.value.begin(
        HTTPExchange(promise: promise, maximumBody: maximumBody, stream: stream, deadline: deadline))
    }
    write(call)
    do { return try await promise.futureResult.get() } catch is TimedOut {
      throw Transport.timeoutError(at: address, transport.timeout)
    } catch {
      throw Transport.error(error, at: address)
    }
  }

  private func write(_ call: HTTPCall) {
    var headers = HTTPHeaders(call.headers.map { ($0.name, $0.value) })
    if !headers.contains(name: "host") { headers.add(name: "Host", value: address.authority) }
    if call.method != "GET" { headers.add(name: "Content-Length", value: String(call.body.count)) }
    let head = HTTPRequestHead(
      version: .http1_1, method: HTTPMethod(rawValue: call.method), uri: call.target, headers: headers)
    channel.write(HTTPClientRequestPart.head(head), promise: nil)
    if !call.body.isEmpty {
      channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: call.body))), promise: nil)
    }
    channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
  }
}
