import Foundation
import LiveViewMirror
import MirrorViews
import RecordingFixtures
import Testing

@testable import MirrorInspector

/// The exact markup of small pages. Times are replaced by placeholders, since they differ in every
/// run.
///
/// `MIRROR_WRITE_SNAPSHOTS=1` writes the files of `Tests/Fixtures/pages` again. Read their
/// difference before you commit them.
@Suite struct SnapshotTests {
  @Test
  func `the page of a counter has a header, a timeline, a tree and details`() throws {
    let view = try SampleView.counter(diffs: [#"{"0":"1"}"#, #"{"5":"x"}"#])
    let page = try view.page(.init(node: 3))
    try expect(page, in: "counter")
  }

  @Test
  func `a problem page has the escaped status, title and detail`() {
    let page = ProblemPage(status: 404, title: "Not Found", detail: "There is no view \"x\" <here>.")
    expect(
      page.html, from: "<body", to: "</body>",
      is: #"""
        <body class="problem">
        <header id="bar">
        <p class="home"><a href="/">All views</a></p>
        <h1><span class="status">404</span> Not Found</h1>
        </header>
        <main>
        <p>There is no view &quot;x&quot; &lt;here&gt;.</p>
        </main>

        """#)
  }

  private func expect(_ page: HTML, in name: String, at location: SourceLocation = #_sourceLocation) throws {
    let file = Fixtures.root.appending(path: "Tests/Fixtures/pages/\(name).html")
    let text = Self.withoutTimes(page)
    if ProcessInfo.processInfo.environment["MIRROR_WRITE_SNAPSHOTS"] != nil {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try text == String(contentsOf: file, encoding: .utf8), sourceLocation: location)
  }

  private static func withoutTimes(_ page: HTML) -> String {
    page.text.replacing(#/<time [^>]*>[^<]*<\/time>/#, with: "<time/>")
      .replacing(#/<span class="since"( title="[^"]*")?>[^<]*<\/span>/#, with: "<span class=\"since\"/>")
      .replacing(#/[\d,]+ µs( <span class="size">(scoped|full: <bdi>[^<]*<\/bdi>)<\/span>)?/#, with: "0 µs")
  }

  private func expect(
    _ page: HTML, from start: String, to end: String?, is expected: String,
    at location: SourceLocation = #_sourceLocation
  ) {
    let text = Self.withoutTimes(page)
    let first = text.firstRange(of: start)?.lowerBound ?? text.endIndex
    let last = end.flatMap { text[first...].firstRange(of: $0)?.lowerBound } ?? text.endIndex
    #expect(String(text[first..<last]) == expected, sourceLocation: location)
  }
}
