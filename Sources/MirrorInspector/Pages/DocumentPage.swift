internal import LiveViewMirror
internal import MarkupDocument
internal import MicroHTTP
internal import NodeObservation

/// `GET /views/{view}/page?frame`: a document as the page that a person would see, whole without JavaScript. It stands in
/// the frame of a ``FramePage``.
///
/// An `html` document stands in it as it is, with the little style that makes it readable. A `native` one is drawn by ``ViewRegistry/native``.
struct DocumentPage {
  let markup: String
  let dialect: Dialect
  let title: String
  let images: PageImages

  /// What the views that are kept draw.
  init(_ page: MirrorPage, title: String, images: PageImages) {
    markup = page.tree.markup
    dialect = page.dialect
    self.title = title
    self.images = images
  }

  /// The views of a page with more nodes than this are not kept: each view takes 700 bytes, about as much as its node.
  static let mostKeptNodes = 32_768

  /// What views of a document would draw that nobody keeps: a past version's, or those of a large page.
  ///
  /// The views of `html` draw each element as it is, which is the document's own markup.
  ///
  /// - Complexity: O(*characters*); every view of a `native` document is made and evaluated once.
  init(_ document: Document, title: String, images: PageImages) {
    markup =
      switch document.dialect {
      case .html: document.markup(of: document.root)
      case .native: ViewTree(of: FixedDocument(document), registry: .native).markup
      }
    dialect = document.dialect
    self.title = title
    self.images = images
  }

  var response: HTTPResponse {
    var bytes = head.bytes
    bytes += markup.utf8
    bytes += Self.foot.bytes
    return .live(bytes, of: dialect, images: images)
  }

  private var head: HTML {
    let style: HTML =
      switch dialect {
      case .html: Self.style
      case .native: "<link rel=\"stylesheet\" href=\"/assets/native.css\">\n"
      }
    return """
      <!DOCTYPE html>
      <html>
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title>
      \(style)\
      </head>
      <body class="\(dialect.rawValue)">
      """
  }

  /// The app's own stylesheet is not here, and without one an icon is 300 by 150 pixels. Whatever the page says itself
  /// counts more: `:where` has no weight.
  private static let style: HTML = """
    <style>
    :where(body) { font: 1rem/1.4 system-ui, sans-serif }
    :where(img) { max-width: 100% }
    :where(svg:not([width]):not([height])) { width: 1.5em; height: 1.5em }
    </style>

    """

  private static let foot: HTML = "</body>\n</html>\n"
}

extension HTTPResponse {
  /// A LiveView's document as a page. It is not ours: no script of it runs, no form of it is sent, it has no origin, and it
  /// loads nothing from other hosts: no style, font or medium, and of images only what ``PageImages`` permits.
  ///
  /// An `html` document brings its own styles, inline, so they cannot be forbidden without showing another page than it
  /// is; a `native` one has the mirror's, and in `style` attributes the numbers that its views wrote there. A style runs
  /// nothing and, with no other source than those, loads nothing.
  fileprivate static func live(_ bytes: [UInt8], of dialect: Dialect, images: PageImages) -> HTTPResponse {
    let style =
      switch dialect {
      case .html: "style-src 'unsafe-inline'"
      case .native: "style-src 'self'; style-src-attr 'unsafe-inline'"
      }
    var response = HTTPResponse(contentType: "text/html; charset=utf-8", bytes: bytes)
    response.headers["Content-Security-Policy"] =
      "sandbox; default-src 'none'; img-src \(images.sources); \(style); "
      + "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
    response.headers["Cross-Origin-Opener-Policy"] = "unsafe-none"
    // A policy has no word for the names that a page lets a browser resolve before it asks for anything.
    response.headers["X-DNS-Prefetch-Control"] = "off"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cache-Control"] = "no-store"
    return response
  }
}
