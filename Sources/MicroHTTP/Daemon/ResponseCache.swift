internal import CMicrohttpd
internal import MirrorSupport

/// Recent responses of one event loop, reused for responses with the same status, headers and body
/// length. ``Connection`` takes a response out, and ``Daemon`` puts it back.
///
/// libmicrohttpd makes four allocations for each header of a response. Together they take as long
/// as the rest of libmicrohttpd's work for a request. Reuse avoids them: most responses of a route
/// have the same headers, and short bodies of few different lengths.
struct ResponseCache: ~Copyable {
  /// Least recently used first.
  private var responses: [ReusableResponse] = []

  private static let capacity = 16

  /// Takes a cached response out and writes the body into it. If no cached response fits, creates
  /// one.
  ///
  /// - Returns: `nil` for streams and long bodies, and if libmicrohttpd does not accept a header.
  mutating func take(for response: HTTPResponse) -> ReusableResponse? {
    for index in responses.indices.reversed() where responses[index].fits(response) {
      let cached = responses.remove(at: index)
      cached.writeBody(of: response)
      return cached
    }
    return ReusableResponse(response)
  }

  /// Puts a response back when its request is complete.
  mutating func putBack(_ response: ReusableResponse) {
    if responses.count == Self.capacity { responses.removeFirst() }
    responses.append(response)
  }
}

/// A response of libmicrohttpd whose body can be replaced by another one of the same length.
///
/// One connection has exclusive use of it from the moment it is queued until the request is
/// complete, because libmicrohttpd reads the body meanwhile.
final class ReusableResponse {
  let handle: OpaquePointer
  private let status: HTTPStatus
  private let headers: HTTPHeaders
  private let body: UnsafeMutableRawBufferPointer

  /// Longer bodies are not cached: the headers are a small part of their cost, and the cache would
  /// keep their memory.
  private static let longestBody = 4 << 10

  fileprivate init?(_ response: HTTPResponse) {
    guard let count = Self.bodyCount(of: response), count <= Self.longestBody else { return nil }
    let body = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    // libmicrohttpd owns the body from here on: it is freed when this object and all connections
    // have released the response.
    guard
      let handle = MHD_create_response_from_buffer_with_free_callback_cls(
        count, body.baseAddress, { $0?.deallocate() }, body.baseAddress)
    else {
      body.deallocate()
      return nil
    }
    (self.handle, self.body) = (handle, body)
    (status, headers) = (response.status, response.headers)
    guard Connection.add(response.headers, to: handle) else { return nil }
    writeBody(of: response)
  }

  deinit { MHD_destroy_response(handle) }

  /// Whether the response has the status, the headers and the body length of this one.
  fileprivate func fits(_ response: HTTPResponse) -> Bool {
    body.count == Self.bodyCount(of: response) && status == response.status
      && headers.hasSameBytes(as: response.headers)
  }

  fileprivate func writeBody(of response: HTTPResponse) {
    guard response.hasBody, case .bytes(let bytes) = response.body else { return }
    bytes.withUnsafeBytes { body.copyMemory(from: $0) }
  }

  /// `nil` for a stream.
  private static func bodyCount(of response: HTTPResponse) -> Int? {
    switch response.body {
    case .stream: nil
    case .bytes(let bytes) where response.hasBody: bytes.count
    case .bytes, .empty: 0
    }
  }
}

extension HTTPHeaders {
  /// Equality byte for byte: to `==`, strings that differ only in their Unicode normalisation are
  /// equal.
  fileprivate func hasSameBytes(as other: HTTPHeaders) -> Bool {
    Self.isSame(own, other.own) && Self.isSame(shared, other.shared)
  }

  private static func isSame(_ fields: [Field], _ others: [Field]) -> Bool {
    fields.withUnsafeBufferPointer { fields in
      others.withUnsafeBufferPointer { others in
        guard fields.count == others.count else { return false }
        // The shared headers of most responses are one array.
        if fields.baseAddress == others.baseAddress { return true }
        return zip(fields, others).allSatisfy {
          $0.name.hasSameBytes(as: $1.name) && $0.value.hasSameBytes(as: $1.value)
        }
      }
    }
  }
}
