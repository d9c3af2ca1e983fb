internal import CMicrohttpd

/// An answer as libmicrohttpd has it, which can go out again with another body of the same length: to make one with all its
/// headers takes as long as all else that a request needs of the daemon, and a route's answers have the same ones.
///
/// One connection has it at a time, from the moment in which it is queued until the request is complete: meanwhile the bytes
/// of its body are read, so nobody writes to them.
final class SentAnswer {
  let handle: OpaquePointer
  private let status: HTTPStatus
  private let headers: HTTPHeaders
  private let body: UnsafeMutableRawBufferPointer

  /// What is longer is worth the making, and would take room for as long as it is kept.
  private static let longest = 4 << 10

  /// - Returns: `nil` for what goes out once, and where the daemon does not take it.
  init?(_ response: HTTPResponse) {
    guard let count = Self.count(of: response), count <= Self.longest else { return nil }
    let body = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    // It is the daemon's from here on: whoever lets go last, this or a connection, frees it.
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
    write(response)
  }

  deinit { MHD_destroy_response(handle) }

  /// Whether it is the other one but for the bytes of its body.
  func fits(_ response: HTTPResponse) -> Bool {
    body.count == Self.count(of: response) && status == response.status && headers.hasSameBytes(as: response.headers)
  }

  /// Takes the other one's body, where that fits.
  func write(_ response: HTTPResponse) {
    guard response.hasBody, case .bytes(let bytes) = response.body else { return }
    bytes.withUnsafeBytes { body.copyMemory(from: $0) }
  }

  /// How many bytes follow the headers; `nil` where nobody knows.
  private static func count(of response: HTTPResponse) -> Int? {
    switch response.body {
    case .stream: nil
    case .bytes(let bytes) where response.hasBody: bytes.count
    case .bytes, .empty: 0
    }
  }
}

/// The answers of a lane that wait to go out again.
struct AnswerShelf: ~Copyable {
  /// Those that were used last stand last.
  private var answers: [SentAnswer] = []

  /// The lengths of a route's answers differ by some digits.
  private static let room = 16

  /// One that can carry this response, and does.
  mutating func take(for response: HTTPResponse) -> SentAnswer? {
    for place in answers.indices.reversed() where answers[place].fits(response) {
      let answer = answers.remove(at: place)
      answer.write(response)
      return answer
    }
    return nil
  }

  mutating func putBack(_ answer: SentAnswer) {
    if answers.count == Self.room { answers.removeFirst() }
    answers.append(answer)
  }
}

extension HTTPHeaders {
  /// Byte for byte: strings that differ only in how Unicode writes them are not the same here.
  fileprivate func hasSameBytes(as other: HTTPHeaders) -> Bool {
    Self.isSame(own, other.own) && Self.isSame(shared, other.shared)
  }

  private static func isSame(_ fields: [Field], _ others: [Field]) -> Bool {
    fields.withUnsafeBufferPointer { fields in
      others.withUnsafeBufferPointer { others in
        guard fields.count == others.count else { return false }
        // One list.
        if fields.baseAddress == others.baseAddress { return true }
        return zip(fields, others).allSatisfy { isSame($0.name, $1.name) && isSame($0.value, $1.value) }
      }
    }
  }

  private static func isSame(_ one: String, _ other: String) -> Bool {
    one.utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in
        UnsafeRawBufferPointer(left).hasSameBytes(as: UnsafeRawBufferPointer(right))
      }
    }.flatMap { $0 } ?? one.utf8.elementsEqual(other.utf8)
  }
}
