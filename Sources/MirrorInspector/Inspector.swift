public import LiveViewMirror
public import MicroHTTP

/// Everything that the mirror serves, as one handler: the contract of `docs/http-api.md`.
///
/// The routes are thin: each reads its parameters, asks ``LiveViews`` for one moment of a view, and hands it to what
/// writes it as JSON, HTML or text.
public struct Inspector: HTTPHandler {
  private let router: Router

  /// - Parameters:
  ///   - views: what is mirrored.
  ///   - assets: what serves `/assets/…`, usually the files of `Public/`.
  public init(views: LiveViews, assets: any HTTPHandler) {
    self.init(views: views, assets: assets, metrics: nil)
  }

  /// - Parameter metrics: what serves `/metrics`.
  package init(views: LiveViews, assets: any HTTPHandler, metrics: MetricsRoute?) {
    var router = Router()
    if let metrics { router.on(.get, "/metrics", metrics) }
    FeedRoutes(views: views).add(to: &router)
    ViewRoutes(views: views).add(to: &router)
    NodeRoutes(views: views).add(to: &router)
    LogRoutes(views: views).add(to: &router)
    router.on(.get, "/healthz") { _ in .json(JSON.object([("status", "ok")]).bytes) }
    router.on(.get, "/assets/{file...}", assets)
    self.router = router
  }

  /// What can be asked for.
  public var routes: [Router.Route] { router.routes }

  public func handle(_ request: HTTPRequest) throws -> HTTPResponse { try router.handle(request) }
}
