internal import LiveViewMirror
internal import MicroHTTP

/// The findings of a view, and the explanations of their codes.
struct DiagnosticRoutes {
  let views: LiveViews

  func add(to router: inout Router) {
    router.on(.get, "/views/{view}/diagnostics", list)
    router.on(.get, "/help/diagnostics", explain)
  }

  private func list(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try request.view(of: views)
    return switch request.form(of: [.json, .text, .html]) {
    case .text: .text(view.findingsText)
    case .html: .inspector(of: view) { $0.tab = .diagnostics }
    case .json: .json(view.findingsJSON)
    }
  }

  private func explain(_ request: HTTPRequest) throws -> HTTPResponse {
    switch request.form(of: [.html, .text]) {
    case .text: .text(DiagnosticCode.markdown)
    case .html, .json: .page(DiagnosticsHelpPage.html)
    }
  }
}
