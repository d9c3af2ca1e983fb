import LiveViewMirror
import MarkupDocument
import MicroHTTP
import Testing

@testable import MirrorInspector

/// Responses about a log whose old entries have been evicted.
@Suite struct BoundsTests {
  /// A counter at version 50, whose log keeps the versions from 43 or 44 on.
  private func counter() throws -> Client {
    let client = try Client(limits: MirrorLimits(versions: 8))
    _ = try client.post("/views/main/rendered", FeedRoutesTests.counter)
    for number in 1...50 { _ = try client.post("/views/main/diffs", #"{"0":"\#(number)"}"#) }
    return client
  }

  @Test
  func `an evicted version gets a 410, and a version that never existed gets a 404`() throws {
    let client = try counter()
    let first = try #require(client.views["main"]?.view?.firstVersion)
    #expect((43...44).contains(first))
    for form in ["tree?version=", "html?version=", "rendered?version=", "page?version=", "log/"] {
      #expect(try client.get("/views/main/\(form)\(first)").status == 200, "\(form)")
      #expect(try client.get("/views/main/\(form)51").status == 404, "\(form)")
      let evicted = try client.get("/views/main/\(form)3")
      #expect(evicted.status == 410 && evicted.type == "application/problem+json", "\(form)")
      #expect(evicted.json["detail"].string?.contains("no longer kept") == true, "\(form)")
      #expect(evicted.json["detail"].string?.contains("\(first)") == true, "\(form)")
    }
    #expect(try client.get("/views/main/log/x").status == 404)
    #expect(try client.get("/views/main/log/-1").status == 404)
    let page = try client.get("/views/main?version=3", accept: "text/html")
    #expect(page.status == 410 && page.text.contains("No longer stored"))
    let links = ParsedPage(page.response.bytes).links
    #expect(links.contains("/views/main?version=\(first)&epoch=1") && links.contains("/views/main"), "\(links)")
    #expect(try links.allSatisfy { try client.get($0, accept: "text/html").status == 200 || $0.contains("assets") })
  }

  @Test
  func `an evicted view gets a 410 with the limit and the flag, until it is mounted again or deleted`() throws {
    let client = try Client(limits: MirrorLimits(views: 1))
    for view in ["old", "new"] { _ = try client.post("/views/\(view)/rendered", FeedRoutesTests.counter) }
    for path in ["", "/log", "/tree", "/html", "/nodes/1", "/subscriptions", "/events", "/waste", "/export"] {
      let answer = try client.get("/views/old\(path)")
      #expect(answer.status == 410 && answer.type == "application/problem+json", "\(path)")
      let detail = try #require(answer.json["detail"].string)
      #expect(detail.contains("more than 1 views (--max-views)") && detail.contains("mount it again"), "\(path)")
    }
    #expect(try client.post("/views/old/diffs", #"{"0":"1"}"#).status == 410)
    #expect(try client.post("/views/old/subscriptions", #"{"node":1}"#).status == 410)
    let frame = #"["1","2","old","diff",{"0":"1"}]"#
    #expect(try client.post("/frames", frame).json["rejected"][0]["problem"]["status"].int == 410)
    let page = try client.get("/views/old", accept: "text/html")
    #expect(page.status == 410 && page.text.contains("--max-views"))
    #expect(try client.get("/", accept: "text/html").text.contains("<code>old</code>"))
    #expect(try client.get("/views/none").status == 404)
    for body in ["[]", "{\"0\":1,"] { #expect(try client.post("/views/old/rendered", body).status >= 400) }
    #expect(try client.get("/views/old").status == 410)
    _ = try client.post("/views/old/rendered", FeedRoutesTests.counter)
    #expect(try client.get("/views/old").status == 200)
    #expect(try client.get("/views/new").status == 410)
    #expect(try client.send(.delete, "/views/old", "").status == 204)
    #expect(try client.get("/views/old").status == 404)
  }

  @Test
  func `the log and the summaries have the first kept version and the size of the log`() throws {
    let client = try counter()
    let view = try #require(client.views["main"]?.view)
    let log = try client.get("/views/main/log").json
    #expect(log["first"].string == "\(view.firstVersion)")
    #expect(log["entries"][0]["version"].int == view.firstVersion)
    let summary = try client.get("/views/main").json["log"]
    #expect((summary["entries"].int, summary["evicted"].int) == (view.log.keptEntryCount, 51 - view.log.keptEntryCount))
    #expect((summary["first"].string, summary["bytes"].int) == ("\(view.firstVersion)", view.log.keptBytes))
    let list = try client.get("/views").json
    #expect(
      list["limits"].description
        == #"{"clients":500,"expire_seconds":null,"followed_nodes":262144,"log_bytes":67108864,"page_bytes":67108864,"subscriptions":1000,"versions":8,"views":1000}"#
    )
    #expect(list["usage"]["evicted_entries"].int == 51 - view.log.keptEntryCount)
    #expect((list["usage"]["views"].int, list["usage"]["log_bytes"].int) == (1, view.log.keptBytes))
    #expect(list["usage"]["log_share"].int == 67_108_864)
  }

  @Test
  func `the pages show the first kept version and link only to kept versions`() throws {
    let client = try counter()
    for target in ["/views/main?node=2", "/views/main?version=46&node=3", "/views/main?node=99", "/"] {
      let answer = try client.get(target, accept: "text/html")
      #expect(answer.status == 200, "\(target)")
      let links = answer.text.matches(of: /href="(\/views\/[^"]*)"/).map { String($0.1) }
      for link in links {
        let link = String(link.prefix { $0 != "#" }).replacing("&amp;", with: "&")
        let status = try client.get(link, accept: "text/html").status
        #expect(status == 200 || status == 303, "\(link) of \(target)")
      }
    }
    let first = try #require(client.views["main"]?.view?.firstVersion)
    let page = try client.get("/views/main?node=2", accept: "text/html").text
    let facts = try client.get("/views/main?tab=view", accept: "text/html").text
    #expect(facts.contains("versions \(first) to 50"))
    #expect(page.contains("the log begins with version \(first)"))
    #expect(page.contains("added before version \(first)"))
    #expect(try client.get("/", accept: "text/html").text.contains("at most 8 for each view"))
    #expect(try client.get("/views/main/nodes/2").json["first_version"].int == first)
  }

  @Test
  func `the pages of a log with evicted entries contain every kept entry`() throws {
    let client = try Client(limits: MirrorLimits(versions: 300))
    _ = try client.post("/views/main/rendered", FeedRoutesTests.counter)
    for number in 1...1_000 {
      _ = try client.post("/views/main/diffs", number % 7 == 0 ? #"{"9":""}"# : #"{"0":"\#(number)"}"#)
    }
    let view = try #require(client.views["main"]?.view)
    var seen: Set<ChangeLog.Cursor> = []
    var window = LogWindow(of: view.log, after: nil, around: view.version)
    for _ in 0..<20 {
      seen.formUnion(window.entries.map(\.cursor))
      guard let older = window.older else { break }
      window = LogWindow(of: view.log, after: older, around: view.version)
    }
    #expect(window.older == nil)
    #expect(seen == Set(view.log.last(.max).map(\.cursor)))
  }

  @Test
  func `the limit of a log request must be at least 1, and a large one is accepted`() throws {
    let client = try counter()
    for limit in ["0", "-1", "x"] {
      #expect(try client.get("/views/main/log?limit=\(limit)").status == 400, "\(limit)")
    }
    #expect(try client.get("/views/main/log?limit=1").json["entries"].array.count == 1)
    #expect(try client.get("/views/main/log?limit=5000").status == 200)
  }

  @Test
  func `a deleted view that is mounted again continues with the next epoch`() throws {
    let client = try Client()
    for epoch in 1...3 {
      let answer = try client.post("/views/main/rendered", FeedRoutesTests.counter)
      #expect((answer.status, answer.json["epoch"].int) == (201, epoch))
      #expect(try client.send(.delete, "/views/main", "").status == 204)
    }
  }
}
