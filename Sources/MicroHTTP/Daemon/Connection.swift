internal import CMicrohttpd

/// A connection of libmicrohttpd. The handle is valid while a callback for the connection runs, or
/// while the connection is suspended. `answerRequest` makes a value each time it is called. ``Job``
/// and ``StreamLine`` keep the value to resume the connection.
struct Connection {
  let handle: OpaquePointer

  /// The head of the current request, as the first call of `answerRequest` gets it: libmicrohttpd
  /// has split it into parts, which are still in one block of memory.
  struct Head {
    fileprivate let handle: OpaquePointer
    fileprivate let method: UnsafeRawBufferPointer
    fileprivate let version: UnsafeRawBufferPointer
    /// The whole block; empty for a version of libmicrohttpd whose memory layout is unknown.
    let bytes: UnsafeRawBufferPointer
  }

  func head(method: UnsafePointer<CChar>, version: UnsafePointer<CChar>) -> Head {
    Head(
      handle: handle, method: HeadLayout.bytes(of: method), version: HeadLayout.bytes(of: version),
      bytes: UnsafeRawBufferPointer(start: method, count: HeadLayout.isKnown ? shim_connection_head_size(handle) : 0))
  }

  /// How a response is sent.
  struct Delivery {
    /// Whether the connection is closed afterwards.
    var isClosing: Bool
    /// Whether the request is a `HEAD`.
    var isToHead = false
    /// The connection's client, which keeps a cached response until the request is complete.
    var client: Client
    var loop: EventLoop
    var monitor: ConnectionMonitor { loop.daemon.monitor }
    var responseBudget: ResponseBudget { loop.daemon.responseBudget }
  }

  /// Queues the response. An invalid one (a line break in a header, a status outside of 200–599) is
  /// replaced by a 500.
  ///
  /// - Returns: what is sent; `nil` when libmicrohttpd accepts no response.
  func send(_ response: HTTPResponse, _ delivery: Delivery) -> Sent? {
    queue(response, delivery) ?? queue(HTTPError(.internalServerError).response, delivery)
  }

  /// What is sent, for the ``RequestReport``.
  struct Sent {
    var status: HTTPStatus
    /// Bytes of the body.
    var count: Int
  }

  private func queue(_ response: HTTPResponse, _ delivery: Delivery) -> Sent? {
    guard (200...599).contains(response.status.code) else {
      if case .stream(let stream) = response.body { stream.close(.disconnected) }
      return nil
    }
    if !delivery.isClosing, let reusable = delivery.loop.responses.take(for: response) {
      guard let sent = queue(reusable.handle, response, delivery) else { return nil }
      delivery.client.response = reusable
      return sent
    }
    let hasBody = response.hasBody
    let queued: OpaquePointer?
    switch response.body {
    case .stream(let stream) where !hasBody || delivery.isToHead:
      stream.close(.ended)
      queued = hasBody ? Self.emptyStream() : Self.body([], delivery.responseBudget)
    case .stream(let stream):
      guard let sender = StreamSender(stream, on: self, of: delivery.monitor) else {
        stream.close(.disconnected)
        return queue(HTTPError.tooManyStreams.response, delivery)
      }
      queued = sender.response()
    case .bytes(let bytes): queued = Self.body(hasBody ? bytes : [], delivery.responseBudget)
    case .empty: queued = Self.body([], delivery.responseBudget)
    }
    guard let queued else { return nil }
    defer { MHD_destroy_response(queued) }

    guard Self.add(response.headers, to: queued) else { return nil }
    if delivery.isClosing { _ = MHD_add_response_header(queued, "Connection", "close") }
    return queue(queued, response, delivery)
  }

  /// Adds headers to a response of libmicrohttpd.
  ///
  /// - Returns: whether libmicrohttpd accepted all headers.
  static func add(_ headers: HTTPHeaders, to queued: OpaquePointer) -> Bool {
    add(headers.own, to: queued) && add(headers.shared, to: queued)
  }

  private static func add(_ fields: [HTTPHeaders.Field], to queued: OpaquePointer) -> Bool {
    for field in fields where !RequestHead.isOfTheDaemon(field.name) && !field.value.isEmpty {
      // Passing a `String` directly would copy it into an array first.
      let isTaken = field.name.withCString { name in
        field.value.withCString { MHD_add_response_header(queued, name, $0) == .YES }
      }
      guard isTaken else { return false }
    }
    return true
  }

