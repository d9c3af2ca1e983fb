internal import CMicrohttpd

/// A connection of the daemon, for as long as one of its callbacks runs.
struct Connection {
  let handle: OpaquePointer

  /// The head of the current request, as the first call of its handler finds it.
  ///
  /// Bytes of headers that are no UTF-8 are repaired: a header is compared and shown, never resolved. The daemon leaves
  /// spaces at the end of a value. They go, but not from the headers that tell where the body ends: these must be read as
  /// the daemon reads them, to which `chunked ` is not `chunked`.
  ///
  /// - Parameter target: where the target was when it was read.
  func head(
    method: UnsafePointer<CChar>, version: UnsafePointer<CChar>, target: Range<UInt>
  ) -> RequestHead {
    var head = RequestHead(
      method: HTTPMethod(rawValue: String(cString: method)), headers: HTTPHeaders(),
      isOfVersion10: version[5] == CChar(UInt8(ascii: "1")) && version[7] == CChar(UInt8(ascii: "0")))
    var reading = (
      head: head,
      layout: HeadLayout(
        method: method, target: target, version: version, size: shim_connection_head_size(handle))
    )
    withUnsafeMutablePointer(to: &reading) { pointer in
      _ = MHD_get_connection_values_n(
        handle, .HEADER_KIND,
        { context, _, name, nameLength, value, valueLength in
          guard let reading = context?.assumingMemoryBound(to: (head: RequestHead, layout: HeadLayout).self) else {
            return .NO
          }
          let name = UnsafeRawBufferPointer(start: name, count: name == nil ? 0 : nameLength)
          let value = UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueLength)
          reading.pointee.layout.add(name, value)
          reading.pointee.head.add(name, value)
          return .YES
        }, pointer)
    }
    head = reading.head
    head.isSeparatedWell = !HeadLayout.isKnown || reading.layout.isStrictToTheEnd
    return head
  }

  /// What an answer needs to know besides itself.
  struct Delivery {
    /// Whether the connection ends with it.
    var isClosing: Bool
    /// Whether it answers a `HEAD`.
    var isToHead = false
    var watch: Watch
  }

  /// Queues the answer. One that cannot be sent as it is (a line break in a header, a status that is none) goes out as a
  /// 500: a handler may be wrong, the client still hears something.
  ///
  /// - Returns: the answer that goes out; `nil` when the daemon takes none.
  func send(_ response: HTTPResponse, _ delivery: Delivery) -> HTTPResponse? {
    queue(response, delivery) ?? queue(HTTPError(.internalServerError).response, delivery)
  }

  private func queue(_ response: HTTPResponse, _ delivery: Delivery) -> HTTPResponse? {
    guard (200...599).contains(response.status.code) else {
      if case .stream(let stream) = response.body { stream.close(.gone) }
      return nil
    }
    let hasBody = response.status != .noContent && response.status != .notModified
    let queued: OpaquePointer?
    switch response.body {
    case .stream(let stream) where !hasBody || delivery.isToHead:
      stream.close(.ended)
      queued = hasBody ? Self.emptyStream() : Self.body([])
    case .stream(let stream):
      guard let sender = StreamSender(stream, on: self, of: delivery.watch) else {
        stream.close(.gone)
        return queue(HTTPError.tooManyStreams.response, delivery)
      }
      queued = sender.response()
    case .bytes(let bytes): queued = Self.body(hasBody ? bytes : [])
    case .empty: queued = Self.body([])
    }
    guard let queued else { return nil }
    defer { MHD_destroy_response(queued) }

    for field in response.headers.fields where !RequestHead.isOfTheDaemon(field.name) && !field.value.isEmpty {
      // Handed over as a string each would be copied into an array first.
      let isTaken = field.name.withCString { name in
        field.value.withCString { MHD_add_response_header(queued, name, $0) == .YES }
      }
      guard isTaken else { return nil }
    }
    if delivery.isClosing { _ = MHD_add_response_header(queued, "Connection", "close") }
    return MHD_queue_response(handle, UInt32(response.status.code), queued) == .YES ? response : nil
  }

  /// Copied, since the answer may be sent after the callback has returned.
  private static func body(_ bytes: [UInt8]) -> OpaquePointer? {
    bytes.withUnsafeBytes { bytes in
      MHD_create_response_from_buffer(
        bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
    }
  }

  /// What has the headers of a stream, for a `HEAD`. Not in chunks: libmicrohttpd (0.9.75) would send the last one, which
  /// the client takes for the beginning of the next answer.
  private static func emptyStream() -> OpaquePointer? {
    let response = MHD_create_response_from_callback(.max, 1, { _, _, _, _ in StreamSender.end }, nil, nil)
    if let response { shim_send_unchunked(response) }
    return response
  }
}
