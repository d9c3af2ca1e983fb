internal import LiveViewMirror
internal import MicroHTTP
internal import MirrorSupport

/// `/pages`: the page loads in the tabs of browsers, with the LiveViews of each. ``Inspector`` adds
/// these routes to its router.
struct PageLoadRoutes {
  let views: LiveViews
  let carriers: Carriers

  /// The maximum number of characters of an address, a title and the name of a browser.
  static let longestText = 8_192

  func add(to router: inout Router) {
    router.on(.get, "/pages") { _ in
      .json(JSON.object([("pages", .array(views.pages.map(json)))]).bytes)
    }
    router.on(.get, "/pages/{page}") { request in
      let id = try request.page()
      guard let page = views.page(id) else { throw HTTPError.unknownPage(id) }
      return .json(json(page).bytes)
    }
    router.on(.post, "/pages/{page}", announce)
    router.on(.delete, "/pages/{page}") { request in
      let id = try request.page()
      return try views.keeping(for: request) { _ in
        guard close(id) else { throw HTTPError.unknownPage(id) }
        return HTTPResponse(status: .noContent)
      }
    }
  }

  /// - Returns: whether there is such a page.
  @discardableResult
  private func close(_ page: String) -> Bool {
    guard views.close(page: page) else { return false }
    carriers.end(page)
    return true
  }

  private func json(_ page: LiveViews.PageLoadReport) -> JSON {
    page.json(isConnected: carriers.isConnected(page.page.id))
  }

  private func announce(_ request: HTTPRequest) throws -> HTTPResponse {
    let id = try request.page()
    let body = try JSONBody(request.body, of: ["url", "title", "user_agent", "client", "carrier", "lost", "closed"])
    let isClosed = try body.bool("closed") ?? false
    let lost = try body.object("lost", of: ["frames", "bytes"])
    let client = try HTTPError.checkClient(try body.text("client", longest: 32))
    let announcement = PageLoad.Announcement(
      url: try body.text("url", longest: Self.longestText), title: try body.text("title", longest: Self.longestText),
      userAgent: try body.text("user_agent", longest: Self.longestText), client: client,
      hasCarrier: try body.bool("carrier"),
      lost: PageLoad.Lost(
        frames: try lost?.number("frames", of: "lost frames", from: 0) ?? 0,
        bytes: try lost?.number("bytes", of: "lost bytes", from: 0) ?? 0))
    return try views.keeping(for: request) { _ in
      let isNew = views.announce(id, announcement)
      if isClosed { close(id) }
      // A page without views is forgotten when it closes.
      guard let page = views.page(id) else { return HTTPResponse(status: .noContent) }
      var response = HTTPResponse.json(json(page).bytes, status: isNew ? .created : .ok)
      response.headers["Location"] = "/pages/\(id)"
      return response
    }
  }
}

extension HTTPRequest {
  /// The page load that the path names.
  func page() throws(HTTPError) -> String {
    let id = try parameter("page")
    guard LiveViews.isValid(page: id) else { throw .invalidPage(id) }
    return id
  }

  /// `?page=&url=&first=`: the page load whose frames the body contains; `nil` without `page`.
  func pageFeed() throws(HTTPError) -> PageFeedParameters? {
    let first = try number("first")
    guard let id = queryItem("page") else { return nil }
    guard LiveViews.isValid(page: id) else { throw .invalidPage(id) }
    let url = queryItem("url")
    return PageFeedParameters(id: id, url: url?.isEmpty == true ? nil : url, first: first)
  }
}

extension HTTPError {
  static func unknownPage(_ id: String) -> HTTPError {
    HTTPError(.unknownPage, "There is no page \"\(id)\"; GET /pages lists all pages.")
  }

  fileprivate static func invalidPage(_ id: String) -> HTTPError {
    HTTPError(
      .invalidPageID,
      "\"\(id)\" is not a page id: it must have 1 to 64 characters of A–Z, a–z, 0–9 and . _ -, and must not be \".\" or \"..\"."
    )
  }
}
