/// The reason why a page cannot be opened or followed. ``LiveViewClient`` and ``LivePage`` throw
/// it, and ``PageEvent/ended(_:)`` has it.
///
/// The associated values of the cases are whole URLs. The ``description`` shows neither user names
/// and passwords nor queries, which may hold tokens.
public enum ClientError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text is not an `http` or `https` URL.
  case invalidURL(String)
  /// A header of ``ClientOptions/headers`` that cannot be sent.
  case invalidHeader(name: String, reason: String)
  /// No connection to the server could be opened.
  case unreachable(url: String, reason: String)
  /// The connection has failed, or the answer is not HTTP.
  case failedExchange(url: String, reason: String)
  /// The answer is not a page: its status is not 200.
  case status(url: String, Int)
  case tooManyRedirects(url: String)
  /// The target of a redirect has another scheme than `http` and `https`.
  case unsupportedRedirect(url: String, to: String)
  /// The page has more nodes than the parser reads.
  case tooLarge(url: String)
  case noLiveView(url: String, requested: String)
  /// The server does not open a WebSocket.
  case refusedSocket(url: String, status: Int)
  /// The connections have ended before a view was joined.
  case lostSocket(url: String, DisconnectReason)
  /// The server sends something that is not a frame of Phoenix's channel protocol 2.0.0.
  case unknownProtocol(url: String, excerpt: String)
  /// The server does not accept the session of a page that it has just rendered.
  case staleSession(url: String)
  case refusedJoin(view: String, url: String, reason: String)
  /// There is no such view, or the page is not open.
  case unknownView(String)
  /// The server has answered a push with an error, or not at all.
  case unanswered(event: String, reason: String)
  case closed

  /// The failure with its place and a remedy.
  public var description: String { message(isSocketPathSet: false) }

  /// The failure with its place and a remedy.
  ///
  /// - Parameter isSocketPathSet: whether the user has set ``ClientOptions/socketPath``. If so, a
  ///   remedy advises to check it, otherwise to set it.
  package func message(isSocketPathSet: Bool) -> String {
    switch self {
    case .invalidURL(let text):
      "\u{201C}\(shown(text))\u{201D} must be a complete http or https URL, such as http://localhost:4000/"
    case .invalidHeader(let name, let reason): "the header \u{201C}\(name)\u{201D} \(reason)"
    case .unreachable(let url, let reason): "cannot reach \(shown(url)): \(reason); check that the server runs there"
    case .failedExchange(let url, let reason): "\(shown(url)): \(reason)"
    case .status(let url, let status):
      "\(shown(url)) answers with status \(status) and not with a page" + Self.remedy(status)
    case .unsupportedRedirect(let url, let target):
      "\(shown(url)) redirects to \(shown(target)), which is not an http or https URL"
    case .tooManyRedirects(let url):
      "\(shown(url)) leads to more than \(PageLoader.maximumRedirects) redirects; if it asks for a login, pass the session with --cookie"
    case .tooLarge(let url): "\(shown(url)) is larger than a page may be, which is 163840 nodes or 64 MiB"
    case .noLiveView(let url, let requested):
      "\(shown(url)) has no LiveView: no element has data-phx-session"
        + (url == requested
          ? "" : "; \(shown(requested)) has redirected to it, so a login may be needed: pass the session with --cookie")
    case .refusedSocket(let url, let status):
      "\(shown(url)) refuses the WebSocket with status \(status); " + Self.socketRemedy(status, isSocketPathSet)
    case .lostSocket(let url, let reason): "\(shown(url)) joins no view: \(reason)"
    case .unknownProtocol(let url, let excerpt):
      "\(shown(url)) sends a message that is not a frame [join_ref, ref, topic, event, payload] of protocol 2.0.0: \(excerpt)"
    case .staleSession(let url):
      "\(shown(url)) renders a page whose session it does not accept (stale); check that all servers behind the address have the same "
        + "secret_key_base and signing_salt, and that --cookie is not of an expired session"
    case .refusedJoin(let view, let url, let reason):
      "the server refuses the join of \(view) at \(shown(url)): \(reason)"
        + (reason == "unmatched topic"
          ? "; the socket is not a LiveView socket: "
            + (isSocketPathSet ? "check --socket-path" : "name the path of the LiveView socket with --socket-path")
          : "")
    case .unknownView(let view): "there is no joined view \(view)"
    case .unanswered(let event, let reason): "the event \(event) was not answered: \(reason)"
    case .closed: "the page is closed"
    }
  }

  private static func remedy(_ status: Int) -> String {
    switch status {
    case 401, 403: "; pass the session with --cookie or --header"
    case 406: "; the app does not have the page in this format: leave out --format, or add LiveView Native to the app"
    default: ""
    }
  }

  private static func socketRemedy(_ status: Int, _ isSocketPathSet: Bool) -> String {
    switch status {
    case 300..<400: "it redirects: open the page at its final address"
    case 401: "pass the session with --cookie or --header"
    case 403: "check check_origin of the endpoint, and that its version of Phoenix has protocol 2.0.0"
    case 500...: "check the server, or the proxy before it"
    default:
      isSocketPathSet
        ? "check --socket-path: the app may have its LiveView socket at another path"
        : "if the app has its LiveView socket at another path than /live, name it with --socket-path"
    }
  }

  private func shown(_ url: String) -> String { WebAddress.withoutSecrets(url) }
}
