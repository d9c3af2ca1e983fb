internal import LiveViewMirror
internal import MicroHTTP

/// `GET /metrics`.
struct MetricsRoute: HTTPHandler {
  let metrics: Metrics
  let views: LiveViews
  let audience: Audience

  func handle(_ request: HTTPRequest) throws -> HTTPResponse {
    HTTPResponse(
      headers: ["Content-Type": Metrics.mediaType, "Cache-Control": "no-store"],
      body: .bytes(metrics.text(MirrorUsage(of: views, and: audience))))
  }
}
