/// The decoded segments of a path. ``RequestTarget`` makes it, and ``RouteTree`` matches it.
struct RequestPath: Sendable {
  /// The segments, each after a separator: a slash if the path has no escapes, otherwise a NUL,
  /// which no segment contains. So a decoded slash is not mistaken for a separator.
  private let text: String
  private let separator: UInt8

  /// - Parameter path: a path without escapes.
  init(_ path: String) {
    text = path
    separator = UInt8(ascii: "/")
  }

  /// - Parameter path: a path with escapes.
  init(decoding path: String) throws(PercentEncoding.Failure) {
    var text = ""
    for part in path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      text += "\0"
      text += try PercentEncoding.decode(Substring(part))
    }
    self.text = text
    separator = 0
  }

  /// `[]` for `/`, `["a", ""]` for `/a/`.
  var segments: [String] { withSegments { $0.texts } }

  func withSegments<Result>(_ body: (Segments) -> Result) -> Result {
    var text = text
    return text.withUTF8 { body(Segments(of: $0, separator: separator)) }
  }

  /// The remaining segments of a path. Iterates without allocating a string for each segment.
  struct Segments {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let separator: UInt8
    /// The index of the next segment. After the last segment, it exceeds the length of the path.
    private var start: Int

    fileprivate init(of bytes: UnsafeBufferPointer<UInt8>, separator: UInt8) {
      self.bytes = bytes
      self.separator = separator
      start = bytes.count > 1 ? 1 : bytes.count + 1
    }

    var isEmpty: Bool { start > bytes.count }

    mutating func popFirst() -> Slice<UnsafeBufferPointer<UInt8>>? {
      guard !isEmpty else { return nil }
      var end = start
      while end < bytes.count, bytes[end] != separator { end += 1 }
      defer { start = end + 1 }
      return bytes[start..<end]
    }

    /// The remaining segments as strings.
    var texts: [String] {
      var (texts, rest) = ([String](), self)
      while let segment = rest.popFirst() { texts.append(String(decoding: segment, as: UTF8.self)) }
      return texts
    }
  }
}
