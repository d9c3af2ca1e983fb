internal import LiveViewMirror
internal import MarkupDocument
internal import MicroHTTP
internal import MirrorViews
internal import NodeObservation

/// `GET /views/{view}/page?frame`: a document as a user sees it, complete without JavaScript. A
/// ``FramedDocumentPage`` shows it in its frame.
///
/// An `html` document is sent unchanged, with a small style sheet for readability. A `native` one
/// is drawn by ``ViewRegistry/native``. Each element has its ``ElementNumber``, so that the page
/// around the frame can act on it.
struct DocumentPage {
  let markup: String
  let dialect: Dialect
  /// The version that the markup shows, or an earlier one if the view changes meanwhile.
  let version: (epoch: Int, number: Int)
  let title: String
  let images: ImagePolicy
  /// The app whose style sheets the page uses; only for `html`.
  let app: AppStyles?
  /// Whether it is a ``ChangePicture``.
  var isPicture = false

  var response: HTTPResponse {
    var bytes = head.bytes
    bytes += markup.utf8
    bytes += (end?.bytes ?? []) + Self.foot.bytes
    return .live(bytes, of: dialect, images: images, app: app)
  }

  private var head: HTML {
    let style: HTML =
      switch dialect {
      case .html: "\(Self.style)\(app?.links ?? Self.schemes)\(isPicture ? Self.pictureStyle : nil)"
      case .native: "<link rel=\"stylesheet\" href=\"/assets/frame/native.css\">\n"
      }
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title>
      \(style)\
      </head>
      <body class="\(dialect.rawValue)" data-mirror-epoch="\(version.epoch)" data-mirror-version="\(version.number)">\(start)
      """
  }

  /// The views of a native document have no landmarks and headings, which assistive technology
  /// needs to find the content.
  private var start: HTML? { dialect == .native ? "<main><h1 class=\"unseen\">\(title)</h1>" : nil }
  private var end: HTML? { dialect == .native ? "</main>" : nil }

  /// The style sheet for readability. Without ``AppStyles``, the app's own style sheets are not
  /// available, and an icon without a style would be 300 by 150 pixels. Styles of the page override
  /// this style sheet, because `:where` has no specificity.
  private static let style: HTML = """
    <style>
    :where(body) { font: 1rem/1.4 system-ui, sans-serif }
    :where(img) { max-width: 100% }
    :where(svg:not([width]):not([height])) { width: 1.5em; height: 1.5em }
    </style>

    """

  /// Without style sheets of its own, a page follows the colours of the inspector.
  private static let schemes: HTML = "<style>:where(html) { color-scheme: light dark }</style>\n"

  /// Each kind of change has its own colour and its own line around the element. The page may have
  /// any styles, so these are `!important`.
  private static let pictureStyle: HTML = """
    <style>
    html { zoom: 0.8 }
    [data-mirror-change] { outline: 2px solid #9a4a00 !important; outline-offset: 1px }
    [data-mirror-change=added] { outline: 3px double #176b2c !important }
    [data-mirror-change=removed] { outline: 2px dashed #8a2c6a !important }
    [data-mirror-gap=before]::before, [data-mirror-gap=after]::after,
    [data-mirror-gap=both]::before, [data-mirror-gap=both]::after { content: "⋯"; color: #6b7280 }
    [data-mirror-change=moved] { outline: 3px dotted #1d4ed8 !important }
    </style>

    """

  /// A parser appends white space after `</body>` to the body, so the foot contains no white space.
  private static let foot: HTML = "</body></html>"
}

extension DocumentPage {
  /// The page that is drawn by the views of elements that the mirror keeps for the LiveView.
  init(_ page: DrawnPage, of view: ViewState, title: String, images: ImagePolicy, app: AppStyles? = nil) {
    self.init(
      markup: page.tree.numberedMarkup, dialect: page.dialect, version: (view.epoch, view.version), title: title,
      images: images, app: page.dialect == .html ? app : nil)
  }

  /// The maximum number of nodes of a page whose views are kept: each view takes 700 bytes, about
  /// as much as its node.
  static let mostKeptNodes = 32_768

  /// The page for a document whose views are not kept: an earlier version, or a large page.
  ///
  /// For `html`, it is the document's own markup, which its views would draw as well.
  ///
  /// - Parameter isPicture: whether the document is that of a ``ChangePicture``.
  /// - Complexity: O(*characters*); for a `native` document, every view is created and evaluated
  ///   once.
  init(
    _ document: Document, version: Int, title: String, images: ImagePolicy, app: AppStyles? = nil,
    isPicture: Bool = false
  ) {
    let markup =
      switch document.dialect {
      case .html: document.numberedMarkup(ElementNumber.attribute)
      case .native: ViewTree(of: FixedDocument(document), registry: .native).numberedMarkup
      }
    self.init(
      markup: markup, dialect: document.dialect, version: (document.epoch, version), title: title, images: images,
      app: document.dialect == .html ? app : nil, isPicture: isPicture)
  }
}

extension HTTPResponse {
  /// A LiveView's document as a page. It is untrusted: its scripts do not run, its forms are not
  /// sent, and it loads nothing from other hosts except images that ``ImagePolicy`` permits.
  ///
  /// It has the origin of the mirror, so that the script of the page around it can listen to clicks
  /// and patch the document. This is safe because the document itself runs no script: the sandbox
  /// forbids it, and so does the policy. A submission of a form is an event for that script; the
  /// policy forbids sending the form.
  ///
  /// An `html` document contains inline styles, which must be permitted to show it correctly; a
  /// `native` one uses the mirror's style sheet, and `style` attributes with numbers that its views
  /// wrote. A style cannot run code, and the policy permits no other sources.
  ///
  /// With ``AppStyles``, it also loads style sheets, fonts and images of the app, to which its
  /// relative addresses then refer.
  fileprivate static func live(
    _ bytes: [UInt8], of dialect: Dialect, images: ImagePolicy, app: AppStyles?
  ) -> HTTPResponse {
    let own = app.map { " \($0.origin)" } ?? ""
    let style =
      switch dialect {
      case .html: "style-src 'unsafe-inline'\(own)\(app == nil ? "" : "; font-src data:\(own)")"
      case .native: "style-src 'self'; style-src-attr 'unsafe-inline'"
      }
    var response = HTTPResponse(contentType: "text/html; charset=utf-8", bytes: bytes)
    response.headers["Content-Security-Policy"] =
      "sandbox allow-same-origin allow-forms; default-src 'none'; img-src \(images.sources)\(own); \(style); "
      + "base-uri \(app?.origin ?? "'none'"); form-action 'none'; frame-ancestors 'self'"
    response.headers["Cross-Origin-Opener-Policy"] = "unsafe-none"
    // No policy directive prevents a browser from resolving the host names in a page (DNS
    // prefetch).
    response.headers["X-DNS-Prefetch-Control"] = "off"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cache-Control"] = "no-store"
    return response
  }
}
