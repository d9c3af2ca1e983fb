internal import LiveViewMirror
internal import MarkupDocument
internal import MicroHTTP
internal import MirrorSupport
internal import NodeObservation

/// The routes of nodes: the tree, the elements that a selector matches, and one node. ``Inspector``
/// adds them to its router.
struct NodeRoutes {
  let views: LiveViews
  let bodies: ViewBodies

  /// The default and the maximum number of elements in a list.
  static let usualNodes = 100
  static let mostNodes = 1_000

  func add(to router: inout Router) {
    router.on(.get, "/views/{view}/tree", tree)
    router.on(.get, "/views/{view}/nodes", find)
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
    let json = JSONWriter { json in
      json.version(version, of: view.id, epoch: view.epoch)
      json.write("root") { TreeJSON(document, observedBy: view).write(top, depth: depth, to: &$0) }
    }
    return HTTPResponse.json(json.bytes).validated()
  }

  private func find(_ request: HTTPRequest) throws -> HTTPResponse {
    let view = try request.view(of: views)
    let (version, document) = try request.document(of: view)
    let limit = min(try request.number("limit", from: 1) ?? Self.usualNodes, Self.mostNodes)
    let all = document.allNodes(matching: try request.selector("selector"))
    let nodes = all.prefix(limit)
    if request.form(of: [.json, .text]) == .text {
      return .text(view.nodesText(of: document, nodes, of: all.count))
    }
    let tree = TreeJSON(document, observedBy: view)
    let json = JSONWriter { json in
      json.version(version, of: view.id, epoch: view.epoch)
      json.objects("nodes", nodes) { tree.writeMembers(of: $1, to: &$0) }
      json.member("total", all.count)
    }
    return .json(json.bytes)
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

extension HTTPRequest {
  /// A CSS selector in the query; `*` if it is absent.
  ///
  /// - Throws: 400 with the place of the fault.
  fileprivate func selector(_ name: String) throws(HTTPError) -> Selector {
    let text = queryItem(name) ?? "*"
    guard let selector = Selector(text) else {
      let fault = Selector.fault(in: text) ?? 0
      throw .invalid(name, mustBe: "a CSS selector (the fault is at character \(fault + 1))", not: text)
    }
    return selector
  }
}
