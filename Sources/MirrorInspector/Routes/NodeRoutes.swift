internal import LiveViewMirror
internal import MarkupDocument
internal import MicroHTTP
internal import MirrorSupport
internal import NodeObservation

/// The routes of nodes: the tree, and one node.
struct NodeRoutes {
  let views: LiveViews
  let bodies: ViewBodies

  func add(to router: inout Router) {
    router.on(.get, "/views/{view}/tree", tree)
    router.on(.get, "/views/{view}/nodes/{node}", node)
  }

  private func tree(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try request.view(of: views)
    let (version, document) = try request.document(of: view)
    let top =
      try request.queryItem("under").map { text throws(HTTPError) in
        try request.node(text, of: "under", in: view.document)
      } ?? document.root
    guard document.contains(top) else {
      throw HTTPError(.unknownNode, "Version \(version) of view \"\(view.id)\" has no node \(top).")
    }
    let depth = try request.number("depth")
    if request.form(of: [.json, .text]) == .text {
      return .text(view.treeText(of: document, under: top, depth: depth)).validated()
    }
    guard depth == nil, top == document.root, version == view.version, view.isCurrent else {
      return Self.tree(of: view, document, version, under: top, depth: depth)
    }
    let stamp = ViewBodies.Stamp(
      epoch: view.epoch, version: version, generation: view.observers.publishers.generation)
    return try bodies.response(of: view.id, .tree, stamp) {
      Self.tree(of: view, document, version, under: top, depth: nil)
    }
  }

  private static func tree(
    of view: ViewState, _ document: Document, _ version: Int, under top: NodeRef, depth: Int?
  ) -> HTTPResponse {
    var json = JSONWriter()
    json.object { json in
      json.member("view", view.id)
      json.member("epoch", view.epoch)
      json.member("version", version)
      json.write("root") { TreeJSON(document, observedBy: view).write(top, depth: depth, to: &$0) }
    }
    return HTTPResponse.json(json.bytes).validated()
  }

  private func node(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try request.view(of: views)
    let node = try request.node(try request.parameter("node"), in: view.document)
    guard let json = view.nodeJSON(node, page: view.isCurrent ? views[view.id]?.page : nil) else {
      let since =
        view.firstVersion == 0 ? "never had a node" : "has no node, and had none since version \(view.firstVersion),"
      throw HTTPError(.unknownNode, "View \"\(view.id)\" \(since) \(node) in epoch \(view.epoch).")
    }
    return .json(json)
  }
}
