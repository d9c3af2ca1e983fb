internal import MirrorSupport

/// An address on this server: a path, a query and a fragment. All pages make their links with it.
///
/// The parts may be any text, because ``description`` percent-encodes them. ``HTML`` escapes the
/// link in addition, as it escapes every string.
struct Link: CustomStringConvertible {
  private var path = ""
  private var query: [(name: String, value: String)] = []
  private var fragment: String?

  /// - Parameter segments: the segments of the path. Each is any text; a slash in it does not begin
  ///   another segment.
  init(_ segments: String...) {
    path = segments.map { "/" + Self.encoded($0) }.joined()
  }

  /// The inspector of a view. If the view was read from a file, the link selects its oldest kept
  /// version; otherwise the newest one.
  ///
  /// - Parameter firstVersion: the oldest version that is kept.
  init(to view: String, isImported: Bool, from firstVersion: Int) {
    self = Link("views", view).with("version", isImported ? firstVersion : nil)
  }

  /// The link with another segment at the end of its path.
  func appending(_ segment: String) -> Link {
    var link = self
    link.path += "/" + Self.encoded(segment)
    return link
  }

  /// The link with one more query parameter; the same link if `value` is `nil`.
  func with(_ name: String, _ value: (some CustomStringConvertible)?) -> Link {
    guard let value else { return self }
    var link = self
    link.query.append((name, value.description))
    return link
  }

  /// The link with a fragment; without one if `fragment` is `nil`.
  func at(_ fragment: String?) -> Link {
    var link = self
    link.fragment = fragment
    return link
  }

  var description: String {
    let parameters = query.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }.joined(separator: "&")
    return (path.isEmpty ? "/" : path) + (parameters.isEmpty ? "" : "?" + parameters)
      + (fragment.map { "#" + Self.encoded($0) } ?? "")
  }

  /// Percent-encodes (RFC 3986) all but unreserved characters and the colon, which is frequent in
  /// Phoenix topics.
  private static func encoded(_ text: String) -> String { text.percentEncoded(except: "-._~:") }
}

extension HTML.StringInterpolation {
  mutating func appendInterpolation(_ link: Link) { appendInterpolation(link.description) }
}