  private func queue(_ queued: OpaquePointer, _ response: HTTPResponse, _ delivery: Delivery) -> Sent? {
    guard MHD_queue_response(handle, UInt32(response.status.code), queued) == .YES else { return nil }
    guard case .bytes(let bytes) = response.body, response.hasBody, !delivery.isToHead else {
      return Sent(status: response.status, count: 0)
    }
    return Sent(status: response.status, count: bytes.count)
  }

  /// Stops libmicrohttpd from serving the connection until it is resumed. The running callback
  /// returns without a response.
  func suspend() { MHD_suspend_connection(handle) }

  /// Keeps an array's storage alive while libmicrohttpd sends from it.
  private final class HeldBytes {
    let bytes: [UInt8]
    private let budget: ResponseBudget

    init(_ bytes: [UInt8], _ budget: ResponseBudget) {
      (self.bytes, self.budget) = (bytes, budget)
      if let start { budget.hold(start, bytes.count) }
    }

    deinit { if let start { budget.release(start, bytes.count) } }

    /// The array is never changed, so the address of its storage is stable.
    var start: UnsafeRawPointer? { bytes.withUnsafeBytes { $0.baseAddress } }
  }

  /// From this size on, a body is not copied: libmicrohttpd sends from the array's own storage.
  private static let sharedBody = 64 << 10

  /// A body that libmicrohttpd can send after the callback has returned: a short body is copied,
  /// and the array of a long one is retained.
  private static func body(_ bytes: [UInt8], _ budget: ResponseBudget) -> OpaquePointer? {
    if bytes.count >= sharedBody {
      let held = Unmanaged.passRetained(HeldBytes(bytes, budget))
      let start = held._withUnsafeGuaranteedRef { UnsafeMutableRawPointer(mutating: $0.start) }
      let response = MHD_create_response_from_buffer_with_free_callback_cls(
        bytes.count, start, { if let held = $0 { Unmanaged<HeldBytes>.fromOpaque(held).release() } }, held.toOpaque())
      if response == nil { held.release() }
      return response
    }
    return bytes.withUnsafeBytes { bytes in
      MHD_create_response_from_buffer(
        bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
    }
  }

  /// A response with a stream's headers and no body, for a `HEAD`. Without chunked encoding:
  /// libmicrohttpd (0.9.75) would send the last chunk, which the client would take for the
  /// beginning of the next response.
  private static func emptyStream() -> OpaquePointer? {
    let response = MHD_create_response_from_callback(.max, 1, { _, _, _, _ in StreamSender.end }, nil, nil)
    if let response { shim_send_unchunked(response) }
    return response
  }
}

extension HTTPResponse {
  /// Whether the status allows a body (RFC 9110 §6.4.1).
  var hasBody: Bool { status != .noContent && status != .notModified }
}

extension Connection.Head {
  /// Whether the head's parts are separated as RFC 9112 requires, see ``HeadLayout``.
  ///
  /// - Parameter target: the range of addresses in which libmicrohttpd read the target.
  func hasValidSeparators(target: Range<UInt>) -> Bool {
    var layout = HeadLayout(method: method, target: target, version: version, size: bytes.count)
    withUnsafeMutablePointer(to: &layout) { layout in
      _ = MHD_get_connection_values_n(
        handle, .HEADER_KIND,
        { context, _, name, nameLength, value, valueLength in
          context?.assumingMemoryBound(to: HeadLayout.self).pointee.add(
            part(name, nameLength), part(value, valueLength))
          return .YES
        }, layout)
    }
    return !HeadLayout.isKnown || layout.isStrictToTheEnd
  }

  func read() -> RequestHead {
    var head = RequestHead(method: method, version: version)
    withUnsafeMutablePointer(to: &head) { head in
      _ = MHD_get_connection_values_n(
        handle, .HEADER_KIND,
        { context, _, name, nameLength, value, valueLength in
          context?.assumingMemoryBound(to: RequestHead.self).pointee.add(
            part(name, nameLength), part(value, valueLength))
          return .YES
        }, head)
    }
    return head
  }
}

/// A name or a value of a header.
private func part(_ start: UnsafePointer<CChar>?, _ count: Int) -> UnsafeRawBufferPointer {
  UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
}
