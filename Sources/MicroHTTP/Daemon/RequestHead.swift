internal import MirrorSupport

/// The method and the headers of a request, checked before the body is read. ``Connection/Head``
/// reads it, and ``Exchange`` calls ``check()`` before ``bodyLength()``.
struct RequestHead: Sendable {
  var method: HTTPMethod
  var headers: HTTPHeaders
  /// Whether the request's version is HTTP/1.0.
  var isOfVersion10 = false
  /// Whether the parts are separated as RFC 9112 requires, see ``HeadLayout``.
  var hasValidSeparators = true
  /// Whether all names and values have only the bytes that RFC 9110 §5.5 and §5.6.2 allow.
  private(set) var hasValidBytes = true
  /// The memory that libmicrohttpd needs for the headers: about 64 bytes for each, besides its
  /// bytes.
  private(set) var memory = 0

  /// The maximum of ``memory`` plus the length of the target. libmicrohttpd (0.9.75) drops the
  /// connection if the rest of its memory is too small for the head of the response, even if the
  /// handler has already changed something.
  static let longest = 16 << 10
}

extension RequestHead {
  /// Creates a head that has no headers yet; ``add(_:_:)`` adds them.
  init(method: UnsafeRawBufferPointer, version: UnsafeRawBufferPointer) {
    self.method = HTTPMethod(rawValue: String(decoding: method, as: UTF8.self))
    headers = HTTPHeaders()
    isOfVersion10 = version.count > 7 && version[5] == UInt8(ascii: "1") && version[7] == UInt8(ascii: "0")
  }

  /// Adds a header. Bytes that are not UTF-8 are replaced, because header values are only compared
  /// and shown.
  ///
  /// Removes white space at the end of a value, which libmicrohttpd leaves there. `Content-Length`
  /// and `Transfer-Encoding` keep it, because libmicrohttpd evaluates these headers too, and for
  /// libmicrohttpd `chunked ` differs from `chunked`.
  mutating func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    memory += name.count + value.count + 4 + 64
    if name.isEmpty || !name.allSatisfy(\.isTokenByte) || !value.allSatisfy(\.isFieldByte) { hasValidBytes = false }
    let text = String(decoding: name, as: UTF8.self)
    var value = value
    if !Self.isOfTheDaemon(text) {
      while let last = value.last, last.isOptionalWhitespace {
        value = UnsafeRawBufferPointer(rebasing: value.dropLast())
      }
    }
    headers.add(text, String(decoding: value, as: UTF8.self))
  }

  /// Whether libmicrohttpd itself reads and writes the header: `Content-Length` and
  /// `Transfer-Encoding`.
  static func isOfTheDaemon(_ name: String) -> Bool {
    switch name.utf8.count {
    case 14: HTTPHeaders.matches(name, "Content-Length")
    case 17: HTTPHeaders.matches(name, "Transfer-Encoding")
    default: false
    }
  }

  /// Refuses what HTTP/1.1 forbids and libmicrohttpd accepts (RFC 9112 §2.2, §3, §5; RFC 9110 §7.2,
  /// §10.1.1).
  func check() throws(HTTPError) {
    guard hasValidSeparators else {
      throw HTTPError(
        .badRequest,
        "The request's head is not separated as RFC 9112 requires: single spaces in the first line, CRLF after each line, and no folded line."
      )
    }
    guard hasValidBytes, method.rawValue.utf8.allSatisfy(\.isTokenByte) else {
      throw HTTPError(.badRequest, "The method or a header contains a character that RFC 9110 forbids there.")
    }
    let hosts = headers.count(of: "Host")
    guard hosts < 2 else { throw HTTPError(.badRequest, "The request has more than one Host header.") }
    guard hosts == 1 || isOfVersion10 else { throw HTTPError(.badRequest, "The request has no Host header.") }
    if isOfVersion10, headers["Transfer-Encoding"] != nil {
      throw HTTPError(.badRequest, "HTTP/1.0 does not define Transfer-Encoding.")
    }
    if let expectation = headers.list(of: "Expect"), !isOfVersion10, expectation.asciiLowercased != "100-continue" {
      throw HTTPError(.expectationFailed, "The only supported Expect value is 100-continue.")
    }
  }
}

extension RequestHead {
  /// The length of the body as the headers state it.
  enum BodyLength: Equatable {
    case none
    case known(Int)
    case chunked
  }

  /// The length of the body.
  ///
  /// Refuses every ambiguous length: two programs that read the same request differently allow
  /// request smuggling (RFC 9112 §6.3, §11.2).
  func bodyLength() throws(HTTPError) -> BodyLength {
    let lengths = headers.values(of: "Content-Length")
    guard lengths.count < 2 else {
      throw HTTPError(.badRequest, "The request has more than one Content-Length header.")
    }
    if let encoding = headers.list(of: "Transfer-Encoding") {
      guard lengths.isEmpty else {
        throw HTTPError(.badRequest, "The request has both Transfer-Encoding and Content-Length.")
      }
      guard encoding.asciiLowercased == "chunked" else {
        throw HTTPError(.notImplemented, "The only supported Transfer-Encoding is chunked.")
      }
      return .chunked
    }
    guard let length = lengths.first else { return .none }
    guard !length.isEmpty, length.utf8.allSatisfy(\.isASCIIDigit), let count = Int(length) else {
      throw HTTPError(.badRequest, "The Content-Length must be a whole number ≥ 0.")
    }
    return count == 0 ? .none : .known(count)
  }

  /// Whether the client sends its body only after `100 Continue`.
  var expectsContinue: Bool {
    headers["Expect"]?.asciiLowercased == "100-continue"
  }

  /// Refuses a compressed body, which no handler decodes.
  func checkEncoding(of length: BodyLength) throws(HTTPError) {
    guard length != .none, let encoding = headers.list(of: "Content-Encoding"), encoding.asciiLowercased != "identity"
    else { return }
    throw HTTPError(
      .unsupportedMediaType, "Content-Encoding \(encoding) is not supported: send the body uncompressed.",
      headers: ["Accept-Encoding": "identity"])
  }
}
