internal import LiveViewMirror
internal import MarkupDocument
internal import NodeObservation

/// `GET /views/{view}` in a browser: the tree, the log, and the details of one node.
///
/// Everything that a reader can choose stands in the address, so that a link to a version and a node can be passed on.
struct ViewPage {
  /// What the address asks for.
  struct Query {
    /// The version shown; `nil` is the newest one, whichever that is.
    var version: Int?
    /// The node that is selected.
    var node: Int?
    /// The node whose subtree is shown, instead of the whole document.
    var under: Int?
    /// Which of its children is the first one shown.
    var from: Int?
    /// A place in the log, as ``ChangeLog/Cursor`` writes it: entries behind it are shown.
    var after: String?

    init(version: Int? = nil, node: Int? = nil, under: Int? = nil, from: Int? = nil, after: String? = nil) {
      self.version = version
      self.node = node
      self.under = under
      self.from = from
      self.after = after
    }

    /// Reads the parameters of a URL. What is no number is as if it were absent.
    init(_ parameter: (String) -> String?) {
      self.init(
        version: parameter("version").flatMap { Int($0) }, node: parameter("node").flatMap { Int($0) },
        under: parameter("under").flatMap { Int($0) }, from: parameter("from").flatMap { Int($0) },
        after: parameter("after"))
    }
  }

  let view: ViewState
  let document: Document
  let query: Query
  let address: String
  let asksForToken: Bool
  /// Who listens to the view besides the observers, now.
  let audience: Audience.Count
  /// The version shown.
  let version: Int
  /// What the shown version did: the entry in the log and the marks in the tree are both it.
  let record: ChangeRecord?
  let marks: ChangeMarks
  /// Who listens now, whichever version is shown.
  let subscribers: [NodeRef: NodePublishers.Count]
  /// Where the templates' lines are, as far as HEEx's debug annotations tell.
  let sources: [NodeRef: SourceLocation]

  /// - Parameters:
  ///   - document: the document of `query.version`.
  ///   - address: where a terminal reaches this server, such as `http://127.0.0.1:8080`.
  ///   - audience: who listens to the view besides the observers.
  ///   - asksForToken: whether the line to paste has to bring a token.
  init(
    view: ViewState, document: Document, query: Query, address: String, audience: Audience.Count = .init(),
    asksForToken: Bool = false
  ) {
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

  /// A version that the address names stays; without one, the page goes with the view.
  private var live: PageFrame.Live {
    PageFrame.Live(
      kind: query.version == nil ? "view" : "past", events: Link("views", view.id, "events"),
      eventID: view.log.last(1).first.map { EventID($0.entry, at: $0.cursor) }, version: version,
      summary: "version \(version), \(HTML.count(record?.changeSet.changes.count ?? 0, "change"))")
  }

  // MARK: - Addresses

  /// This page with another choice.
  func link(_ fragment: String? = nil, _ change: (inout Query) -> Void = { _ in }) -> Link {
    var query = query
    change(&query)
    return Link("views", view.id).with("version", query.version).with("under", query.under).with("from", query.from)
      .with("after", query.after).with("node", query.node).at(fragment)
  }

  /// Another version of this page. The newest one is named by no number, so that the link stays the newest.
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

  /// A node by its number, as a link to its details, and by its name where it is in the shown version.
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
