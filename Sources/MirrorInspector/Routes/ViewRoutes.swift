internal import LiveViewMirror
internal import MarkupDocument
internal import MicroHTTP
internal import MirrorSupport
internal import RenderedTree

/// The routes of views: the list, the inspector's page, the document as a page and as markup, the
/// merged tree. ``Inspector`` adds them to its router.
struct ViewRoutes {
  let views: LiveViews
  let audience: Audience
  let bodies: ViewBodies
  let carriers: Carriers
  /// Whether commands to paste must contain a token.
  var asksForToken = false
  var images = ImagePolicy.none
  /// The editor that opens template lines.
  var editor: Editor?
  /// The app's templates, whose lines a page shows.
  var templates: TemplateFiles?
  /// The app whose style sheets a page uses; `nil` for none.
  var app: AppStyles?
  var refusedOrigins = RefusedOrigins()

  func add(to router: inout Router) {
    router.on(.get, "/") { request in
      // The first address that a user opens, in a browser or with curl. Both get the page.
      try list(request, as: request.form(of: [.html, .json]))
    }
    router.on(.get, "/views") { request in try list(request, as: request.form(of: [.json, .text, .html])) }
    router.on(.get, "/views/{view}", show)
    router.on(.get, "/views/{view}/inspector", inspector)
    router.on(.get, "/views/{view}/page", page)
    router.on(.get, "/views/{view}/page/patch", patch)
    router.on(.get, "/views/{view}/html", markup)
    router.on(.get, "/views/{view}/rendered", rendered)
    router.on(.get, "/views/{view}/subscribers") { request in
      let view = try request.currentView(of: views)
      let audience = audience.count(of: view.id)
      return switch request.form(of: [.json, .text, .html]) {
      case .html: .inspector(of: view) { $0.tab = .subscribers }
      case .text: .text(view.subscribersText(audience: audience))
      case .json: .json(view.subscribersJSON(audience: audience))
      }
    }
  }

  private func list(_ request: HTTPRequest, as form: ResourceForm) throws -> HTTPResponse {
    let (all, audience, usage) = (views.all, audience.counts, MirrorUsage(of: views, and: self.audience))
    let reports = views.reports(of: all.map(\.id))
    // An invalid order is an error in every form, although only the page is sorted.
    let order: IndexOrder = try request.choice(of: "sort") ?? .updated
    if form == .html {
      return .page(
        ViewsPage(
          views: all, reports: reports, audience: audience, usage: usage, pages: views.pages,
          rejectedFeed: views.lastRejectedFeed, refusedOrigins: refusedOrigins.all,
          journalProblem: views.journalProblem, find: request.queryItem("find"),
          order: order,
          address: request.address, asksForToken: asksForToken, now: WallClock.system.now()
        ).html)
    }
    if form == .text { return .text(ViewSummary.text(of: all, reports)) }
    let summaries = zip(all, reports).map { view, report in
      view.json(audience: audience[view.id] ?? .init(), report)
    }
    return .json(
      JSON.object([
        ("views", .array(summaries)), ("limits", usage.limitsJSON),
        ("usage", usage.json), ("rejected_feed", views.lastRejectedFeed?.json ?? .null),
        ("refused_origins", .array(refusedOrigins.all.map(\.json))), ("journal_problem", JSON(views.journalProblem)),
      ]).bytes)
  }

  private func show(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try request.view(of: views)
    // Invalid parameters are errors in every form, although only the page uses them.
    let query = try request.inspectorQuery(of: view)
    let report = views.report(of: view.id)
    return switch request.form(of: [.json, .text, .html]) {
    case .json: .json(view.overview.json(audience: audience(of: view), report).bytes)
    case .text: .text(view.overview.text(audience(of: view), report))
    case .html: FramedDocumentPage.framing(.page(try page(of: view, query, for: request).html), of: view, for: request)
    }
  }

  /// The event clients and subscriptions of the current epoch; an ended epoch has none.
  private func audience(of view: ViewState) -> Audience.Count { view.isCurrent ? audience.count(of: view.id) : .init() }

  /// The regions of the inspector, for its script.
  private func inspector(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try request.view(of: views)
    let known = PageRegion.Digest.all(in: request.headers["Known-Digests"])
    return .json(try page(of: view, try request.inspectorQuery(of: view), for: request).json(known: known))
  }

