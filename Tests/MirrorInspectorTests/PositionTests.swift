import LiveViewMirror
import Testing

@testable import MirrorInspector

/// The log and the event stream of a view read the same positions.
@Suite struct PositionTests {
  /// A view in its second epoch, with a rejected input after version 1.
  private func client() throws -> Client {
    let client = try Client()
    for _ in 1...2 {
      _ = try client.post("/views/main/rendered", #"{"0":"0","s":["<p>","</p>"]}"#)
      for diff in [#"{"0":"1"}"#, #"{"7":"2"}"#, #"{"0":"2"}"#, #"{"0":"3"}"#] {
        _ = try client.post("/views/main/diffs", diff)
      }
    }
    return client
  }

  private func cursors(_ client: Client, _ query: String) throws -> [String?] {
    try client.get("/views/main/log?\(query)").json["entries"].array.map { $0["cursor"].string }
  }

  @Test(
    arguments: [
      ("1", ["2.1.1", "2", "3"]), ("2.1", ["2.1.1", "2", "3"]), ("2.1.0", ["2.1.1", "2", "3"]),
      ("2.1.1", ["2", "3"]), ("2.3", []), ("3", []), ("2.2.5", ["3"]),
    ])
  func `the log and the events continue after the same position`(position: String, rest: [String]) throws {
    let client = try client()
    #expect(try cursors(client, "after=\(position)") == rest)
    let ids = try client.events("/views/main/events?after=\(position)").read().map(\.id)
    #expect(ids == rest.map { $0.contains(".") ? $0 : "2.\($0)" })
  }

  @Test func `a position in an earlier epoch is before the whole log`() throws {
    let client = try client()
    #expect(try cursors(client, "after=1.3") == ["0", "1", "2.1.1", "2", "3"])
    #expect(try cursors(client, "epoch=1&after=1.1") == ["1.1.1", "2", "3"])
    #expect(try client.events("/views/main/events?after=1.3").read().map(\.description) == ["reset 2.3"])
  }

  @Test func `the position of a later epoch is a 404`() throws {
    let answer = try client().get("/views/main/log?after=3.0")
    #expect(answer.status == 404)
    #expect(answer.json["code"].string == "unknown-epoch")
  }

  @Test func `the value of next, and the cursor of each entry, is a position of both`() throws {
    let client = try client()
    var (after, seen) = ("", [String?]())
    while true {
      let page = try client.get("/views/main/log?limit=1\(after)").json
      seen += page["entries"].array.map { $0["cursor"].string }
      guard let next = page["next"].string else { break }
      #expect(try client.events("/views/main/events?after=\(next)").read().count == 5 - seen.count || next == "0")
      after = "&after=\(next)"
    }
    #expect(seen == ["0", "1", "2.1.1", "2", "3"])
  }

  @Test(arguments: ["x", "", "-1", "01", "1.2.3.4", "0.1", "1.", ".1", "1.-2", "99999999999999999999"])
  func `another text is a 400 of both, which names the forms`(text: String) throws {
    for route in ["log", "events"] {
      let answer = try client().get("/views/main/\(route)?after=\(text)")
      #expect(answer.status == 400)
      #expect(
        answer.json["detail"].string
          == #"after must be a position: VERSION, EPOCH.VERSION or EPOCH.VERSION.REJECTIONS, not "\#(text)"."#)
    }
  }

  @Test func `zero is the mount in the log, and the beginning in the events`() throws {
    let client = try client()
    #expect(try cursors(client, "after=0") == ["1", "2.1.1", "2", "3"])
    #expect(try client.events("/views/main/events?after=0").read().first?.id == "2.0")
  }
}
