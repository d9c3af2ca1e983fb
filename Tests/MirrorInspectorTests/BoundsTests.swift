import LiveViewMirror
import MarkupDocument
import MicroHTTP
import Testing

@testable import MirrorInspector

/// A mirror that does not keep everything says what it keeps, and what was there once.
@Suite struct BoundsTests {
  /// A counter of which versions 43 to 50 are kept, or a little less.
  private func counter() throws -> Client {
    let client = try Client(limits: MirrorLimits(versions: 8))
    _ = try client.post("/views/main/rendered", FeedRoutesTests.counter)
    for number in 1...50 { _ = try client.post("/views/main/diffs", #"{"0":"\#(number)"}"#) }
    return client
  }

  @Test("what is no longer kept is gone, and what never was is not found")
  func gone() throws {
    let client = try counter()
    let first = try #require(client.views["main"]?.view?.firstVersion)
    #expect((43...44).contains(first))
    for form in ["tree?version=", "html?version=", "rendered?version=", "page?version=", "log/"] {
      #expect(try client.get("/views/main/\(form)\(first)").status == 200, "\(form)")
      #expect(try client.get("/views/main/\(form)51").status == 404, "\(form)")
      let gone = try client.get("/views/main/\(form)3")
      #expect(gone.status == 410 && gone.type == "application/problem+json", "\(form)")
      #expect(gone.json["detail"].string?.contains("no longer kept") == true, "\(form)")
      #expect(gone.json["detail"].string?.contains("\(first)") == true, "\(form)")
    }
    #expect(try client.get("/views/main/log/x").status == 404)
    #expect(try client.get("/views/main/log/-1").status == 404)
    #expect(try client.get("/views/main?version=3", accept: "text/html").status == 410)
  }

  @Test("the log and the summaries say with what it begins and how much it takes")
  func summaries() throws {
    let client = try counter()
    let view = try #require(client.views["main"]?.view)
    let log = try client.get("/views/main/log").json
    #expect(log["first"].string == "\(view.firstVersion)")
    #expect(log["entries"][0]["version"].int == view.firstVersion)
    let summary = try client.get("/views/main").json["log"]
    #expect((summary["entries"].int, summary["evicted"].int) == (view.log.keptEntries, 51 - view.log.keptEntries))
    #expect((summary["first"].string, summary["bytes"].int) == ("\(view.firstVersion)", view.log.keptBytes))
    let list = try client.get("/views").json
    #expect(
      list["limits"].description
        == #"{"clients":500,"expire_seconds":null,"followed_nodes":262144,"log_bytes":67108864,"page_bytes":67108864,"subscriptions":1000,"versions":8,"views":1000}"#
    )
    #expect(list["usage"]["evicted_entries"].int == 51 - view.log.keptEntries)
    #expect((list["usage"]["views"].int, list["usage"]["log_bytes"].int) == (1, view.log.keptBytes))
    #expect(list["usage"]["log_share"].int == 67_108_864)
  }

  @Test("the pages say with what the log begins, and link to no version before")
  func pages() throws {
    let client = try counter()
    for target in ["/views/main?node=2", "/views/main?version=46&node=3", "/views/main?node=99", "/"] {
      let answer = try client.get(target, accept: "text/html")
      #expect(answer.status == 200, "\(target)")
      let links = answer.text.matches(of: /href="(\/views\/[^"]*)"/).map { String($0.1) }
      for link in links {
        let link = String(link.prefix { $0 != "#" }).replacing("&amp;", with: "&")
        #expect(try client.get(link, accept: "text/html").status == 200, "\(link) of \(target)")
      }
    }
    let first = try #require(client.views["main"]?.view?.firstVersion)
    let page = try client.get("/views/main?node=2", accept: "text/html").text
    #expect(page.contains("versions \(first) to 50"))
    #expect(page.contains("the log begins with version \(first)"))
    #expect(page.contains("made before version \(first)"))
    #expect(try client.get("/", accept: "text/html").text.contains("at most 8 each"))
    #expect(try client.get("/views/main/nodes/2").json["first_version"].int == first)
  }

  @Test("the oldest page of a log that begins later is the oldest, and every entry is on one")
  func paging() throws {
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

  @Test("a limit of the log is 1 or more, and more than 1,000 are as many")
  func limit() throws {
    let client = try counter()
    for limit in ["0", "-1", "x"] {
      #expect(try client.get("/views/main/log?limit=\(limit)").status == 400, "\(limit)")
    }
    #expect(try client.get("/views/main/log?limit=1").json["entries"].array.count == 1)
    #expect(try client.get("/views/main/log?limit=5000").status == 200)
  }

  @Test("a view that was deleted is created again, in the next epoch")
  func createdAgain() throws {
    let client = try Client()
    for epoch in 1...3 {
      let answer = try client.post("/views/main/rendered", FeedRoutesTests.counter)
      #expect((answer.status, answer.json["epoch"].int) == (201, epoch))
      #expect(try client.send(.delete, "/views/main", "").status == 204)
    }
  }
}