  private func page(of view: ViewState, _ query: ViewPage.Query, for request: HTTPRequest) throws -> ViewPage {
    let (_, document) = try request.document(of: view)
    return ViewPage(
      view: view, document: document, query: query, address: request.address, audience: audience(of: view),
      asksForToken: asksForToken, report: views.report(of: view.id), editor: editor,
      templates: templates,
      journalProblem: views.journalProblem, pageViews: view.isCurrent ? views[view.id]?.page : nil)
  }

  private func page(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try request.view(of: views)
    let side: ChangePicture.Side? = try request.choice(of: "part")
    guard request.queryItem("frame") != nil else {
      let (version, _) = try request.document(of: view)
      return FramedDocumentPage(
        view: view, version: request.queryItem("version") == nil ? nil : version,
        hasCarrier: views.life(of: view.id).page.map(carriers.isConnected) ?? false
      ).response(to: request)
    }
    let title = view.title ?? view.id
    if let side { return try picture(request, side, of: view, titled: title) }
    if request.queryItem("version") == nil, view.isCurrent, view.document.count <= DocumentPage.mostKeptNodes,
      let page = views[view.id]?.drawnPage
    {
      return DocumentPage(page, of: view, title: title, images: images, app: app).response
    }
    let (version, document) = try request.document(of: view)
    return DocumentPage(document, version: version, title: title, images: images, app: app).response
  }

  /// The part of the page that a diff changed, before or after it.
  private func picture(
    _ request: HTTPRequest, _ side: ChangePicture.Side, of view: ViewState, titled title: String
  ) throws -> HTTPResponse {
    let version = try request.number("version") ?? view.version
    guard let record = view.log.record(of: version) else { throw HTTPError.unknownVersion(version, of: view) }
    let shown = side == .before ? version - 1 : version
    guard let document = view.document(at: shown), let picture = ChangePicture(of: record, side, in: document) else {
      throw HTTPError(.notFound, "Version \(version) changed nothing that can be shown \(side.rawValue) it.")
    }
    return DocumentPage(
      picture.document, version: shown, title: title, images: images, app: app, isPicture: true
    ).response
  }

  /// The patch from the version `from`, which the client's page shows, to the requested version.
  private func patch(_ request: HTTPRequest) throws -> HTTPResponse {
    guard let epoch = try request.number("epoch", from: 1), let from = try request.number("from") else {
      throw HTTPError(.missingParameter, "epoch and from are required: the epoch and the version that the page shows.")
    }
    // Without a version, the page follows the view. If the view was mounted again, its epoch
    // differs from that of the page, and the patch is refused.
    let isFollowing = request.queryItem("version") == nil
    let view = try isFollowing ? request.latestView(of: views) : request.view(of: views)
    let (version, document) = try request.document(of: view)
    do throws(DocumentPatch.Refusal) {
      return .json(try DocumentPatch(of: view, epoch: epoch, from: from, to: version, document).json)
    } catch {
      return .json(error.json(epoch: view.epoch, version: version))
    }
  }

  private func markup(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try request.view(of: views)
    let (version, document) = try request.document(of: view)
    func make() -> HTTPResponse { HTTPResponse.foreign(document.markupBytes(of: document.root)).validated() }
    guard version == view.version, view.isCurrent else { return make() }
    return try bodies.response(of: view.id, .markup, .init(epoch: view.epoch, version: version), make)
  }

  /// The merged tree as JSON that can be mounted, or its rendered markup.
  private func rendered(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try request.view(of: views)
    let version = try request.number("version") ?? view.version
    let form = request.form(of: [.json, .html])
    guard version == view.version, view.isCurrent else { return try Self.rendered(version, of: view, as: form) }
    return try bodies.response(
      of: view.id, form == .html ? .renderedMarkup : .rendered, .init(epoch: view.epoch, version: version)
    ) { try Self.rendered(version, of: view, as: form) }
  }

  private static func rendered(_ version: Int, of view: ViewState, as form: ResourceForm) throws -> HTTPResponse {
    guard let tree = view.rendered(at: version) else { throw HTTPError.unknownVersion(version, of: view) }
    let response =
      switch form {
      case .html: HTTPResponse.foreign(Array(try tree.render().markup))
      case .json, .text: HTTPResponse.json(tree.jsonLine)
      }
    return response.validated()
  }
}
