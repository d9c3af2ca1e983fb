import Foundation
import LiveViewMirror
import MirrorViews
import RecordingFixtures
import Testing

@testable import MirrorInspector

/// The exact markup of small pages. Times are replaced by placeholders, since they differ in every run.
///
/// `MIRROR_WRITE_SNAPSHOTS=1` writes the files of `Snapshots` again. Read their difference before you commit them.
@Suite struct SnapshotTests {
  @Test
  func `the page of a counter has a header, a timeline, a tree and details`() throws {
    let view = try SampleView.counter(diffs: [#"{"0":"1"}"#, #"{"5":"x"}"#])
    let page = try view.page(.init(node: 3))
    try expect(page, in: "counter")
  }

  @Test
  func `the list of views shows how to mount a view if it is empty`() {
    expect(
      ViewsPage(views: [], usage: .init(), address: SampleView.address).html, from: "<!DOCTYPE",
      to: nil,
      is: #"""
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>Views · LiveView Mirror</title>
        <link rel="icon" href="/assets/favicon.svg" type="image/svg+xml">
        <link rel="stylesheet" href="/assets/inspector.css">
        <script type="module" src="/assets/views.js"></script>
        </head>
        <body class="views" data-live="views">
        <header id="bar">
        <h1>LiveView Mirror</h1>
        </header>
        <main>
        <section class="empty" aria-labelledby="empty-title">
        <h2 id="empty-title">No view yet</h2>
        <p>The mirror holds what a LiveView client would hold: the Rendered of a mount becomes a document, and every \#
        diff changes the nodes that it names, and notifies only their subscribers. Mount a view, send it a diff, and \#
        look at what the diff did.</p>
        <ol>
        <li>Mount a counter
        <pre><code>curl -X POST http://127.0.0.1:8080/views/counter/rendered -d '{"0":"0","s":["&lt;p&gt;Count: \#
        ","&lt;/p&gt;"]}'</code></pre></li>
        <li>Send a diff
        <pre><code>curl -X POST http://127.0.0.1:8080/views/counter/diffs -d '{"0":"1"}'</code></pre></li>
        <li>Open the view
        <pre><code><a href="/views/counter">http://127.0.0.1:8080/views/counter</a></code></pre></li>
        </ol>
        </section>
        </main>
        </body>
        </html>

        """#)
  }

  @Test func `the curl commands contain the token header if the server asks for a token`() {
    let lines = ViewsPage(views: [], usage: .init(), address: SampleView.address, asksForToken: true).html.text
      .matches(of: #/<code>(curl .*?) http/#).map(\.1)
    #expect(lines == Array(repeating: #"curl -H "Authorization: Bearer $MIRROR_TOKEN" -X POST"#, count: 2))
  }

  @Test
  func `the list of views has a row for each view`() throws {
    let view = try SampleView.counter(diffs: [#"{"0":"1"}"#, #"{"5":"x"}"#])
    expect(
      ViewsPage(views: [view], usage: .init(), address: SampleView.address).html, from: "<main>",
      to: "</main>",
      is: #"""
        <main>
        <div class="scroll" tabindex="0" role="region" aria-label="Views">
        <table>
        <caption>1 view mirrored here</caption>
        <thead><tr><th scope="col">View</th><th scope="col">Title</th><th scope="col">Dialect</th><th scope="col" \#
        class="number">Epoch</th><th scope="col" class="number">Version</th><th scope="col" class="number">Nodes</th>\#
        <th scope="col" class="number">Observers</th><th scope="col" class="number">Clients</th><th scope="col" \#
        class="number">Subscriptions</th><th scope="col" class="number">Diffs</th><th scope="col" \#
        class="number">Rejected</th><th scope="col" class="number">Received</th><th scope="col">Updated (UTC)</th></tr>\#
        </thead>
        <tbody>
        <tr><th scope="row"><a href="/views/main"><code>main</code></a></th><td><span class="absent">–</span></td>\#
        <td>html</td><td class="number">1</td><td class="number">1</td><td class="number"><a \#
        href="/views/main#tree">3</a></td><td class="number"><a href="/views/main/subscribers">2</a></td><td \#
        class="number">0</td><td class="number"><a href="/views/main/subscriptions">0</a></td><td \#
        class="number"><a href="/views/main#log">1</a></td><td class="number"><a class="bad" href="/views/main#log">! \#
        1</a></td><td class="number">53 B</td><td><time/></td></tr>
        </tbody>
        </table>
        </div>
        <p class="note kept">Kept: 0 of 1,000 views, 0 entries of their logs, at most 10,000 each, 0 B of 67.1 MB. \#
        Connected: 0 of 0 clients, 0 of 0 subscriptions.</p>

        """#)
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
    let file = Fixtures.root.appending(path: "Tests/MirrorInspectorTests/Snapshots/\(name).html")
    let text = Self.withoutTimes(page)
    if ProcessInfo.processInfo.environment["MIRROR_WRITE_SNAPSHOTS"] != nil {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try text == String(contentsOf: file, encoding: .utf8), sourceLocation: location)
  }

  private static func withoutTimes(_ page: HTML) -> String {
    page.text.replacing(#/<time [^>]*>[^<]*<\/time>/#, with: "<time/>")
      .replacing(#/<span class="since">[^<]*<\/span>/#, with: "<span class=\"since\"/>")
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
