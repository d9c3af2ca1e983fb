/// What the headers say about a request before its body is there.
struct RequestHead: Sendable {
  var method: HTTPMethod
  var headers: HTTPHeaders
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
    guard headers.values(of: "Host").count < 2 else {
      throw HTTPError(.badRequest, "The request has more than one Host header.")
    }
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
