internal import MirrorSupport

/// Requests pages with the client's cookies and headers, and follows redirects. ``ClientSession``
/// and its ``LivePage``s share one loader, and thereby the cookies.
struct PageLoader: Sendable {
  static let maximumRedirects = 20

  let options: ClientOptions
  /// The host that gets the options' headers and cookies.
  let home: WebAddress
  let jar: Guarded<CookieJar>
  let clock: WallClock

  init(_ options: ClientOptions, for home: WebAddress, clock: WallClock = .system) {
    (self.options, self.home, self.clock) = (options, home, clock)
    var jar = CookieJar()
    for cookie in options.cookies { jar.set(Cookie(cookie.name, cookie.value, for: home), at: 0) }
    self.jar = Guarded(jar)
  }

  var transport: Transport { Transport(acceptsAnyCertificate: options.acceptsAnyCertificate, timeout: options.timeout) }

  private var now: Int64 { clock.now() / 1_000 }

  /// Sets a cookie for the host of an address, as a script of a page does. It expires after a
  /// minute.
  func set(_ cookie: (name: String, value: String), for address: WebAddress) {
    jar.withLock { $0.set(Cookie(cookie.name, cookie.value, for: address, expiry: now + 60), at: now) }
  }

  /// The headers of a request. Only the host of the opened URL gets the headers of the options, and
  /// the user name and password of the URL.
  func headers(for address: WebAddress, accepting types: String? = nil) -> [(name: String, value: String)] {
    var headers: [(name: String, value: String)] = [("User-Agent", options.userAgent)]
    if let types { headers.append(("Accept", types)) }
    if let cookie = jar.withLock({ $0.header(for: address, at: now) }) { headers.append(("Cookie", cookie)) }
    guard isHome(address) else { return headers }
    if let userInfo = home.userInfo {
      let credentials = WebAddress.decoded(userInfo)
      headers.append(
        (
          "Authorization",
          "Basic "
            + Base64.text(credentials.contains(UInt8(ascii: ":")) ? credentials : credentials + [UInt8(ascii: ":")])
        ))
    }
    for header in options.headers {
      if header.name.lowercased() == "cookie", let index = headers.firstIndex(where: { $0.name == "Cookie" }) {
        headers[index].value += "; \(header.value)"
      } else {
        headers.removeAll { $0.name.lowercased() == header.name.lowercased() }
        headers.append(header)
      }
    }
    return headers
  }

  /// Whether an address belongs to the host of the opened URL, which may redirect from `http` to
  /// `https`.
  private func isHome(_ address: WebAddress) -> Bool {
    var secure = home
    if home.scheme == "http", home.port == 80 { (secure.scheme, secure.port) = ("https", 443) }
    return [home.origin, secure.origin].contains(address.origin)
  }

  /// Loads a page.
  ///
  /// - Throws: ``ClientError`` if there is no page, or no LiveView in it.
  func load(_ url: String) async throws(ClientError) -> FetchedPage {
    guard var address = WebAddress(url)?.withoutFragment else { throw .invalidURL(url) }
    addFormat(to: &address)
    let (place, body) = try await request(address)
    let page = FetchedPage(body, at: place)
    if page.isTruncated { throw .tooLarge(url: place.description) }
    guard !page.roots.isEmpty else { throw .noLiveView(url: place.description, requested: address.description) }
    return page
  }

  /// Requests an address and follows redirects. Stores the cookies of each response.
  ///
  /// - Parameter form: the encoded form that a POST sends; `nil` for a GET.
  /// - Returns: the last address, and the body of its response.
  /// - Throws: ``ClientError`` if the last response has not the status 200.
  func request(
    _ address: WebAddress, posting form: String? = nil
  ) async throws(ClientError) -> (address: WebAddress, body: [UInt8]) {
    let requested = address
    var (address, form) = (address, form)
    for _ in 0...Self.maximumRedirects {
      let connection = try await HTTPConnection.open(address, by: transport)
      defer { connection.close() }
      var headers = headers(
        for: address, accepting: options.isNative ? "*/*" : "text/html,application/xhtml+xml,*/*;q=0.8")
      headers.append(("Connection", "close"))
      if form != nil { headers += [("Content-Type", "application/x-www-form-urlencoded"), ("Origin", address.origin)] }
      let answer = try await connection.send(
        ClientRequest(form == nil ? "GET" : "POST", address.target, headers: headers, body: Array((form ?? "").utf8)),
        maximumBody: options.maximumMessage)
      jar.withLock { $0.store(answer.values(of: "set-cookie"), from: address, at: now) }
      if [301, 302, 303, 307, 308].contains(answer.status), let location = answer.values(of: "location").first {
        guard let next = address.resolving(location)?.withoutFragment else {
          throw .unsupportedRedirect(url: address.description, to: location)
        }
        if answer.status < 307 { form = nil }
        address = next
        continue
      }
      guard answer.status == 200 else { throw .status(url: address.description, answer.status) }
      return (address, answer.body)
    }
    throw .tooManyRedirects(url: requested.description)
  }

  /// LiveView Native's servers choose the markup by the parameter `_format`.
  private func addFormat(to address: inout WebAddress) {
    guard let format = options.format, address.query?.contains("_format=") != true else { return }
    address.addQuery("_format", format)
    for item in NativeInterface.parameters(of: format) { address.addQuery("_interface[\(item.name)]", item.value) }
  }

  /// The address of a page's socket, with the parameters of
  /// `new LiveSocket("/live", Socket, {params: {_csrf_token: …}})`.
  func socketAddress(of page: FetchedPage) -> WebAddress {
    var address = page.address
    let path = options.socketPath ?? page.socketPath ?? "/live"
    address.path = (path.hasSuffix("/") ? String(path.dropLast()) : path) + "/websocket"
    address.query = nil
    if let token = page.csrfToken { address.addQuery("_csrf_token", token) }
    for parameter in options.parameters {
      let value = if case .string(let text) = parameter.value { text } else { parameter.value.text }
      address.addQuery(parameter.name, value)
    }
    address.addQuery("vsn", "2.0.0")
    return address
  }
}
