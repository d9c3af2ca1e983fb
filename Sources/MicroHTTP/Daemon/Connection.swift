internal import CMicrohttpd

/// A connection of the daemon, for as long as one of its callbacks runs.
struct Connection {
  let handle: OpaquePointer

  /// The headers of the current request, in order. Bytes that are no UTF-8 are repaired: a header is compared and shown,
  /// never resolved.
  ///
  /// The daemon leaves spaces at the end of a value. They go, but not from the headers that tell where the body ends:
  /// these must be read as the daemon reads them, to which `chunked ` is not `chunked`.
  var headers: HTTPHeaders {
    var headers = HTTPHeaders()
    withUnsafeMutablePointer(to: &headers) { pointer in
      _ = MHD_get_connection_values_n(
        handle, .HEADER_KIND,
        { context, _, name, nameLength, value, valueLength in
          guard let headers = context?.assumingMemoryBound(to: HTTPHeaders.self) else { return .NO }
          let name = Connection.string(name, nameLength)
          let value = Connection.string(value, valueLength)
          headers.pointee.add(
            name, Connection.isOfTheDaemon(name) ? value : String(value[...].trimmingOptionalWhitespace))
          return .YES
        }, pointer)
    }
    return headers
  }

  private static func string(_ start: UnsafePointer<CChar>?, _ length: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : length), as: UTF8.self)
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

    for field in response.headers.fields where !Self.isOfTheDaemon(field.name) && !field.value.isEmpty {
      guard MHD_add_response_header(queued, field.name, field.value) == .YES else { return nil }
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

  /// Headers that follow from the body, and that a handler can only get wrong.
  private static func isOfTheDaemon(_ name: String) -> Bool {
    HTTPHeaders.matches(name, "Content-Length") || HTTPHeaders.matches(name, "Transfer-Encoding")
  }
}
