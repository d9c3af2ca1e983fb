/// Answers only requests that name this server in their `Host`.
///
/// Against DNS rebinding: a page of `evil.test` asks its own name again, which by now leads to 127.0.0.1, and the browser
/// takes the answer for one of the page's own server. The request still says `Host: evil.test`, and that is no name of ours.
///
/// Served are the names of this machine (`localhost`, `*.localhost`, 127.0.0.0/8, `[::1]`), the address that is listened
/// on, and those that are `allowed`; each at any port, since what a client sees may be mapped to another one.
///
/// No `Host`, two of them, or one that cannot be read: 400. Another host: 421.
public struct HostCheck: HTTPHandler {
  private let handler: any HTTPHandler
  private let allowed: [HostPattern]
  private let hint: String

  /// - Parameters:
  ///   - address: what the server listens on. An address that stands for all (`0.0.0.0`, `::`) names none.
  ///   - hint: the sentence that tells whoever is turned away what to do.
  public init(_ handler: any HTTPHandler, allowed: [HostPattern] = [], address: String? = nil, hint: String = "") {
    self.handler = handler
    let listening = address.flatMap { try? HostPattern($0) }
    self.allowed = allowed + [listening].compactMap { $0 }.filter { !$0.host.isWildcard }
    self.hint = hint
  }

  public func handle(_ request: HTTPRequest) throws -> HTTPResponse {
    guard let host = request.authority?.host else {
      throw HTTPError(.badRequest, "The request needs one Host header, with a host and perhaps a port.")
    }
    guard host.isLoopback || allowed.contains(where: { $0.matches(host) }) else {
      let name = request.headers["Host"] ?? ""
      throw HTTPError(
        .misdirectedRequest,
        "This server does not answer to the host \u{201C}\(name)\u{201D}.\(hint.isEmpty ? "" : " \(hint)")")
    }
    return try handler.handle(request)
  }
}

extension HTTPHost {
  /// An address that stands for every address of a machine.
  var isWildcard: Bool {
    switch self {
    case .name: false
    case .ipv4(let number): number == 0
    case .ipv6(let bytes): bytes.allSatisfy { $0 == 0 }
    }
  }
}
