/// The headers and cookies that a user may add to the requests of the client.
enum HeaderRule {
  /// Why a request must not have a header; `nil` if it may.
  ///
  /// Refused are the headers of a connection (RFC 9110, section 7.6.1), the length of a body, and those of the WebSocket handshake:
  /// the client sets them itself. `Host` is permitted: an app behind a proxy may be reached by its own address.
  static func objection(toHeader name: String) -> String? {
    guard isToken(name) else {
      return "must be the name of a header, which has only letters, digits and !#$%&'*+-.^_`|~, such as X-Token"
    }
    let name = name.lowercased()
    guard refused.contains(name) || name.hasPrefix("sec-websocket-") else { return nil }
    return "cannot be set: it belongs to the connection, and the client sets it itself"
  }

  /// Why a cookie cannot be sent; `nil` if it can.
  static func objection(toCookie name: String, value: String) -> String? {
    if value.contains(";") { return "must be one cookie: repeat --cookie for each" }
    return isToken(name) ? nil : "must be the name of a cookie, which has only letters, digits and !#$%&'*+-.^_`|~"
  }

  private static let refused: Set = [
    "connection", "content-length", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
  ]

  /// Whether a text is a token of RFC 9110, section 5.6.2.
  private static func isToken(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}
