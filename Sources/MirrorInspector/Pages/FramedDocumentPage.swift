internal import LiveViewMirror
internal import MicroHTTP

/// `GET /views/{view}/page` in a browser: a thin bar, and the document below it in a frame.
///
/// The document is untrusted. The frame forbids its scripts (`sandbox`), and the policy of this
/// page lets the frame show nothing else: a link in the document to another page does not open. The
/// script of this page listens to what a person does in the frame, sends it to the LiveView by
/// `POST /views/{view}/push`, and patches the document in place.
struct FramedDocumentPage {
  let view: ViewState
  /// The version in the address; `nil` for the newest one.
  let version: Int?
  /// Whether the app is open in a browser that can send what a person does in the frame.
  let hasCarrier: Bool

  private var path: Link { Link("views", view.id, "page") }

  func response(to request: HTTPRequest) -> HTTPResponse { Self.framing(.page(html), of: view, for: request) }

  /// Extends the `Content-Security-Policy` of a page, so that a frame in it may show the document
  /// of a view.
  static func framing(_ page: HTTPResponse, of view: ViewState, for request: HTTPRequest) -> HTTPResponse {
    var response = page
    // A path restricts the frame to this document, but a policy accepts a path only after a host
    // name. Without a host name, such as at an IPv6 address, `'self'` also permits other pages of
    // the mirror.
    let frames = request.hostInPolicies.map { "\($0)\(Link("views", view.id, "page"))" } ?? "'self'"
    response.headers["Content-Security-Policy"]?.append("; frame-src \(frames)")
    return response
  }

  private var hint: HTML? {
    if version != nil || !view.isCurrent { return "An earlier version: it does not change" }
    return hasCarrier ? nil : "Recording: clicks need the app open in a browser"
  }

  var html: HTML {
    let shown = version ?? view.version
    let current = view.currentEpoch
    let epoch = version != nil || !view.isCurrent ? view.epoch : nil
    return PageLayout(
      title: "\(view.title ?? view.id)", kind: "page",
      live: PageLayout.Live(
        kind: epoch == nil ? "page" : "past", script: "inspector/page.js", events: Link("views", view.id, "events"),
        eventID: current.last.map { EventID(epoch: current.epoch, cursor: $0) }, version: shown),
      header: """
        <p class="home"><a href="/">All views</a></p>
        <h1><a href="\(Link("views", view.id).with("version", version).with("epoch", epoch))"><code>\(view.id)</code></a></h1>
        <p><span class="version">version \(shown)</span>\(view.isCurrent ? nil : " of the \(ViewPage.load(view.epoch))" as HTML)</p>
        <p class="acted" role="status">\(hint)</p>
        """,
      main: """
        <iframe sandbox="allow-same-origin allow-forms" referrerpolicy="no-referrer" title="The document as a page" \
        src="\(path.with("frame", 1).with("version", version).with("epoch", epoch))"></iframe>
        """
    ).html
  }
}
