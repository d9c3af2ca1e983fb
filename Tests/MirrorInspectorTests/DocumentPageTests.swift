import LiveViewMirror
import MarkupDocument
import MicroHTTP
import MirrorSupport
import MirrorViews
import NodeObservation
import RecordingFixtures
import RenderedTree
import Testing

@testable import MirrorInspector

/// `GET /views/{view}/page`.
@Suite struct DocumentPageTests {
  private func client(_ markup: String, dialect: String = "html") throws -> Client {
    let client = try Client()
    let answer = try client.post(
      "/views/main/rendered?dialect=\(dialect)",
      #"{"s":[\#(JSONSyntax.quoted(markup)),""],"0":"0","t":"A <title>"}"#)
    #expect(answer.status == 201)
    return client
  }

  /// The markup inside of a page's body element, without the numbers of the elements.
  private func content(_ page: String) throws -> String {
    try numberedContent(page).replacing(#/ data-mirror-node="[0-9]+"/#, with: "")
  }

  private func numberedContent(_ page: String) throws -> String {
    let start = try #require(
      page.firstMatch(of: #/<body class="(html|native)" data-mirror-epoch="[0-9]+" data-mirror-version="[0-9]+">/#))
    #expect(page.hasSuffix("</body></html>"))
    let content = page[start.range.upperBound...].dropLast("</body></html>".count)
    guard start.output.1 == "native" else { return String(content) }
    let heading = try #require(content.prefixMatch(of: #/<main><h1 class="unseen">[^<]*</h1>/#))
    #expect(content.hasSuffix("</main>"))
    return String(content[heading.range.upperBound...].dropLast("</main>".count))
  }

  @Test func `the page of an html document contains its markup, and the number of each element`() throws {
    let page = try client("<p onclick=x>a<br>b</p>").get("/views/main/page?frame")
    #expect((page.status, page.type) == (200, "text/html; charset=utf-8"))
    #expect(
      page.text == """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>A &lt;title&gt;</title>
        <style>
        :where(body) { font: 1rem/1.4 system-ui, sans-serif }
        :where(img) { max-width: 100% }
        :where(svg:not([width]):not([height])) { width: 1.5em; height: 1.5em }
        </style>
        <style>:where(html) { color-scheme: light dark }</style>
        </head>
        <body class="html" data-mirror-epoch="1" data-mirror-version="0"><p data-mirror-node="2" onclick="x">a<br data-mirror-node="4">b</p>0</body></html>
        """)
  }

  @Test(arguments: Recording.all)
  func `each drawn element has the number of its node`(recording: Recording) throws {
    let view = try SampleView.recorded(recording)
    let kept = DocumentPage(view.document, version: view.version, title: "t", images: .none).response
    let page = try numberedContent(String(decoding: kept.bytes, as: UTF8.self))
    let drawn = MarkupParser.parse(Array(page.utf8), dialect: .html).tree
    for place in drawn.preorder() {
      guard let element = drawn[place].element, let number = element["data-mirror-node"].flatMap({ Int($0) }) else {
        continue
      }
      let node = NodeRef(epoch: view.epoch, number: number)
      let own = try #require(view.document.content(of: node)?.element)
      #expect(own.id == element.id)
      if !recording.isNative { #expect(own.tag == element.tag) }
    }
    let numbers = drawn.preorder().compactMap { drawn[$0].element?["data-mirror-node"] }
    #expect(Set(numbers).count == numbers.count)
    if !recording.isNative {
      #expect(
        numbers.count
          == view.document.nodes(from: view.document.root).count { view.document.content(of: $0)?.element != nil })
    }
  }

  @Test func `a number that the markup itself has does not count`() throws {
    let page = try client("<p data-mirror-node=9>a</p>").get("/views/main/page?frame").text
    let body = MarkupParser.parse(Array(try numberedContent(page).utf8), dialect: .html).tree
    #expect(body.preorder().compactMap { body[$0].element?["data-mirror-node"] } == ["2"])
  }

  @Test func `the page of a native document draws its elements and links the stylesheet of the mirror`() throws {
    let client = try client("<VStack><Text>a</Text></VStack>", dialect: "native")
    let page = try client.get("/views/main/page?frame").text
    #expect(try content(page) == #"<div class="vstack"><span class="text">a</span></div>0"#)
    #expect(page.contains(#"<link rel="stylesheet" href="/assets/frame/native.css">"#))
    #expect(!page.contains("<style>"))
    #expect(try client.get("/assets/frame/native.css").type == "text/css; charset=utf-8")
  }

  @Test func `the policy of a page permits no scripts, no forms and no requests to the mirror`() throws {
    func policy(_ dialect: String) throws -> [String: String] {
      let headers = try client("a", dialect: dialect).get("/views/main/page?frame").response.headers
      #expect(headers["X-Content-Type-Options"] == "nosniff")
      #expect(headers["Referrer-Policy"] == "no-referrer")
      #expect(headers["Cache-Control"] == "no-store")
      let rules = try #require(headers["Content-Security-Policy"]).split(separator: ";").map {
        $0.split(separator: " ")
      }
      return Dictionary(
        uniqueKeysWithValues: rules.map { (String($0[0]), $0.dropFirst().joined(separator: " ")) })
    }
    let common = [
      "sandbox": "allow-same-origin allow-forms", "default-src": "'none'", "img-src": "data:", "base-uri": "'none'",
      "form-action": "'none'",
      "frame-ancestors": "'self'",
    ]
    #expect(try policy("html") == common.merging(["style-src": "'unsafe-inline'"]) { $1 })
    #expect(
      try policy("native")
        == common.merging(["style-src": "'self'", "style-src-attr": "'unsafe-inline'"]) { $1 })
  }

