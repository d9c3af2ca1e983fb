package import MicroHTTP

/// `GET /metrics`.
package struct MetricsRoute: HTTPHandler {
  private let metrics: Metrics
  private let levels: @Sendable () -> Metrics.Levels

  /// - Parameter levels: asked for every answer, on the server's threads.
  package init(_ metrics: Metrics, levels: @escaping @Sendable () -> Metrics.Levels) {
    self.metrics = metrics
    self.levels = levels
  }

  package func handle(_ request: HTTPRequest) throws -> HTTPResponse {
    HTTPResponse(
      headers: ["Content-Type": Metrics.mediaType, "Cache-Control": "no-store"],
      body: .bytes(metrics.text(levels())))
  }
}
