/// An error as a page for a browser, with the texts of the problem's JSON.
struct ProblemPage {
  var status: Int
  var title: String
  var detail: String

  var html: HTML {
    PageLayout(
      title: "\(status) \(title)", kind: "problem",
      header: """
        <p class="home"><a href="/">All views</a></p>
        <h1><span class="status">\(status)</span> \(title)</h1>
        """,
      main: """
        <p>\(detail)</p>
        """
    ).html
  }
}