  /// HTML forbids an opener policy on sandboxed pages, so it is `unsafe-none`. A content security
  /// policy does not prevent DNS prefetching, so a header turns it off.
  @Test func `a page loads nothing from other hosts unless images are permitted`() throws {
    for (images, sources) in [(ImagePolicy.none, "data:"), (.https, "https: data:")] {
      let client = try Client(images: images)
      _ = try client.post("/views/main/rendered", #"{"s":["<img src='https://a.test/'>"]}"#)
      for query in ["", "&version=0"] {
        let headers = try client.get("/views/main/page?frame\(query)").response.headers
        let policy = try #require(headers["Content-Security-Policy"])
        #expect(policy.contains("default-src 'none'; img-src \(sources); style-src 'unsafe-inline'; "))
        #expect(headers["X-DNS-Prefetch-Control"] == "off")
        #expect(headers["Cross-Origin-Opener-Policy"] == "unsafe-none")
      }
    }
  }

  @Test func `with the app's origin, a page links its style sheets and loads nothing else of other hosts`() throws {
    let app = AppStyles(origin: "http://localhost:4000")
    let client = try Client(app: app)
    _ = try client.post("/views/main/rendered", #"{"s":["<img src='/images/a.png'>"]}"#)
    _ = try client.post("/views/native/rendered?dialect=native", #"{"s":["<Text>a</Text>"]}"#)
    let page = try client.get("/views/main/page?frame")
    #expect(
      page.text.contains(
        """
        </style>
        <base href="http://localhost:4000/">
        <link rel="stylesheet" href="http://localhost:4000/assets/css/app.css">
        <link rel="stylesheet" href="http://localhost:4000/assets/app.css">
        </head>
        """))
    #expect(
      page.response.headers["Content-Security-Policy"]
        == "sandbox allow-same-origin allow-forms; default-src 'none'; img-src data: http://localhost:4000; "
        + "style-src 'unsafe-inline' http://localhost:4000; font-src data: http://localhost:4000; "
        + "base-uri http://localhost:4000; form-action 'none'; frame-ancestors 'self'")
    let native = try client.get("/views/native/page?frame")
    #expect(!native.text.contains("localhost:4000"))
    #expect(native.response.headers["Content-Security-Policy"]?.contains("localhost:4000") == false)
  }

  @Test func `paths of style sheets begin with one slash`() {
    for path in ["/assets/app.css", "/a.css?v=1", "/"] { #expect(AppStyles.isPath(path), "\(path)") }
    for path in ["", "a.css", "//evil.test/a.css", "/\\evil.test", "/a b", "/ä", "https://a.test/"] {
      #expect(!AppStyles.isPath(path), "\(path)")
    }
  }

  @Test func `the inspector permits only the page of its own view in frames`() throws {
    let policy = try client("a").get("/views/main", accept: "text/html").response.headers["Content-Security-Policy"]
    #expect(policy?.hasSuffix("frame-src localhost:8080/views/main/page") == true)
  }

  @Test(arguments: ["html", "native"])
  func `every version has a page`(dialect: String) throws {
    let client = try client("<Text>a</Text>", dialect: dialect)
    _ = try client.post("/views/main/diffs", #"{"0":"1"}"#)
    let pages = try ["&version=0", "&version=1", ""].map { try content(client.get("/views/main/page?frame\($0)").text) }
    #expect(pages.map(\.last) == ["0", "1", "1"])
    #expect(Set(pages.map { $0.dropLast() }).count == 1)
    #expect(try client.get("/views/main/page?version=2").status == 404)
    #expect(try client.get("/views/main/page?version=x").status == 400)
    #expect(try client.get("/views/other/page").status == 404)
    #expect(try client.send(.post, "/views/main/page", "").status == 405)
  }

  @Test func `the page of a view without a title is titled with its id`() throws {
    let client = try Client()
    _ = try client.post("/views/lv:1/rendered", #"{"s":["a"]}"#)
    #expect(try client.get("/views/lv:1/page?frame").text.contains("<title>lv:1</title>"))
  }

  @Test func `a page is shown in a sandboxed frame that can load only pages of documents`() throws {
    let client = try client("a</iframe><b>", dialect: "html")
    let answer = try client.get("/views/main/page?version=0")
    let page = ParsedPage(answer.response.bytes)
    let frames = page.elements("iframe").map(\.element)
    #expect(frames.count == 1 && frames.first?["sandbox"] == "allow-same-origin allow-forms")
    #expect(frames.first?["src"] == "/views/main/page?frame=1&version=0&epoch=1")
    #expect(page.elements("b").isEmpty)
    let policy = try #require(answer.response.headers["Content-Security-Policy"])
    #expect(policy.contains("frame-src localhost:8080/views/main/page") && !policy.contains("unsafe"))
    #expect(policy.contains("frame-ancestors 'none'"))
    let nameless = try client.send(.get, "/views/main/page", "", headers: ["Host": "[::1]:8080"])
    #expect(nameless.response.headers["Content-Security-Policy"]?.hasSuffix("frame-src 'self'") == true)
    let odd = try client.send(.get, "/views/main/page", "", headers: ["Host": "a; script-src *"])
    #expect(odd.response.headers["Content-Security-Policy"]?.hasSuffix("frame-src 'self'") == true)
  }

  @Test func `the inspector links to the page of the version that it shows`() throws {
    let view = try SampleView.counter(diffs: [#"{"0":"1"}"#])
    #expect(ParsedPage(try view.page()).links.contains("/views/main/page"))
    #expect(ParsedPage(try view.page(.init(version: 0))).links.contains("/views/main/page?version=0&epoch=1"))
  }

  @Test(arguments: Recording.all.filter { !$0.isNative })
  func `the page of every recording contains exactly the markup of its document`(recording: Recording) throws {
    let client = try Client(options: UpdateOptions(drawsPage: true))
    let frames = recording.steps.map { String(decoding: $0.frame, as: UTF8.self) }.joined(separator: "\n")
    #expect(try client.post("/frames", frames).status == 200)
    #expect(!client.views.all.isEmpty)
    for view in client.views.all.compactMap({ client.views[$0.id]?.view }) {
      let live = try client.get("\(Link("views", view.id, "page").with("frame", 1))")
      #expect(try content(live.text) == view.document.markup(of: view.document.root), "\(view.id)")
      for version in Set([0, view.version / 2, view.version]) {
        let document = try #require(view.document(at: version))
        let page = try client.get("\(Link("views", view.id, "page").with("frame", 1).with("version", version))")
        #expect(try content(page.text) == document.markup(of: document.root), "\(view.id) \(version)")
      }
    }
  }

  @Test func `the views of a large page are not kept, and its markup is the same as with kept views`() throws {
    let client = try Client(options: UpdateOptions(drawsPage: true))
    for (id, count) in [("small", 100), ("large", DocumentPage.mostKeptNodes)] {
      let rows = String(repeating: "<br>", count: count)
      #expect(try client.post("/views/\(id)/rendered", #"{"s":["<p title=a>&lt;</p>\#(rows)"]}"#).status == 201)
      let page = try client.get("/views/\(id)/page?frame")
      #expect(try content(page.text) == #"<p title="a">&lt;</p>\#(rows)"#)
      let drawn = try #require(client.views[id]?.page).viewCount
      #expect(id == "large" ? drawn <= 1 : drawn > 1, "\(id): \(drawn)")
    }
  }

  @Test func `the memory of a request is estimated from its body and the last page size of its view`() throws {
    let client = try Client()
    func memory(_ method: HTTPMethod, _ target: String, _ count: Int = 0) throws -> Int {
      client.inspector.memory(
        of: try HTTPRequest(method: method, target: target, body: Array(repeating: 0x20, count: count)))
    }
    #expect(
      try client.post("/views/main/rendered", #"{"s":["\#(String(repeating: "<br>", count: 10_000))"]}"#).status == 201)
    let page = try memory(.get, "/views/main/tree")
    #expect(page > 10_000 * 300)
    #expect(try memory(.post, "/views/main/diffs", 1_000) == 128_000 + 2 * page)
    #expect(try memory(.post, "/views/other/rendered", 1_000) == 128_000)
    #expect(try memory(.post, "/frames", 1_000) == 128_000)
    #expect(try memory(.get, "/healthz") == 0)
  }

  @Test(arguments: Recording.all.filter(\.isNative))
  func `the page of every native recording has all elements with an id, in order`(recording: Recording) throws {
    let view = try SampleView.recorded(recording)
    let page = DocumentPage(view.document, version: view.version, title: "t", images: .none).response
    let tree = MarkupParser.parse(Array(try content(String(decoding: page.bytes, as: UTF8.self)).utf8), dialect: .html)
      .tree
    let ids = tree.preorder().compactMap { tree[$0].element?.id }
    let native = view.document.tree
    #expect(ids == native.preorder().compactMap { native[$0].element?.id })
  }
}
