internal import MirrorSupport

/// The check of headers and cookies. `ClientSession` refuses options with a `problem`, and `attach`
/// checks each `--header` and `--cookie` with the other functions.
extension ClientOptions {
  /// The error of the first header or cookie that cannot be sent; `nil` if all of them can.
  package var problem: ClientError? {
    for header in headers {
      if let reason = Self.problem(ofHeader: header.name, value: header.value) {
        return .invalidHeader(name: header.name, reason: reason)
      }
    }
    for cookie in cookies {
      if let reason = Self.problem(ofCookie: cookie.name, value: cookie.value) {
        return .invalidHeader(name: "Cookie: \(cookie.name)", reason: reason)
      }
    }
    return nil
  }

  /// The reason why a header cannot be sent; `nil` if it can.
  ///
  /// - Returns: a predicate, such as `must not be set`, whose subject is the header.
  package static func problem(ofHeader name: String, value: String) -> String? {
    if let problem = problem(ofName: name) ?? problem(ofValue: value) { return problem }
    let lowercased = name.lowercased()
    if reserved.contains(lowercased) || lowercased.hasPrefix("sec-websocket-") {
      return
        "must not be set: the client itself sets the headers of the connection, of the body and of the WebSocket's handshake"
    }
    // The client does not decompress.
    if lowercased == "accept-encoding" { return "must not be set: the client reads no compressed answers" }
    return nil
  }

  /// The reason why a cookie cannot be sent; `nil` if it can. The reason does not contain the
  /// cookie's value, because the value may give access to a session.
  ///
  /// - Returns: a predicate whose subject is the cookie.
  package static func problem(ofCookie name: String, value: String) -> String? {
    if value.utf8.contains(UInt8(ascii: ";")) { return "must be one cookie: repeat the option for each" }
    return problem(ofName: name) ?? problem(ofValue: value)
  }

  private static func problem(ofName name: String) -> String? {
    !name.isEmpty && name.utf8.allSatisfy(\.isTokenByte)
      ? nil : "must have a name of letters, digits and !#$%&'*+-.^_`|~"
  }

  private static func problem(ofValue value: String) -> String? {
    value.utf8.allSatisfy(\.isFieldByte) ? nil : "must have a value without control characters"
  }

  /// The headers that concern one connection (RFC 9110, section 7.6.1) or a request's body. Only
  /// the client itself sets them.
  private static let reserved: Set = [
    "connection", "content-length", "expect", "http2-settings", "keep-alive", "proxy-connection", "te", "trailer",
    "transfer-encoding", "upgrade",
  ]
}
