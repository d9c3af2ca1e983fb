/// What the headers say about a request before its body is there.
struct RequestHead: Sendable {
  var method: HTTPMethod
  var headers: HTTPHeaders
  /// Whether it is one of HTTP/1.0.
  var isOfVersion10 = false
  /// Whether lines end with CRLF and none is folded, see ``HeadLayout``.
  var isSeparatedWell = true
  /// Whether names and values have none but the bytes that they may have.
  private(set) var isWritten = true
}

extension RequestHead {
  /// Without headers yet.
  init(method: UnsafeRawBufferPointer, version: UnsafeRawBufferPointer) {
    self.method = HTTPMethod(rawValue: String(decoding: method, as: UTF8.self))
    headers = HTTPHeaders()
    isOfVersion10 = version.count > 7 && version[5] == UInt8(ascii: "1") && version[7] == UInt8(ascii: "0")
  }

  /// Bytes of headers that are no UTF-8 are repaired: a header is compared and shown, never resolved. The daemon leaves
  /// spaces at the end of a value. They go, but not from the headers that tell where the body ends: these must be read as
  /// the daemon reads them, to which `chunked ` is not `chunked`.
  mutating func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    if name.isEmpty || !name.allSatisfy(\.isTokenByte) || !value.allSatisfy(\.isFieldByte) { isWritten = false }
    let text = String(decoding: name, as: UTF8.self)
    var value = value
    if !Self.isOfTheDaemon(text) {
      while let last = value.last, last.isOptionalWhitespace {
        value = UnsafeRawBufferPointer(rebasing: value.dropLast())
      }
    }
    headers.add(text, String(decoding: value, as: UTF8.self))
  }

  /// Headers that tell where a body ends: the daemon's to read, and to write.
  static func isOfTheDaemon(_ name: String) -> Bool {
    switch name.utf8.count {
    case 14: HTTPHeaders.matches(name, "Content-Length")
    case 17: HTTPHeaders.matches(name, "Transfer-Encoding")
    default: false
    }
  }

  /// What the grammar of HTTP/1.1 forbids and libmicrohttpd lets through (RFC 9112 §2.2, §3, §5; RFC 9110 §7.2, §10.1.1).
  func check() throws(HTTPError) {
    guard isSeparatedWell else {
      throw HTTPError(
        .badRequest,
        "The parts of the request's head are not separated as they must be: by single spaces, and lines by CRLF, none of them folded."
      )
    }
    guard isWritten, method.rawValue.utf8.allSatisfy(\.isTokenByte) else {
      throw HTTPError(.badRequest, "The method or a header has a character that it must not have.")
    }
    let hosts = headers.count(of: "Host")
    guard hosts < 2 else { throw HTTPError(.badRequest, "The request has more than one Host header.") }
    guard hosts == 1 || isOfVersion10 else { throw HTTPError(.badRequest, "The request has no Host header.") }
    if isOfVersion10, headers["Transfer-Encoding"] != nil {
      throw HTTPError(.badRequest, "HTTP/1.0 has no Transfer-Encoding.")
    }
    if let expectation = headers.list(of: "Expect"), !isOfVersion10, expectation.asciiLowercased != "100-continue" {
      throw HTTPError(.expectationFailed, "The only expectation that is met is 100-continue.")
    }
  }
}

extension RequestHead {
  /// How long the body will be.
  enum BodyLength: Equatable {
    case none
    case known(Int)
    case chunked
  }

  /// The length that the headers tell, or why they must not be believed.
  ///
  /// Two programs that read one request differently can be made to smuggle another one past each other, so everything that
  /// may be read in two ways is refused (RFC 9112 §6.3, §11.2).
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
        throw HTTPError(.notImplemented, "The only Transfer-Encoding that is understood is chunked.")
      }
      return .chunked
    }
    guard let length = lengths.first else { return .none }
    guard !length.isEmpty, length.utf8.allSatisfy(\.isASCIIDigit), let count = Int(length) else {
      throw HTTPError(.badRequest, "The Content-Length is not a number.")
    }
    return count == 0 ? .none : .known(count)
  }

  /// Whether the client waits to hear that its body is wanted.
  var expectsContinue: Bool {
    headers["Expect"]?.asciiLowercased == "100-continue"
  }

  /// A body that is compressed would be taken for what it is not.
  func checkEncoding(of length: BodyLength) throws(HTTPError) {
    guard length != .none, let encoding = headers.list(of: "Content-Encoding"), encoding.asciiLowercased != "identity"
    else { return }
    throw HTTPError(
      .unsupportedMediaType, "A body with Content-Encoding \(encoding) is not understood; send it as it is.",
      headers: ["Accept-Encoding": "identity"])
  }
}
