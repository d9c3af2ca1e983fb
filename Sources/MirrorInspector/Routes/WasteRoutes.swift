internal import LiveViewMirror
internal import MicroHTTP

/// `GET /views/{view}/waste`: the costs of slots and lists since the mount.
struct WasteRoutes {
  let views: LiveViews

  func add(to router: inout Router) { router.on(.get, "/views/{view}/waste", show) }

  private func show(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try request.view(of: views)
    let order = try request.wasteOrder() ?? .wastedBytes
    let report = view.wasteReport(by: order)
    return switch request.form(of: [.json, .text, .html]) {
    case .text: .text(report.text)
    case .html: .inspector(of: view) { ($0.tab, $0.sort) = (.waste, order) }
    case .json: .json(report.json)
    }
  }
}

extension HTTPRequest {
  /// `?sort=wasted_bytes`; `nil` if it is absent.
  func wasteOrder() throws(HTTPError) -> WasteReport.Order? {
    try queryItem("sort").map { name throws(HTTPError) in try choice(name, of: "sort") }
  }
}
