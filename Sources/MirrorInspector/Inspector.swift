package import LiveViewMirror
public import MicroHTTP

/// Everything that the mirror serves, as one handler: the contract of `docs/http-api.md`.
///
/// The routes are thin: each reads its parameters, asks ``LiveViews`` for one moment of a view, and hands it to what
/// writes it as JSON, HTML or text.
public struct Inspector: HTTPHandler {
  private let router: Router
  private let events: EventHub
  let views: LiveViews

  /// - Parameters:
  ///   - views: what is mirrored.
  ///   - events: brings what happens to them to those who read it; it is the listener of `views`.
  ///   - assets: what serves `/assets/…`, usually the files of `Public/`.
  ///   - metrics: what `/metrics` shows; without it there is none.
  ///   - subscriptions: how many there may be that were asked for by `POST`, over all views.
  ///   - followedNodes: how many children they may follow, all together.
  ///   - asksForToken: whether a token is asked for in front of this, so that the lines it shows to paste bring one.
  ///   - images: the images of other hosts that a document in its frame may load.
  package init(
    views: LiveViews, events: EventHub, assets: any HTTPHandler, metrics: Metrics? = nil,
    subscriptions: Int = 1_000, followedNodes: Int = 262_144, asksForToken: Bool = false, images: PageImages = .none
  ) {
    self.events = events
    self.views = views
    let subscriptions = Subscriptions(limit: subscriptions, followed: FollowedNodes(limit: followedNodes))
    let audience = Audience(events: events, subscriptions: subscriptions)
    var router = Router()
    EventRoutes(views: views, events: events).add(to: &router)
    SubscriptionRoutes(views: views, subscriptions: subscriptions).add(to: &router)
    FeedRoutes(views: views, bodies: events.bodies).add(to: &router)
    ViewRoutes(
      views: views, audience: audience, bodies: events.bodies, asksForToken: asksForToken, images: images
    ).add(to: &router)
    NodeRoutes(views: views, bodies: events.bodies).add(to: &router)
    LogRoutes(views: views).add(to: &router)
    if let metrics { router.on(.get, "/metrics", MetricsRoute(metrics: metrics, views: views, audience: audience)) }
    let health = HTTPResponse.json(JSON.object([("status", "ok")]).bytes)
    router.on(.get, "/healthz") { _ in health }
    router.on(.get, "/assets/{file...}") { request in
      var response = try assets.handle(request)
      if Self.isShared(request) { response.headers["Cross-Origin-Resource-Policy"] = "cross-origin" }
      return response
    }
    self.router = router
  }

  /// Whether a request is for what a document in its frame loads. The frame has no origin, so to a browser its style sheet is
  /// a file of another site.
  public static func isShared(_ request: HTTPRequest) -> Bool { request.segments == ["assets", "native.css"] }

  /// Ends what would never end: the streams of events. Later ones are refused.
  public func close() { events.close() }

  /// What can be asked for.
  public var routes: [Router.Route] { router.routes }

  public func handle(_ request: HTTPRequest) throws -> HTTPResponse { try router.handle(request) }
}
