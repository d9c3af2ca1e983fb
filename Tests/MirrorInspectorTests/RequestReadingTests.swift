import MicroHTTP
import MirrorInspector
import Testing

/// Parameters and bodies at the limits of what the contract allows.
@Suite struct RequestReadingTests {
  private let client: Client

  init() throws {
    client = try Client()
    _ = try client.post("/views/main/rendered", #"{"0":"0","s":["<p>","</p>"]}"#)
    _ = try client.post("/frames?page=tab", PageTests.join("lv:r", page: #"{"s":["<p></p>"]}"#))
  }

  @Test func `a count of frames near the largest number is accepted`() throws {
    for first in ["9223372036854775807", "9223372036854775806", "0"] {
      let frame = #"["4","4","lv:r","heartbeat",{}]"#
      #expect(try client.post("/frames?page=tab&first=\(first)", "\(frame)\n\(frame)").status == 200)
    }
  }

  @Test func `the sums of lost frames and bytes stay at the largest number`() throws {
    let lost = #"{"lost":{"frames":9223372036854775807,"bytes":9223372036854775807}}"#
    _ = try client.post("/pages/tab", lost)
    let page = try client.post("/pages/tab", lost).json
    #expect((page["lost"]["frames"].int, page["lost"]["bytes"].int) == (.max, .max))
  }

  @Test func `a whole number in a body may have a fraction of zero`() throws {
    let answer = try client.post("/views/main/subscriptions", #"{"node":2.0}"#)
    #expect(answer.status == 201)
    #expect(answer.json["node"].int == 2)
    for node in ["2.5", "0.0", "1e99", "-2.0"] {
      let answer = try client.post("/views/main/subscriptions", #"{"node":\#(node)}"#)
      #expect(answer.status == 422, "\(node)")
      #expect(answer.json["pointer"].string == "/node")
    }
  }

  @Test func `the pointer to a fault in an inner object begins at the body`() throws {
    for (body, pointer) in [
      (#"{"lost":{"frames":-1}}"#, "/lost/frames"), (#"{"lost":{"rows":1}}"#, "/lost/rows"),
      (#"{"lost":{"bytes":1,"bytes":2}}"#, "/lost/bytes"),
    ] {
      let answer = try client.post("/pages/tab", body)
      #expect(answer.status == 422)
      #expect(answer.json["pointer"].string == pointer)
    }
  }

  @Test(
    arguments: [
      "/views/main?version=", "/views/main?version=x", "/views/main?version=9223372036854775808", "/views/main?node=0",
      "/views/main?under=x", "/views/main?from=-1", "/views/main?after=-1", "/views/main?after=1.2.3.4",
      "/views/main/log?after=-1", "/views/main/log?after=", "/views/main/tree?depth=",
    ])
  func `a parameter that is not such a number is a 400, in JSON and in pages`(target: String) throws {
    #expect(try client.get(target).status == 400)
    #expect(try client.get(target, accept: "text/html").status == 400)
  }

  @Test(
    arguments: [
      ("/views/main/log?after=x", "after must be a position: VERSION, EPOCH.VERSION or EPOCH.VERSION.REJECTIONS"),
      ("/views/main/log?limit=x", "limit must be a whole number ≥ 0"),
      ("/views/main/log?node=x", "node must be a whole number ≥ 1"),
      ("/views/main/events?node=x", "node must be a whole number ≥ 1"),
      ("/views/main/tree?under=x", "under must be a whole number ≥ 1"),
      ("/views/main/nodes/x", "node must be a whole number ≥ 1"),
      ("/views/main/log/0?explain=x", "explain must be true or false"),
      (
        "/views/main/waste?sort=x",
        "sort must be one of slot, bytes, wasted_bytes, diffs, wasted_diffs, last_version, source"
      ),
      ("/views/main?tab=x", "tab must be one of diff, steps, node, cost, diagnostics, subscribers, view"),
      ("/views/main?epoch=x", "epoch must be a whole number ≥ 1"),
    ])
  func `an invalid parameter has one form of error: its name, what it must be, and what it is`(
    target: String, detail: String
  ) throws {
    #expect(try client.get(target).json["detail"].string == "\(detail), not \"x\".")
  }

  @Test func `the place in an event stream must be valid in the address too, although the header takes precedence`()
    throws
  {
    for query in ["", "x", "1.2.3.4", "01", "0.1"] {
      let headers = ["Last-Event-ID": "1.0"] as HTTPHeaders
      #expect(try client.send(.get, "/views/main/events?after=\(query)", "", headers: headers).status == 400)
    }
  }

  @Test func `the number of frames before an input must be valid without a page too`() throws {
    #expect(try client.post("/frames?first=x", "[]").status == 400)
  }
}
