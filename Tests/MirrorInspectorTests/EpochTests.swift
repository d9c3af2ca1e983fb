import LiveViewMirror
import MarkupDocument
import MicroHTTP
import NodeObservation
import Testing

@testable import MirrorInspector

/// `?epoch=`: the epochs before a remount, on every route and on the inspector's page.
@Suite struct EpochTests {
  private static let page =
    #"{"0":"0","1":{"s":["<li>","</li>"],"k":{"0":{"0":"a"},"kc":1}},"s":["<p>","</p><ul>","</ul>"]}"#

  private static func feed(_ client: Client, _ word: String) throws {
    _ = try client.post("/views/main/rendered", page)
    _ = try client.post("/views/main/diffs", #"{"0":"\#(word)"}"#)
    _ = try client.post("/views/main/diffs", #"{"1":{"k":{"1":{"0":"\#(word)"},"kc":2}},"t":"\#(word)"}"#)
  }

  /// A view in its third epoch, each at version 2.
  private static func client(limits: MirrorLimits = MirrorLimits()) throws -> Client {
    let client = try Client(limits: limits)
    for word in ["one", "two", "three"] { try feed(client, word) }
    return client
  }

  /// The routes of a view, with parameters and the types that they offer.
  private static let routes: [(target: String, types: [String?])] = [
    ("?node=3", [nil]), ("/inspector?version=1", [nil]), ("/tree", [nil]), ("/tree?version=1&under=2", [nil]),
    ("/html", [nil]), ("/html?version=1", [nil]), ("/rendered", [nil, "text/html"]), ("/rendered?version=0", [nil]),
    ("/log", [nil, "text/plain"]), ("/log/1?explain=true", [nil, "text/plain"]),
    ("/compare?from=0&to=2", [nil, "text/plain"]), ("/compare?from=0", [nil]), ("/nodes/3", [nil]),
    ("/diagnostics", [nil, "text/plain"]), ("/page?version=1", ["text/html"]), ("/page?frame", ["text/html"]),
    ("/page?frame&version=1", ["text/html"]), ("/export", [nil]), ("", ["text/html"]),
  ]

  private static func with(_ epoch: some CustomStringConvertible, _ target: String) -> String {
    "/views/main\(target)\(target.contains("?") ? "&" : "?")epoch=\(epoch)"
  }

  // MARK: - Routes

  @Test func `every route gives for an ended epoch what it gave before the remount`() throws {
    let client = try Client()
    try Self.feed(client, "one")
    func answers(_ address: (String) -> String) throws -> [String] {
      try Self.routes.flatMap { route in
        try route.types.map { type in
          let answer = try client.get(address(route.target), accept: type)
          #expect(answer.status == 200, "\(address(route.target))")
          return answer.text
        }
      }
    }
    let before = try answers { "/views/main\($0)" }
    try Self.feed(client, "two")
    let current = try answers { "/views/main\($0)" }
    let after = try answers { Self.with(1, $0) }
    #expect(try answers { Self.with(2, $0) }.prefix(12).dropFirst(2) == current.prefix(12).dropFirst(2))
    let names = Self.routes.flatMap { route in route.types.map { "\(route.target) \($0 ?? "")" } }
    for (name, (old, new)) in zip(names, zip(before, after)) {
      // Subscribers have ended, and pages say that the epoch is an earlier one.
      if name.hasPrefix("?node") || name.hasPrefix("/inspector") || name == " text/html"
        || name.contains("/page?version")
      {
        continue
      }
      func plain(_ text: String) -> String {
        text.replacing(#/"(subscribers|observers|clients|subscriptions)":\d+/#) { "\"\($0.1)\":0" }
      }
      #expect(plain(new) == plain(old), "\(name)")
      if name.contains("/html") { #expect(!new.contains("two")) }
    }
    // The cache of current bodies does not mix them.
    for _ in 1...2 {
      for form in ["html", "tree", "rendered"] {
        let (one, two) = (try client.get("/views/main/\(form)?epoch=1"), try client.get("/views/main/\(form)"))
        #expect(one.text.contains("one") && !one.text.contains("two") && two.text.contains("two"))
        #expect(one.response.headers["ETag"] != two.response.headers["ETag"])
      }
    }
  }

  @Test func `the summary lists the readable epochs, newest first`() throws {
    let client = try Self.client()
    let answer = try client.get("/views/main").json
    let epochs = answer["epochs"].array
    #expect(epochs.map { $0["epoch"].int } == [3, 2, 1])
    #expect(epochs.map { $0["ended_at"].isNull } == [true, false, false])
    #expect(epochs[0].keys == ["epoch", "versions", "first_version", "mounted_at", "ended_at", "diffs"])
    #expect(epochs.allSatisfy { ($0["versions"].int, $0["first_version"].int, $0["diffs"].int) == (3, 0, 2) })
    #expect(epochs[1]["ended_at"] == epochs[0]["mounted_at"])
    let past = try client.get("/views/main?epoch=1").json
    #expect((past["epoch"].int, past["version"].int, past["title"].string, past["observers"].int) == (1, 2, "one", 0))
    #expect(past["epochs"] == answer["epochs"])
    #expect(try client.get("/views").json["views"][0]["epochs"] == answer["epochs"])
  }

  @Test func `an epoch that has not begun is 404, a dropped one 410, and both name the others`() throws {
    let client = try Self.client()
    for (target, _) in Self.routes {
      let missing = try client.get(Self.with(4, target))
      #expect(missing.status == 404, "\(target)")
      #expect(missing.json["detail"].string == #"View "main" has no epoch 4: it has the epochs 3, 2, 1."#)
    }
    for _ in 4...11 { try Self.feed(client, "more") }
    for (target, types) in Self.routes {
      #expect(try client.get(Self.with(3, target), accept: types[0]).status == 200, "\(target)")
      let dropped = try client.get(Self.with(2, target))
      #expect(dropped.status == 410, "\(target)")
      #expect(
        dropped.json["detail"].string
          == #"Epoch 2 of view "main" is no longer kept; it has the epochs 11, 10, 9, 8, 7, 6, 5, 4, 3."#)
    }
    #expect(try client.get("/views/main/html?epoch=3&version=9").status == 404)
    let alone = try Client()
    try Self.feed(alone, "x")
    #expect(
      try alone.get("/views/main?epoch=2").json["detail"].string == #"View "main" has no epoch 2: it has epoch 1."#)
    #expect(try alone.get("/views/other?epoch=1").status == 404)
  }

  @Test(
    arguments: [
      "", "0", "-1", "x", "1.5", "1e3", "0x1", "9223372036854775808", "99999999999999999999999999", "1%0A", "١",
      "null",
      "1;2", "%3Cscript%3E", String(repeating: "9", count: 4_000),
    ])
  func `an epoch that is not a whole number from 1 on is 400`(text: String) throws {
    let client = try Self.client()
    let targets = Self.routes.map(\.target) + ["/subscribers", "/subscriptions", "/subscriptions/1", "/events"]
    for target in targets {
      let answer = try client.get(Self.with(text, target))
      #expect(answer.status == 400, "\(target)")
      #expect(answer.json["detail"].string?.hasPrefix("epoch must be a whole number ≥ 1") == true)
      #expect(try client.get(Self.with(text, target), accept: "text/html").text.contains("<script>") == false)
    }
    #expect(try client.get("/views/main?epoch=9223372036854775807").status == 404)
  }

  @Test func `routes of subscribers and pushes only accept the current epoch`() throws {
    let client = try Self.client()
    for target in ["/subscribers", "/subscriptions", "/subscriptions/1", "/events"] {
      for (epoch, status) in [(1, 410), (2, 410), (4, 404)] {
        #expect(try client.get(Self.with(epoch, target)).status == status, "\(target)")
      }
    }
    for target in ["/subscribers", "/subscriptions"] { #expect(try client.get(Self.with(3, target)).status == 200) }
    #expect(try client.post("/views/main/push?epoch=1", #"{"event":"inc"}"#).status == 410)
    #expect(try client.post("/views/main/push?epoch=3", #"{"event":"inc"}"#).status == 409)
    #expect(try client.post("/views/main/subscriptions?epoch=2", #"{"node":1}"#).status == 410)
    #expect(try client.post("/views/main/subscriptions?epoch=3", #"{"node":1}"#).status == 201)
    #expect(client.views["main"]?.view(ofEpoch: 2)?.observers.publishers.counts().isEmpty == true)
  }

  @Test func `an export of an ended epoch can be imported`() throws {
    let client = try Self.client()
    let file = try client.get("/views/main/export?epoch=2")
    #expect(file.status == 200 && file.text.contains(#""epoch":2"#) && !file.text.contains("three"))
    let other = try Client()
    #expect(try other.post("/views", file.text).status == 201)
    #expect(try other.get("/views/main/html").text == client.get("/views/main/html?epoch=2").text)
    // The mirror never had the first epoch.
    #expect(try other.get("/views/main?epoch=1").status == 410)
  }

  @Test func `ended epochs within the log's budget lose their first versions with 410`() throws {
    let client = try Client(limits: MirrorLimits(logBytes: 200 << 10))
    _ = try client.post("/views/main/rendered", Self.page)
    for number in 1...150 { _ = try client.post("/views/main/diffs", #"{"0":"\#(number)"}"#) }
    _ = try client.post("/views/main/rendered", Self.page)
    var number = 0
    while client.views["main"]?.view(ofEpoch: 1)?.firstVersion == 0, number < 1_000 {
      number += 1
      _ = try client.post("/views/main/diffs", #"{"0":"\#(number)"}"#)
    }
    let first = try #require(client.views["main"]?.view(ofEpoch: 1)?.firstVersion)
    #expect(first > 0 && first < 150)
    #expect(try client.get("/views/main/html?epoch=1&version=\(first - 1)").status == 410)
    #expect(try client.get("/views/main/html?epoch=1&version=\(first)").text.hasPrefix("<p>\(first)</p>"))
    #expect(try client.get("/views/main/html?version=0").text.hasPrefix("<p>0</p>"))
    #expect(try client.get("/views/main").json["epochs"][1]["first_version"].int == first)
    #expect(try client.get("/views/main").json["epochs"][1]["versions"].int == 151 - first)
  }

  // MARK: - The page

  @Test func `all links of an ended epoch's page stay in it, and work`() throws {
    let client = try Self.client()
    for target in ["?epoch=2", "?epoch=2&version=1&node=3", "?epoch=2&show=both&tab=view", "?epoch=2&tab=observers"] {
      let answer = try client.get("/views/main\(target)", accept: "text/html")
      let page = ParsedPage(answer.response.bytes)
      let own = page.elements.compactMap { $0.element["href"] ?? $0.element["src"] }.filter {
        $0.hasPrefix("/views/main")
      }
      #expect(own.count > 10)
      for link in own {
        let address = String(link.prefix { $0 != "#" })
        let accept = address.contains("/log") || address.contains("/export") ? nil : "text/html"
        #expect(try client.get(address, accept: accept).status == 200, "\(link)")
      }
      let others = own.filter { !$0.contains("epoch=2") && !$0.contains("/subscri") }
      #expect(
        Set(others.map { $0.replacing(#/[?&](show|tab)=\w+/#) { _ in "" } }) == ["/views/main?epoch=1", "/views/main"],
        "\(others)")
      #expect(page.text().contains("second load") && page.text().contains("newest: load 3"))
      #expect(answer.text.contains(#"data-live="past""#) && answer.text.contains(##"<body class="view looking-back "##))
      #expect(answer.text.contains(#"data-event-id="3.2""#))
      // Forms keep the epoch.
      let fields = page.elements("input").filter { $0.element["name"] == "epoch" }
      #expect(
        fields.count == page.elements("form").count { $0.element["method"] != "dialog" }
          && fields.allSatisfy { $0.element["value"] == "2" })
    }
    let json = try client.get("/views/main/inspector?epoch=2").json
    #expect((json["live"].bool, json["epoch"].int, json["event_id"].string) == (false, 2, "3.2"))
  }

  @Test func `a page of the current epoch follows it, and its links to versions name the epoch`() throws {
    let client = try Self.client()
    for target in ["", "?epoch=3"] {
      let answer = try client.get("/views/main\(target)", accept: "text/html")
      let page = ParsedPage(answer.response.bytes)
      #expect(answer.text.contains(#"data-live="view""#))
      #expect(page.text().contains("third load") && !page.text().contains("newest: load 3"))
      for link in page.links where link.hasPrefix("/views/main") {
        #expect(
          link.contains("version=") ? link.contains("epoch=3") : !link.contains("epoch=3") || link.contains("/log/"),
          "\(link)")
      }
      #expect(page.links.contains("/views/main?epoch=2") && !page.links.contains("/views/main?epoch=4"))
    }
    let older = try client.get("/views/main?version=1", accept: "text/html")
    let past = ParsedPage(older.response.bytes)
    #expect(older.text.contains(#"data-live="past""#))
    #expect(past.links.contains("/views/main?version=0&epoch=3"))
    // The newest version has no epoch in its address, so that the page follows the view again.
    #expect(past.elements("a", class: "newest").first?.element["href"] == "/views/main")
    let json = try client.get("/views/main/inspector?epoch=3").json
    #expect(json["live"].bool == true)
  }

  @Test func `a link that was made before a remount shows the same page after it`() throws {
    let client = try Client()
    try Self.feed(client, "one")
    let page = ParsedPage(try client.get("/views/main", accept: "text/html").response.bytes)
    let link = try #require(page.elements("a", class: "version").compactMap { $0.element["href"] }.first)
    func content() throws -> String {
      try client.get(link.replacing("/views/main?", with: "/views/main/inspector?")).json["regions"].array
        .first { $0["id"].string == "nodes" }?["lines"].array.compactMap { $0.array.last?.string }.joined() ?? ""
    }
    let before = try content()
    try Self.feed(client, "two")
    #expect(before.contains("one"))
    // The observers have ended.
    func plain(_ text: String) -> String { text.replacing(#/ <span class="listeners.*?</span>/#) { _ in "" } }
    #expect(try plain(content()) == plain(before))
  }

  @Test func `a view with one epoch has no menu of epochs`() throws {
    let client = try Client()
    try Self.feed(client, "one")
    let page = ParsedPage(try client.get("/views/main", accept: "text/html").response.bytes)
    #expect(page.elements("nav", class: "epochs").isEmpty)
  }

  @Test func `the mirror page of an ended epoch does not follow the view`() throws {
    let client = try Self.client()
    let answer = try client.get("/views/main/page?epoch=1", accept: "text/html")
    let page = ParsedPage(answer.response.bytes)
    #expect(answer.text.contains(#"data-live="past""#))
    #expect(page.elements("iframe").first?.element["src"] == "/views/main/page?frame=1&epoch=1")
    #expect(page.links.contains("/views/main?epoch=1"))
    #expect(try client.get("/views/main/page?frame=1&epoch=1", accept: "text/html").text.contains("one"))
    #expect(try client.get("/views/main/page?frame=1", accept: "text/html").text.contains("three"))
  }
}
