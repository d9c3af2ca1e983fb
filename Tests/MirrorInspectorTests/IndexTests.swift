import LiveViewMirror
import MarkupDocument
import MicroHTTP
import RecordingFixtures
import Testing

@testable import MirrorInspector

/// `GET /`: the list of views.
@Suite struct IndexTests {
  private let client: Client

  init() throws { client = try Client() }

  // MARK: - Support

  private static let counter = #"{"s":["<p>","</p>"],"0":"0"}"#

  /// The page that a browser gets.
  private func index(_ find: String? = nil) throws -> ParsedPage {
    ParsedPage(
      try client.get(find.map { "/?find=\($0)" } ?? "/", accept: "text/html").response.bytes)
  }

  /// Feeds the join of a view.
  private func join(
    _ topic: String, on page: String?, url: String? = nil, rendered: String = IndexTests.counter
  ) throws {
    _ = try client.post(
      page.map { "/frames?page=\($0)" } ?? "/frames", PageTests.join(topic, url: url, page: rendered))
  }

  /// Feeds a frame of a view.
  private func send(_ event: String, _ topic: String, on page: String) throws {
    _ = try client.post("/frames?page=\(page)", #"["4",null,"\#(topic)","\#(event)",{}]"#)
  }

  @Test func `a search looks for its first words`() throws {
    try join("lv:a", on: nil)
    let words = Array(repeating: "lv:a", count: 20).joined(separator: "+")
    #expect(Self.ids(try index(words + "+other"), in: "open") == Self.ids(try index(), in: "open"))
    #expect(Self.ids(try index("other+" + words), in: "open").isEmpty)
  }

  @Test func `cards are ordered by the sum over their views`() throws {
    for (topic, text) in [("lv:a", "1"), ("lv:b", String(repeating: "x", count: 900)), ("lv:c", "22")] {
      try join(topic, on: String(topic.suffix(1)), rendered: #"{"s":["<p>","</p>"],"0":"\#(text)"}"#)
    }
    for _ in 0..<2 { _ = try client.post("/frames?page=c", #"["4",null,"lv:c","diff",{"0":"3"}]"#) }
    func cards(_ order: String) throws -> [String] {
      let page = ParsedPage(try client.get("/?sort=\(order)", accept: "text/html").response.bytes)
      return Self.ids(page, in: "open").map { String($0.suffix(1)) }
    }
    #expect(try cards("bytes") == ["b", "c", "a"])
    #expect(try cards("diffs").first == "c")
    #expect(try cards("name").count == 3)
    #expect(try client.get("/?sort=size", accept: "text/html").status == 400)
    #expect(try client.get("/views?sort=size").status == 400)
  }

  private static func ids(_ page: ParsedPage, in place: String) -> [String] {
    guard let section = page.element(id: place) else { return [] }
    let inner = Set(page.tree.preorder(from: section))
    return page.elements("li", class: "view").filter { inner.contains($0.place) }.compactMap { $0.element.id }
  }

  private static func text(_ page: ParsedPage, of id: String) throws -> String {
    let text = page.text(of: try #require(page.element(id: id)))
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  // MARK: - Refused origins

  @Test func `an app whose tap was refused is shown with the flag that allows it`() throws {
    let refused = RefusedOrigins()
    let client = try Client(refusedOrigins: refused)
    func note(_ origin: String, _ target: String) throws -> String? {
      refused.note(origin, refusedFor: try HTTPRequest(method: .post, target: target))
    }
    #expect(try !client.get("/", accept: "text/html").text.contains("was refused"))
    let advice =
      "a page of http://127.0.0.1:4000 was refused; start the mirror with --allow-origin http://127.0.0.1:4000"
    #expect(try note("http://127.0.0.1:4000", "/frames?page=a") == advice)
    // One line in the log for an origin, and none for requests that no tap sends.
    #expect(try note("http://127.0.0.1:4000", "/pages/a") == nil)
    #expect(try note("https://other.test", "/views/a/diffs") == nil)
    let page = ParsedPage(try client.get("/", accept: "text/html").response.bytes)
    let text = try Self.text(page, of: "refused-http://127.0.0.1:4000")
    #expect(text.contains("A page of http://127.0.0.1:4000 was refused"))
    #expect(text.hasSuffix("; start the mirror with --allow-origin http://127.0.0.1:4000"))
    let origins = try client.get("/views").json["refused_origins"].array
    #expect(origins.map { $0["origin"].string } == ["http://127.0.0.1:4000"])
  }

  @Test func `the number of refused origins is bounded, and their texts are escaped`() throws {
    let refused = RefusedOrigins()
    let client = try Client(refusedOrigins: refused)
    let request = try HTTPRequest(method: .post, target: "/frames")
    for number in 0..<100 { #expect(refused.note("http://h\(number)", refusedFor: request) != nil) }
    #expect(refused.note("http://a<b>", refusedFor: request) != nil)
    #expect(refused.note("http://" + String(repeating: "a", count: 300), refusedFor: request) == nil)
    #expect(try client.get("/views").json["refused_origins"].array.count == RefusedOrigins.most)
    let page = try client.get("/", accept: "text/html").text
    #expect(page.contains("http://a&lt;b&gt;") && !page.contains("http://a<b>") && !page.contains("http://h1 "))
  }

  // MARK: - Names

  @Test func `a view has its title first, then its route and its module, and its topic last`() throws {
    let rendered =
      #"{"s":["<!-- <Shop.CartLive.render> lib/cart.ex:8 (shop) --><p>","</p><!-- </Shop.CartLive.render> -->"],"0":"0","t":"Cart"}"#
    try join("lv:phx-F1", on: "tab", url: "http://localhost:4000/cart?item=1", rendered: rendered)
    let view = try Self.text(try index(), of: "view-lv:phx-F1~tab")
    let places = try ["Cart", "/cart?item=1", "Shop.CartLive", "2 subscribers", "lv:phx-F1"].map {
      try #require(view.firstRange(of: $0)?.lowerBound, "\($0) in \(view)")
    }
    #expect(places == places.sorted())
    #expect(!view.contains("~tab"))
    #expect(try client.get("/views").json["views"][0]["module"].string == "Shop.CartLive")
  }

  @Test(
    arguments: [
      (#"{"s":["<!-- <A.B.render> a.ex:8 (a) --><p></p>"]}"#, "A.B"),
      // The layout of a LiveView is the page's template.
      (
        #"{"s":["<!-- <A.Layouts.app> l.ex:1 (a) --><main>","</main>"],"0":{"s":["\n<!-- <A.B.render> a.ex:8 (a) -->x"]}}"#,
        "A.B"
      ),
      (#"{"s":["<!-- <A.Layouts.app> l.ex:1 (a) --><main>x</main>"]}"#, nil),
      (#"{"s":["<!-- <A\"><i>.render> a.ex:8 (a) --><p></p>"]}"#, nil),
      (#"{"s":["<p></p>"]}"#, nil),
    ] as [(String, String?)])
  func `the module is that of the annotated render function`(rendered: String, module: String?) throws {
    _ = try client.post("/views/v/rendered", rendered)
    #expect(try client.get("/views/v").json["module"].string == module)
  }

  @Test func `a view without other names has its element's id or its topic`() throws {
    try join("lv:kid", on: nil)
    try join("lv:phx-F2", on: nil)
    _ = try client.post("/views/counter/rendered", Self.counter)
    let page = try index()
    let names = page.elements("a", class: "name").map { page.text(of: $0.place) }
    #expect(Set(names) == ["#kid", "lv:phx-F2", "counter"])
  }

  // MARK: - Pages

  @Test func `two tabs with the same address are two cards with their page ids`() throws {
    for tab in ["tab-1", "tab-2"] { try join("lv:r", on: tab, url: "http://localhost:4000/cart") }
    let page = try index()
    for tab in ["tab-1", "tab-2"] {
      let card = try Self.text(page, of: "page-\(tab)")
      #expect(card.contains("localhost:4000 page \(tab) opened just now 0 diffs connected"), "\(card)")
      #expect(card.contains("/cart"))
    }
  }

  @Test func `nested views follow their parent, indented`() throws {
    try join(
      "lv:root", on: "p", url: "http://a/", rendered: #"{"s":["<div id='kid'></div><div id='other'></div>"]}"#)
    try join("lv:other", on: "p")
    try join("lv:kid", on: "p", rendered: #"{"s":["<div id='deep'></div>"]}"#)
    try join("lv:deep", on: "p")
    let page = try index()
    let views = page.elements("li", class: "view").map { ($0.element.id, $0.element.classes) }
    #expect(
      views.map(\.0) == ["view-lv:root~p", "view-lv:other~p", "view-lv:kid~p", "view-lv:deep~p"])
    #expect(views.map(\.1) == [["view"], ["view", "level-1"], ["view", "level-1"], ["view", "level-2"]])
  }

  @Test func `500 views inside of each other are all listed`() throws {
    let frames = (0..<500).map { PageTests.join("lv:v\($0)", page: #"{"s":["<i id=\"v\#($0 + 1)\"></i>"]}"#) }
    _ = try client.post("/frames?page=p", frames.joined())
    let page = try index()
    #expect(page.elements("li", class: "view").count == 500)
    #expect(page.elements("li", class: "level-6").count == 494)
  }

  @Test func `the views are sorted by their last update, newest first`() async throws {
    for name in ["a", "b", "c"] { try join("lv:r", on: name) }
    #expect(Self.ids(try index(), in: "open") == ["view-lv:r~c", "view-lv:r~b", "view-lv:r~a"])
    try await Task.sleep(for: .milliseconds(5))
    _ = try client.post("/frames?page=b", #"["4",null,"lv:r","diff",{"0":"1"}]"#)
    #expect(Self.ids(try index(), in: "open") == ["view-lv:r~b", "view-lv:r~c", "view-lv:r~a"])
  }

  @Test func `a page without views is listed, and lost frames are counted`() throws {
    _ = try client.post(
      "/pages/tab", #"{"url":"http://a/x","title":"Shop","lost":{"frames":3,"bytes":1200}}"#)
    let card = try Self.text(try index(), of: "page-tab")
    #expect(card.contains("Shop a page tab opened just now no LiveView yet connected"), "\(card)")
    #expect(card.contains("3 frames (1.2 kB) were lost"))
  }

  // MARK: - Ended views

  @Test func `ended views have a section, which is folded if other views are open`() throws {
    try join("lv:a", on: "one", url: "http://a/1")
    try join("lv:b", on: "two", url: "http://a/2")
    try send("phx_error", "lv:b", on: "two")
    let page = try index()
    #expect(Self.ids(page, in: "open") == ["view-lv:a~one"])
    #expect(Self.ids(page, in: "ended") == ["view-lv:b~two"])
    #expect(page.elements("details")[0].element["open"] == nil)
    #expect(try Self.text(page, of: "ended").hasPrefix("Ended: 1 view on 1 page ! 1 crashed"))
    _ = try client.send(.delete, "/pages/one", "")
    let later = try index()
    #expect(Self.ids(later, in: "ended").count == 2)
    #expect(later.elements("details")[0].element["open"] != nil)
    #expect(later.element(id: "open") == nil)
    #expect(try Self.text(later, of: "page-one").contains("closed just now"))
  }

  @Test func `a view that an open page has left is separate from the page's present view`() throws {
    try join("lv:a", on: "tab", url: "http://a/1")
    try send("phx_leave", "lv:a", on: "tab")
    try join("lv:b", on: "tab", url: "http://a/2")
    let page = try index()
    #expect(Self.ids(page, in: "page-tab") == ["view-lv:b~tab"])
    #expect(Self.ids(page, in: "page-tab-ended") == ["view-lv:a~tab"])
    #expect(try Self.text(page, of: "view-lv:a~tab").contains("/1 #a left"))
  }

  @Test func `a crashed view inside of an open one stays there`() throws {
    try join("lv:root", on: "p", url: "http://a/", rendered: #"{"s":["<div id='kid'></div>"]}"#)
    try join("lv:kid", on: "p")
    try send("phx_error", "lv:kid", on: "p")
    let page = try index()
    #expect(Self.ids(page, in: "open") == ["view-lv:root~p", "view-lv:kid~p"])
    #expect(page.element(id: "ended") == nil)
    #expect(try Self.text(page, of: "view-lv:kid~p").contains("! crashed"))
  }

  // MARK: - Costs and links

  @Test func `a view has its costs and its problems on one line, with links`() throws {
    _ = try client.post("/views/main/rendered", #"{"s":["<p id='a'>","</p><p id='a'></p>"],"0":"0"}"#)
    _ = try client.post("/views/main/diffs", #"{"0":"1"}"#)
    _ = try client.post("/views/main/diffs", #"{"7":"1"}"#)
    let page = try index()
    let costs = try #require(page.elements("p", class: "costs").first)
    let text = page.text(of: costs.place).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let bytes = try #require(client.get("/views/main").json["bytes"].int)
    #expect(text == "1 diff 4 nodes \(bytes) B 3 subscribers ✕ 1 rejected just now")
    let findings = try client.get("/views/main/diagnostics").json["diagnostics"].array.count
    #expect(try Self.text(page, of: "view-main").contains("? \(findings) diagnostics"))
    #expect(
      page.links.filter { $0.hasPrefix("/views/") }
        == [
          "/views/main", "/views/main?filter=is%3Arejected#timeline", "/views/main/page",
          "/views/main?tab=diagnostics#details",
        ].map { $0.replacing("%3A", with: ":") })
    for link in page.links where link.hasPrefix("/views/") {
      #expect(try client.get(String(link.prefix { $0 != "#" }), accept: "text/html").status == 200, "\(link)")
    }
  }

  @Test func `an imported view is marked, and opens at its first version`() throws {
    let frames = PageTests.join("lv:r", url: "http://a/", page: Self.counter)
    _ = try client.post("/views", frames + #"["4",null,"lv:r","diff",{"0":"1"}]"#)
    let page = try index()
    let id = try #require(page.elements("li", class: "view").first?.element.id)
    #expect(try Self.text(page, of: id).contains("imported"))
    #expect(page.links.suffix(2) == ["/views/lv:r?version=0", "/views/lv:r/page?version=0"])
  }

  // MARK: - The filter

  @Test(arguments: [
    ("cart", ["view-lv:a~one", "view-lv:kid~one"]), ("CART%20localhost", ["view-lv:a~one", "view-lv:kid~one"]),
    ("kid", ["view-lv:a~one", "view-lv:kid~one"]), ("two", ["view-lv:b~two"]), ("crashed", ["view-lv:b~two"]),
    ("cart%20crashed", []), ("%20", ["view-lv:a~one", "view-lv:kid~one", "view-lv:b~two"]),
  ])
  func `a filter keeps the views with all of its words, and the views around them`(find: String, ids: [String]) throws {
    try join("lv:b", on: "two", url: "http://other/")
    try send("phx_error", "lv:b", on: "two")
    try join("lv:a", on: "one", url: "http://localhost:4000/cart", rendered: #"{"s":["<i id='kid'></i>"]}"#)
    try join("lv:kid", on: "one")
    let page = try index(find)
    #expect(page.elements("li", class: "view").compactMap { $0.element.id } == ids)
    if ids.isEmpty { #expect(page.text().contains("No view matches")) }
    #expect(try client.get("/views?find=\(find)").json["views"].array.count == 3)
  }

  @Test func `a filter does not keep the siblings of a matching view`() throws {
    try join("lv:root", on: "p", rendered: #"{"s":["<i id='one'></i><i id='two'></i>"]}"#)
    try join("lv:one", on: "p", rendered: #"{"s":["<i id='inner'></i>"]}"#)
    for topic in ["lv:inner", "lv:two"] { try join(topic, on: "p") }
    for (find, ids) in [("inner", ["root", "one", "inner"]), ("two", ["root", "two"]), ("root", ["root"])] {
      #expect(Self.ids(try index(find), in: "open") == ids.map { "view-lv:\($0)~p" }, "\(find)")
    }
  }

  // MARK: - The empty index

  @Test func `without a view, the commands of the page run`() throws {
    let page = try index()
    let commands = page.elements("pre").map { page.text(of: $0.place) }
    #expect(
      commands == [
        #"curl -X POST http://localhost:8080/views/counter/rendered -d '{"0":"0","s":["<p>Count: ","</p>"]}'"#,
        #"curl -X POST http://localhost:8080/views/counter/diffs -d '{"0":"1"}'"#,
        "liveview-mirror serve --allow-origin http://localhost:4000",
        #"<script src="http://localhost:8080/assets/tap.js"></script>"#,
        "liveview-mirror attach http://localhost:4000/ --mirror http://localhost:8080",
        "liveview-mirror import --mirror http://localhost:8080 session.har",
      ])
    for command in commands.prefix(2) {
      let words = try #require(command.wholeMatch(of: #/curl -X POST http://localhost:8080(\S+) -d '(.*)'/#))
      #expect(try client.post(String(words.1), String(words.2)).status < 300)
    }
    #expect(try client.get("/views/counter/html").text == "<p>Count: 1</p>")
    #expect(page.element(id: "find") == nil)
  }

  @Test func `the commands contain a token if the server asks for one`() {
    let start = ParsedPage(IndexStart(address: SampleView.address, asksForToken: true).html)
    let commands = start.elements("pre").map { start.text(of: $0.place) }
    #expect(commands.prefix(2).allSatisfy { $0.hasPrefix(#"curl -H "Authorization: Bearer $MIRROR_TOKEN" -X POST "#) })
    #expect(commands[3].contains(#" data-token="TOKEN">"#))
  }

  // MARK: - Times and styles

  @Test(
    arguments: [
      (0, "just now"), (1_999, "just now"), (-1_999, "just now"), (2_000, "2 s ago"), (59_999, "59 s ago"),
      (60_000, "1 min ago"), (3_599_999, "59 min ago"), (3_600_000, "1 h ago"), (86_400_000, "1 d ago"),
      (100_000_000_000, "1,157 d ago"), (-2_000, "2026-11-24 06:40:00.000Z"),
    ] as [(Int64, String)])
  func `a time is relative, and has the timestamp as attributes`(age: Int64, text: String) throws {
    let moment: Int64 = 1_795_502_400_000
    let page = ParsedPage(HTML.ago(moment, now: moment + age))
    let time = try #require(page.elements("time").first)
    #expect(page.text(of: time.place) == text)
    #expect(time.element["datetime"] == "2026-11-24T06:40:00.000Z")
    #expect(time.element["title"] == time.element["datetime"])
  }

  @Test func `the latest time that a feed can state is shown as a timestamp`() {
    let latest: Int64 = 253_402_300_799_999
    #expect(HTML.ago(latest, now: 0).text.contains(">9999-12-31 23:59:59.999Z</time>"))
    #expect(HTML.ago(0, now: latest).text.contains(">2,932,896 d ago</time>"))
  }

  @Test func `only the index has its style sheet`() throws {
    let link = #"<link rel="stylesheet" href="/assets/inspector/index.css">"#
    _ = try client.post("/views/main/rendered", Self.counter)
    #expect(try client.get("/", accept: "text/html").text.contains(link))
    #expect(try !client.get("/views/main", accept: "text/html").text.contains(link))
    #expect(try client.get("/assets/inspector/index.css").type == "text/css; charset=utf-8")
  }
}
