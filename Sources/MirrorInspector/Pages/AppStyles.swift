/// The style sheets of the mirrored app, from `--app-origin` and `--app-styles`. The settings of
/// `serve` make this value, and ``DocumentPage``, which shows a document in a frame, links to the
/// sheets.
///
/// A LiveView sends the content of the body and not the head of its layout, so the mirror does not
/// know the style sheets. Every style sheet that exists is applied, and one that does not exist has
/// no effect.
///
/// The origin is written into the page's `Content-Security-Policy` without escaping, and the origin
/// followed by a path is the address of a link. So the settings accept only valid origins, and
/// paths for which ``isPath(_:)`` holds.
package struct AppStyles: Sendable, Hashable {
  /// Such as `http://localhost:4000`.
  package let origin: String
  /// Such as `/assets/css/app.css`.
  package let paths: [String]

  /// The style sheets of new apps: of Phoenix 1.8, and of Phoenix 1.7.
  package static let defaultPaths = ["/assets/css/app.css", "/assets/app.css"]

  /// - Parameter origin: a valid origin, as the settings check it.
  package init(origin: String, paths: [String] = AppStyles.defaultPaths) {
    (self.origin, self.paths) = (origin, paths)
  }

  /// Whether a text is a path of the app, such as `/assets/app.css?v=2`: printable ASCII that
  /// begins with one slash.
  package static func isPath(_ text: String) -> Bool {
    text.hasPrefix("/") && !text.hasPrefix("//") && !text.contains("\\")
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }

  /// The base of relative addresses, such as that of an image `/images/logo.png`, and the links.
  /// Both precede the content of the document, because a browser uses only the first `base`.
  var links: HTML {
    let links = paths.map { "<link rel=\"stylesheet\" href=\"\(origin)\($0)\">\n" as HTML }
    return "<base href=\"\(origin)/\">\n\(links)"
  }
}
