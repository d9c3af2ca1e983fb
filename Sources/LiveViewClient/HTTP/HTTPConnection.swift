internal import NIOCore
internal import NIOHTTP1

/// A connection to an HTTP/1.1 server. ``PageLoader`` and `attach` open it. A caller may send a
/// request only after the end of the last response.
package final class HTTPConnection: Sendable {
  private let channel: any Channel
  private let reader: NIOLoopBound<ClientResponseReader>
  private let address: WebAddress
  private let transport: Transport

  private struct TimedOut: Error {}

  private init(
    _ channel: any Channel, _ reader: NIOLoopBound<ClientResponseReader>, to address: WebAddress,
    by transport: Transport
  ) {
    (self.channel, self.reader, self.address, self.transport) = (channel, reader, address, transport)
  }

  /// Connects to the host of an address.
  package static func open(
    _ address: WebAddress, by transport: Transport
  ) async throws(ClientError) -> HTTPConnection {
    do {
      let (channel, reader) = try await transport.connect(to: address) { channel in
        let reader = ClientResponseReader()
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

  /// Sends a request and waits for the whole response.
  package func send(_ request: ClientRequest, maximumBody: Int = 64 << 20) async throws(ClientError) -> ClientResponse {
    try await exchange(request, maximumBody: maximumBody, stream: nil)
  }

  /// Sends a request whose response has no end, such as an event stream.
  ///
  /// - Returns: the head of the response, and its body as it arrives.
  package func stream(
    _ request: ClientRequest
  ) async throws(ClientError) -> (ClientResponse, AsyncThrowingStream<[UInt8], any Error>) {
    let (stream, continuation) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
    let response = try await exchange(request, maximumBody: .max, stream: continuation)
    return (response, stream)
  }

  private func exchange(
    _ request: ClientRequest, maximumBody: Int, stream: AsyncThrowingStream<[UInt8], any Error>.Continuation?
  ) async throws(ClientError) -> ClientResponse {
    let promise = channel.eventLoop.makePromise(of: ClientResponse.self)
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
    write(request)
    do { return try await promise.futureResult.get() } catch is TimedOut {
      throw Transport.timeoutError(at: address, transport.timeout)
    } catch {
      throw Transport.error(error, at: address)
    }
  }

  private func write(_ request: ClientRequest) {
    var headers = HTTPHeaders(request.headers.map { ($0.name, $0.value) })
    if !headers.contains(name: "host") { headers.add(name: "Host", value: address.authority) }
    if request.method != "GET" { headers.add(name: "Content-Length", value: String(request.body.count)) }
    let head = HTTPRequestHead(
      version: .http1_1, method: HTTPMethod(rawValue: request.method), uri: request.target, headers: headers)
    channel.write(HTTPClientRequestPart.head(head), promise: nil)
    if !request.body.isEmpty {
      channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: request.body))), promise: nil)
    }
    channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
  }
}
