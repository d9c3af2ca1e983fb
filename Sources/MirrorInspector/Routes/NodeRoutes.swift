internal import LiveViewMirror
internal import MarkupDocument
internal import MicroHTTP

/// What shows nodes: the tree and one node of it.
struct NodeRoutes {
  let views: LiveViews

  func add(to router: inout Router) {
    router.on(.get, "/views/{view}/tree", tree)
    router.on(.get, "/views/{view}/nodes/{node}", node)
  }

  private func tree(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try request.view(of: views)
    let (version, document) = try request.document(of: view)
    let top =
      try request.queryItem("under").map { text throws(HTTPError) in try request.node(text, of: view) } ?? document.root
    guard document.contains(top) else {
      throw HTTPError(.notFound, "Version \(version) of view \"\(view.id)\" has no node \(top).")
    }
    let root = TreeJSON(document, observedBy: view).node(top, depth: try request.number("depth"))
    return .json(
      JSON.object([
        ("view", .string(view.id)), ("epoch", .integer(view.epoch)), ("version", .integer(version)), ("root", root),
      ]).bytes
    ).validated()
  }

  private func node(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try request.view(of: views)
    let node = try request.node(try request.parameter("node"), of: view)
    guard let json = view.nodeJSON(node) else {
      let since =
        view.firstVersion == 0 ? "never had a node" : "has no node, and since version \(view.firstVersion) had none,"
      throw HTTPError(.notFound, "View \"\(view.id)\" \(since) \(node) in epoch \(view.epoch).")
    }
    return .json(json.bytes)
  }
}
