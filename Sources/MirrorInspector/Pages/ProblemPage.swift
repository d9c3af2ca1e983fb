internal import MicroHTTP

/// An error as a page for a browser, with the texts of the problem's JSON.
/// ``ProblemPageMiddleware`` makes it.
struct ProblemPage {
  var status: Int
  var title: String
  var detail: String
  /// The pages that may help, from the error's `Link` headers.
  var links: [(address: String, name: String)] = []

  var html: HTML {
    PageLayout(
      title: "\(status) \(title)", kind: "problem",
      header: """
        <p class="home"><a href="/">All views</a></p>
        <h1><span class="status">\(status)</span> \(title)</h1>
        """,
      main: """
        <p>\(detail)</p>\(links.map { "\n<p><a href=\"\($0.address)\">\($0.name)</a></p>" as HTML })
        """
    ).html
  }
}

extension HTTPError {
  /// The error with the address of a page that may help, as a `Link` header (RFC 8288).
  ///
  /// - Parameter name: what the address shows, in ASCII without quotes.
  func offering(_ link: Link, _ name: String) -> HTTPError {
    var error = self
    error.headers.add("Link", "<\(link)>; rel=\"related\"; title=\"\(name)\"")
    return error
  }

  /// The addresses and names that ``offering(_:_:)`` has added to the error.
  var offers: [(address: String, name: String)] {
    headers.fields.compactMap { field in
      guard field.name == "Link", let match = field.value.wholeMatch(of: /<(.*)>; rel="related"; title="(.*)"/) else {
        return nil
      }
      return (String(match.1), String(match.2))
    }
  }
}
