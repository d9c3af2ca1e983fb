package import LiveViewMirror
public import MicroHTTP

/// The handler of the HTTP API, which `docs/http-api.md` describes. The command `serve` makes one
/// and passes it to its HTTP server.
///
/// Each route reads its parameters, takes one consistent state of a view from ``LiveViews``, and
/// passes it to the code that writes it as JSON, HTML or text.
public struct Inspector: HTTPHandler {
  private let router: Router
  private let events: EventHub
  let views: LiveViews

  /// - Parameters:
  ///   - views: the mirrored views.
  ///   - events: sends their events to clients; it must be a listener of `views`.
  ///   - assets: the handler of `/assets/…`, usually the files of `Public/`.
  ///   - metrics: the counters for `/metrics`; without them there is no such route.
  ///   - subscriptions: the maximum number of subscriptions of all views.
  ///   - followedNodes: the maximum number of children that all subscriptions follow.
  ///   - asksForToken: whether a token is required. The commands shown on pages then read it from
  ///     `MIRROR_TOKEN`.
  ///   - images: the images of other hosts that a mirrored page in its frame may load.
  ///   - app: the app whose style sheets a mirrored page in its frame uses.
  ///   - editor: the editor that opens template lines.
  ///   - templates: the app's templates, whose lines a page shows.
  ///   - memory: the limits of memory by name, in bytes, which `/healthz?ready` shows.
  ///   - refusedOrigins: the origins whose taps the guards have refused.
  package init(
    views: LiveViews, events: EventHub, assets: any HTTPHandler, metrics: Metrics? = nil,
    subscriptions: Int = 1_000, followedNodes: Int = 262_144, asksForToken: Bool = false, images: ImagePolicy = .none,
    app: AppStyles? = nil, editor: Editor? = nil, templates: TemplateFiles? = nil,
    memory: [(name: String, bytes: Int)] = [],
    refusedOrigins: RefusedOrigins = RefusedOrigins()
  ) {
    self.events = events
    self.views = views
    let subscriptions = Subscriptions(
      limit: subscriptions, followed: FollowedNodes(limit: followedNodes),
      first: views.isShared ? SharedSubscriptions.randomID : 1)
    views.whenReloaded { subscriptions.move(to: $0) }
    events.whenRemoved { subscriptions.removeAll(of: $0) }
    let audience = Audience(events: events, subscriptions: subscriptions)
    var router = Router(enclosing: DescribedRoute.enclosing)
    EventRoutes(views: views, events: events).add(to: &router)
    SubscriptionRoutes(views: views, subscriptions: subscriptions).add(to: &router)
    FeedRoutes(views: views, bodies: events.bodies).add(to: &router)
    FileRoutes(views: views, bodies: events.bodies).add(to: &router)
    PageLoadRoutes(views: views, carriers: events.carriers).add(to: &router)
    ViewRoutes(
      views: views, audience: audience, bodies: events.bodies, carriers: events.carriers, asksForToken: asksForToken,
      images: images, editor: editor, templates: templates, app: app, refusedOrigins: refusedOrigins
    ).add(to: &router)
    PushRoutes(views: views, carriers: events.carriers).add(to: &router)
    NodeRoutes(views: views, bodies: events.bodies).add(to: &router)
    LogRoutes(views: views).add(to: &router)
    AnalysisRoutes(views: views).add(to: &router)
    ServerRoutes(views: views, audience: audience, events: events, metrics: metrics, memory: memory).add(to: &router)
    router.on(.get, "/assets/{file...}") { request in
      var response = try assets.handle(request)
      if Self.isShared(request) { response.headers["Cross-Origin-Resource-Policy"] = "cross-origin" }
      return response
    }
    ServerRoutes.addDescription(to: &router, hasToken: asksForToken, version: metrics?.version)
    self.router = router
  }

  /// The folders of `Public/`: the inspector's pages, the mirrored document in its frame, and the
  /// tap in the page of an app. Their files are also served under their names alone, because apps
  /// load `/assets/tap.js`.
  package static let assetFolders = ["inspector", "frame", "tap"]

  /// Whether a request is for a file that pages of other origins load: the tap, and the carrier
  /// that the tap loads.
  public static func isShared(_ request: HTTPRequest) -> Bool {
    request.segments == ["assets", "tap.js"] || request.segments == ["assets", "carrier.js"]
  }

  /// Ends all event streams and refuses new ones.
  public func close() { events.close() }

  /// The routes of the HTTP API: methods and patterns.
  public var routes: [Router.Route] { router.routes }

  /// Responds to a request of the HTTP API.
  ///
  /// - Throws: ``HTTPError`` with the problem and its status code.
  public func handle(_ request: HTTPRequest) throws -> HTTPResponse {
    catchUp(for: request)
    return try router.handle(request)
  }
}
