internal import CMicrohttpd

/// A short answer that was sent, as the daemon has it: the next one is often the same, and making one takes as long as all
/// else that a request needs.
final class SentAnswer {
  let response: HTTPResponse
  let handle: OpaquePointer

  /// What is longer is seldom the same, and takes longer to compare.
  private static let longest = 256

  /// - Parameter handle: taken over.
  init(_ response: HTTPResponse, handle: OpaquePointer) {
    self.response = response
    self.handle = handle
  }

  deinit { MHD_destroy_response(handle) }

  /// Whether another answer is the same, byte for byte: strings that differ only in how Unicode writes them are not.
  func `is`(_ other: HTTPResponse) -> Bool {
    guard response.status == other.status, response.body == other.body else { return false }
    return Self.isSame(response.headers.own, other.headers.own)
      && Self.isSame(response.headers.shared, other.headers.shared)
  }

  private static func isSame(_ fields: [HTTPHeaders.Field], _ others: [HTTPHeaders.Field]) -> Bool {
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

  static func isWorthKeeping(_ response: HTTPResponse) -> Bool {
    switch response.body {
    case .empty: true
    case .bytes(let bytes): bytes.count <= longest
    case .stream: false
    }
  }
}
