internal import LiveViewMirror
internal import MarkupDocument
internal import NodeObservation

/// `GET /views/{view}` in a browser: the tree, the log, and the details of one node.
///
/// The complete state of the page is in its address, so a link to a version and a node can be shared.
struct ViewPage {
  /// The parameters of the address.
  struct Query {
    /// The shown version; `nil` for the newest one.
    var version: Int?
    /// The selected node.
    var node: Int?
    /// The node whose subtree is shown; `nil` for the whole document.
    var under: Int?
    /// The index of the first shown child.
    var from: Int?
    /// A position in the log as ``ChangeLog/Cursor`` writes it: the entries after it are shown.
    var after: String?

    init(version: Int? = nil, node: Int? = nil, under: Int? = nil, from: Int? = nil, after: String? = nil) {
      self.version = version
      self.node = node
      self.under = under
      self.from = from
      self.after = after
    }
  }

  let view: ViewState
  let document: Document
  let query: Query
  let address: String
  let asksForToken: Bool
  /// The current event clients and subscriptions of the view.
  let audience: Audience.Count
  /// The view's page load and status; `nil` if they are not known.
  let report: LiveViews.ViewReport?
  /// The shown version.
  let version: Int
  /// The record of the shown version. The entry in the log and the marks in the tree both derive from it.
  let record: ChangeRecord?
  let marks: ChangeMarks
  /// The current subscribers, for any shown version.
  let subscribers: [NodeRef: NodePublishers.Count]
  /// The source lines of the templates, from HEEx's debug annotations.
  let sources: [NodeRef: SourceLocation]

  /// - Parameters:
  ///   - document: the document of `query.version`.
  ///   - address: the address of this server for a terminal, such as `http://127.0.0.1:8080`.
  ///   - audience: the event clients and subscriptions of the view.
  ///   - asksForToken: whether the command to paste must contain a token.
  init(
    view: ViewState, document: Document, query: Query, address: String, audience: Audience.Count = .init(),
    asksForToken: Bool = false, report: LiveViews.ViewReport? = nil
  ) {
    self.report = report
    self.asksForToken = asksForToken
    self.audience = audience
    self.view = view
    self.document = document
    self.query = query
    self.address = address
    version = query.version ?? view.version
    record = view.log.record(of: version)
    marks = ChangeMarks(record)
    subscribers = view.observers.publishers.counts()
    sources = document.sources()
  }

  var html: HTML {
    PageFrame(
      title: "\(view.id) v\(version)", kind: version == view.version ? "view" : "view looking-back",
      places: [("tree", "the tree"), ("log", "the log"), ("details", "the selected node")],
      live: live,
      header: header,
      main: """
        \(tree)
        \(log)
        \(details)
        """
    ).html
  }

  /// A page with a version in its address keeps showing it; without one, it shows the newest.
  private var live: PageFrame.Live {
    PageFrame.Live(
      kind: query.version == nil ? "view" : "past", events: Link("views", view.id, "events"),
      eventID: view.log.last(1).first.map { EventID($0.entry, at: $0.cursor) }, version: version,
      summary: "version \(version), \(HTML.count(record?.changeSet.changes.count ?? 0, "change"))")
  }

  // MARK: - Addresses

  /// This page with other parameters.
  func link(_ fragment: String? = nil, _ change: (inout Query) -> Void = { _ in }) -> Link {
    var query = query
    change(&query)
    return Link("views", view.id).with("version", query.version).with("under", query.under).with("from", query.from)
      .with("after", query.after).with("node", query.node).at(fragment)
  }

  /// Another version of this page. The link to the newest one contains no number, so it remains the newest.
  func link(toVersion version: Int, _ fragment: String? = nil) -> Link {
    link(fragment) {
      $0.version = version
      $0.after = nil
    }
  }

  func link(toNode node: NodeRef) -> Link { link("details") { $0.node = node.number } }

  func ref(_ number: Int?) -> NodeRef? {
    number.map { NodeRef(epoch: document.epoch, number: $0) }
  }

  /// A node by its number, as a link to its details, and by its description if the shown version has it.
  func nodeLink(_ node: NodeRef, named name: NodeName? = nil, to target: Link? = nil) -> HTML {
    let label: HTML? = name.map(label) ?? document.content(of: node).map(label)
    return """
      <a class="node" href="\(target ?? link(toNode: node))"><i class="ref">\(node.number)</i>\
      \(label.map { "\u{A0}\($0)" })</a>
      """
  }

  func label(_ name: NodeName) -> HTML {
    switch name {
    case .element(let tag, let id): Self.label(tag, id: id)
    case .text: "text"
    case .comment: "comment"
    case .processingInstruction: "instruction"
    }
  }

  func label(_ content: NodeContent) -> HTML {
    switch content {
    case .root: "document"
    case .element(let element): Self.label(element.tag, id: element.id)
    case .text: "text"
    case .comment: "comment"
    case .processingInstruction: "instruction"
    }
  }

  private static func label(_ tag: String, id: String?) -> HTML {
    let id: HTML? = id.map { "#\($0.unicodeScalars.prefix(40))\($0.unicodeScalars.count > 40 ? "…" : "")" }
    return "<bdi class=\"tag\">&lt;\(tag.unicodeScalars.prefix(60))\(id)&gt;</bdi>"
  }
}
