internal import LiveViewMirror
internal import MicroHTTP

/// `GET /views/{view}/page` in a browser: a thin bar, and the document below it in a frame.
///
/// The document is not ours. The frame gives it no origin and lets it run and send nothing (`sandbox`), and this page's
/// policy lets the frame show nothing else: a link in the document that leads to another page, of the mirror or of
/// anybody, stays unanswered.
struct FramePage {
  let view: ViewState
  /// The version that the address names; `nil` for the newest, whichever that is.
  let version: Int?
  /// What the client calls this server; `nil` where that cannot stand in a policy.
  let host: String?

  private var path: Link { Link("views", view.id, "page") }

  var response: HTTPResponse {
    var response = HTTPResponse.page(html)
    // By its path where the server has a name: otherwise the frame could show the mirror's other pages.
    let frames = host.map { "\($0)\(path)" } ?? "'self'"
    response.headers["Content-Security-Policy"]?.append("; frame-src \(frames)")
    return response
  }

  var html: HTML {
    let shown = version ?? view.version
    return PageFrame(
      title: "\(view.title ?? view.id)", kind: "page",
      live: PageFrame.Live(
        kind: version == nil ? "page" : "past", script: "page.js", events: Link("views", view.id, "events"),
        eventID: view.log.last(1).first.map { EventID($0.entry, at: $0.cursor) }, version: shown),
      header: """
        <p class="home"><a href="/">All views</a></p>
        <h1><a href="\(Link("views", view.id).with("version", version))"><code>\(view.id)</code></a></h1>
        <p><span class="version">version \(shown)</span></p>
        """,
      main: """
        <iframe sandbox="" referrerpolicy="no-referrer" title="The document as a page" \
        src="\(path.with("frame", 1).with("version", version))"></iframe>
        """
    ).html
  }
}
