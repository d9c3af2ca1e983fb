import Foundation
import LiveViewMirror
import MarkupDocument
import MicroHTTP
import MirrorInspector
import RecordingFixtures
import Testing

@Suite struct FeedRoutesTests {
  static let counter = #"{"0":"0","s":["<p>Count: ","</p>"]}"#

  @Test func `the first mount gets a 201 with its location, and a remount gets a 200 with a new epoch`() throws {
    let client = try Client()
    let first = try client.post("/views/main/rendered", Self.counter)
    #expect(first.status == 201)
    #expect(first.type == "application/json")
    #expect(first.response.headers["Location"] == "/views/main")
    #expect((first.json["epoch"].int, first.json["version"].int) == (1, 0))
    _ = try client.post("/views/main/diffs", #"{"0":"1"}"#)
    let second = try client.post("/views/main/rendered", Self.counter)
    #expect(second.status == 200)
    #expect((second.json["epoch"].int, second.json["version"].int) == (2, 0))
  }

  @Test(arguments: [
    ("", "", [ContainerContent.dead, .empty]), ("?container=empty", "?container=dead", [.empty, .dead]),
    ("?container=dead&dialect=html", "?container=empty", [.dead, .empty]),
  ])
  func `a mount records the container's content`(first: String, second: String, noted: [ContainerContent]) throws {
    let client = try Client()
    var held: [ContainerContent?] = []
    for query in [first, second] {
      _ = try client.post("/views/main/rendered\(query)", Self.counter)
      held.append(client.views["main"]?.view?.container)
    }
    #expect(held == noted)
    // After its removal, the view is mounted for the first time again.
    _ = try client.send(.delete, "/views/main", "")
    _ = try client.post("/views/main/rendered", Self.counter)
    #expect(client.views["main"]?.view?.container == .dead)
  }

  @Test(arguments: ["kept", "", "DEAD", "a b"])
  func `a container that is neither dead nor empty is refused`(name: String) throws {
    let client = try Client()
    let query = "container=\(name.replacing(" ", with: "%20"))"
    for path in ["/views/main/rendered", "/frames"] {
      let answer = try client.post("\(path)?\(query)", Self.counter)
      #expect(answer.status == 400)
      #expect(
        answer.json["detail"].string == "container must be dead (the dead render) or empty, not \"\(name)\".")
    }
    #expect(try client.get("/views/main").status == 404)
  }

  @Test func `the client's version is that of the page, else the server's, else the newest`() throws {
    let client = try Client()
    func versions(_ view: String) throws -> [String?] {
      let summary = try client.get("/views/\(view)").json
      return [summary["client"].string, summary["server"].string]
    }
    let reply =
      #"["1","1","lv:a","phx_reply",{"status":"ok","response":{"rendered":{"s":["<p>","</p>"],"0":"a"},"liveview_version":"1.1.33"}}]"#
    _ = try client.post("/views/main/rendered", Self.counter)
    #expect(try versions("main") == [ClientVersion.newest.rawValue, nil])
    _ = try client.post("/views/main/rendered?client=1.1", Self.counter)
    #expect(try versions("main") == ["1.1.33", nil])
    _ = try client.post("/frames", reply)
    #expect(try versions("lv:a") == ["1.1.33", "1.1.33"])
    _ = try client.post("/frames?client=1.1.0", reply)
    #expect(try versions("lv:a") == ["1.1.0", "1.1.33"])
    #expect(try client.post("/pages/tab", #"{"client":"1.2.10"}"#).json["client"].string == "1.2.10")
    _ = try client.post("/frames?page=tab", reply)
    #expect(try versions("lv:a~tab") == ["1.2.10", "1.1.33"])
    // A client and a server of different minor versions speak different protocols.
    func codes(_ view: String) throws -> [String?] {
      try client.get("/views/\(view)/diagnostics").json["diagnostics"].array.map { $0["code"].string }
    }
    #expect(try codes("lv:a~tab") == ["version-skew"])
    #expect(try codes("lv:a") == [])
  }

  @Test(arguments: ["", "1", "new", "1.2.x"])
  func `a client that is no version is refused`(name: String) throws {
    let client = try Client()
    for path in ["/views/main/rendered", "/frames"] {
      let answer = try client.post("\(path)?client=\(name)", Self.counter)
      #expect(answer.status == 400)
      #expect(
        answer.json["detail"].string
          == "client must be a version of LiveView such as 1.2.10 or 1.1, not \"\(name)\".")
    }
    #expect(try client.post("/pages/tab", #"{"client":"\#(name)"}"#).status == 400)
  }

  @Test func `the response to a diff is the documented change record`() throws {
    let client = try Client()
    _ = try client.post("/views/main/rendered", Self.counter)
    let answer = try client.post("/views/main/diffs", #"{"0":"1","t":"One","e":[["hi",{"a":1}]]}"#)
    #expect(answer.status == 200)
    let json = answer.json
    #expect(
      json["changes"].description
        == #"[{"after":"Count: 1","before":"Count: 0","node":3,"op":"text","parent":2,"slots":["0"]}]"#)
    #expect(json["notified"].description == "[2]")
    #expect((json["observers"].int, json["nodes"].int, json["bytes"].int) == (1, 3, 40))
    #expect(
      json["isolation"].description
        == #"""
        {"everybody":2,"filtered":2,"selective":1,"uncoalesced":{"filtered":2,"selective":1,"whole":2},\#
        "views":null,"whole":2}
        """#)
    #expect(json["events"].description == #"[["hi",{"a":1}]]"#)
    #expect((json["title"].string, json["reply"].isNull) == ("One", true))
    #expect(["scoped", "full"].contains(json["path"].string))
    #expect(json["waste"].description == #"{"bytes":0,"slots":[]}"#)
    #expect(json["at"].string?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
    #expect(json["timings"].keys == ["decode", "merge", "render", "parse", "morph", "trace", "publish", "views"])
  }

  @Test(arguments: [
    (#"{"rendered":{"0":"0","s":["<p>","</p>"]}}"#, #"{"diff":{"0":"1"}}"#),
    (
      #"["4","4","lv:x","phx_reply",{"response":{"rendered":{"0":"0","s":["<p>","</p>"]}},"status":"ok"}]"#,
      #"["4","8","lv:x","phx_reply",{"response":{"diff":{"0":"1"}},"status":"ok"}]"#
    ),
    (#"{"response":{"rendered":{"0":"0","s":["<p>","</p>"]}},"status":"ok"}"#, #"["4",null,"lv:x","diff",{"0":"1"}]"#),
  ])
  func `mounts and diffs are accepted bare, wrapped, or in channel frames`(mount: String, diff: String) throws {
    let client = try Client()
    #expect(try client.post("/views/main/rendered", mount).status == 201)
    let answer = try client.post("/views/main/diffs", diff)
    #expect(answer.status == 200)
    #expect(answer.json["bytes"].int == 9)
    #expect(try client.get("/views/main/log/1").json["diff"].description == #"{"0":"1"}"#)
  }

  @Test func `the plain-text response to a diff lists its changes line by line`() throws {
    let client = try Client()
    _ = try client.post("/views/main/rendered", Self.counter)
    let answer = try client.post("/views/main/diffs", #"{"0":"1"}"#, accept: "text/plain")
    #expect(answer.type == "text/plain; charset=utf-8")
    let lines = answer.text.split(separator: "\n").map(String.init)
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("main v1  9 B  1 node changed, 1 subscriber notified (whole document: 2)  "))
    #expect(lines[1] == #"~ 3 text  "Count: 0" → "Count: 1"  in 2 <p>  slot 0"#)
    #expect(lines[2] == "  subscriber calls: 1 (one subject: 2, whole document: 2)")
  }

  @Test func `an invalid request gets a problem, the view is unchanged, and the next diff is applied`() throws {
    let client = try Client()
    _ = try client.post("/views/main/rendered", Self.counter)
    let before = try client.get("/views/main/tree").json

    let notJSON = try client.post("/views/main/diffs", #"{"0":1,}"#)
    #expect((notJSON.status, notJSON.type) == (400, "application/problem+json"))
    #expect((notJSON.json["offset"].int, notJSON.json["status"].int) == (7, 400))
    let unfitting = try client.post("/views/main/diffs", #"{"diff":{"3":"x"}}"#)
    #expect((unfitting.status, unfitting.json["pointer"].string) == (422, "/diff/3"))
    #expect(try client.post("/views/other/diffs", #"{"0":"1"}"#).status == 404)
    #expect(try client.post("/views/b%20d/rendered", Self.counter).status == 400)
    #expect(try client.post("/views/new/rendered", "{}").status == 422)
    #expect(try client.get("/views/new").status == 404)

    #expect(try client.get("/views/main/tree").json == before)
    #expect(try client.get("/views/main").json["version"].int == 0)
    let log = try client.get("/views/main/log").json["entries"].array
    #expect(log.count == 2)
    #expect(log[1]["rejected"]["pointer"].string == "/diff/3")
    #expect(try client.post("/views/main/diffs", #"{"0":"1"}"#).json["version"].int == 1)
  }

  @Test(arguments: Recording.all)
  func `all updates among the frames of a recording are applied`(recording: Recording) throws {
    let client = try Client()
    let lines = recording.steps.map { String(decoding: $0.frame, as: UTF8.self) }
    let dialect = recording.isNative ? "native" : "html"
    for body in [lines.joined(separator: "\n"), "[\(lines.joined(separator: ","))]"] {
      let answer = try client.post("/frames?dialect=\(dialect)", body)
      #expect(answer.status == 200)
      let updates = recording.steps.count(where: \.isUpdate)
      #expect(answer.json["frames"].int == lines.count)
      #expect(answer.json["applied"].int == updates)
      #expect(answer.json["ignored"].int == lines.count - updates)
      #expect(answer.json["rejected"].array == [])
    }
  }

  @Test func `a frame of an earlier join is counted in the response, the usage and the metrics`() throws {
    let client = try Client(metrics: Metrics(version: "test"))
    let page = { (join: Int) in
      #"["\#(join)","\#(join)","lv:x","phx_reply",{"response":{"rendered":\#(Self.counter)},"status":"ok"}]"#
    }
    let stale = #"["4","8","lv:x","phx_reply",{"response":{"diff":{"0":"1"}},"status":"ok"}]"#
    let answer = try client.post("/frames", "[\(page(4)),\(page(12)),\(stale)]")
    #expect(
      answer.json.description
        == #"""
        {"all_rejected":false,"applied":2,"client_throws":[],"destroyed_components":0,"frames":3,"ignored":1,"known_frames":0,\#
        "missing_frames":0,"rejected":[],"rejected_frames":0,"stale_frames":1}
        """#)
    #expect(try client.get("/views/lv:x").json["version"].int == 0)

    let refused = try client.post("/views/lv:x/diffs", stale)
    #expect((refused.status, refused.type) == (409, "application/problem+json"))
    #expect(
      refused.json["detail"].string
        == "the frame belongs to join 4, and the current join of the view is 12. The view is unchanged.")
    #expect(try client.get("/views/lv:x/log").json["entries"].array.count == 1)
    #expect(try client.get("/views").json["usage"]["stale_frames"].int == 2)
    #expect(try client.get("/metrics").text.contains("\nliveview_mirror_stale_frames_total 2\n"))
  }

  @Test func `the response names the updates at which the client stops`() throws {
    let client = try Client()
    // The client of 1.2.8 and later throws at a move without `km`.
    let mount =
      #"{"view":"lv:x","rendered":{"0":{"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2},"s":["<b>","</b>"]},"s":["",""]}}"#
    let move = #"["4","8","lv:x","phx_reply",{"response":{"diff":{"0":{"k":{"0":1,"1":0,"kc":2}}}},"status":"ok"}]"#
    let thrown = try client.post("/frames?client=1.2.10", "\(mount)\n\(move)").json["client_throws"]
    #expect(thrown.array.count == 1)
    #expect((thrown[0]["frame"].int, thrown[0]["view"].string, thrown[0]["version"].int) == (1, "lv:x", 1))
    #expect(thrown[0]["message"].string?.contains("1.2.8") == true)
    #expect(try client.post("/frames?client=1.2.7", "\(mount)\n\(move)").json["client_throws"].array.isEmpty)
  }

  @Test func `the response says whether all updates were rejected`() throws {
    let client = try Client()
    let diff = #"["4","8","lv:x","phx_reply",{"response":{"diff":{"0":"1"}},"status":"ok"}]"#
    #expect(try client.post("/frames", diff).json["all_rejected"].bool == true)
    let empty = #"["4","8","lv:x","phx_reply",{"response":{},"status":"ok"}]"#
    #expect(try client.post("/frames", empty).json["all_rejected"].bool == false)
    #expect(try client.post("/frames", "[\(empty),\(diff)]").json["all_rejected"].bool == true)
    let mount = #"{"view":"lv:x","rendered":\#(Self.counter)}"#
    #expect(try client.post("/frames", "\(diff)\n\(mount)").json["all_rejected"].bool == false)
  }

  @Test func `the first member says that all frames were rejected, and the list of views shows the reason`() throws {
    let client = try Client()
    #expect(try client.get("/views").json["rejected_feed"].isNull)
    #expect(try !client.get("/", accept: "text/html").text.contains("All frames rejected"))
    let diff = #"["4","8","lv:x<","phx_reply",{"response":{"diff":{"0":"1"}},"status":"ok"}]"#
    #expect(try client.post("/frames", "\(diff)\n\(diff)").text.hasPrefix(#"{"all_rejected":true,"frames":2,"#))
    let feed = try client.get("/views").json["rejected_feed"]
    #expect((feed["frames"].int, feed["rejected_frames"].int, feed["view"].string) == (2, 2, "lv:x<"))
    let reason = try #require(feed["reason"].string)
    #expect(reason.contains("there is no view"))
    let page = try client.get("/", accept: "text/html").text
    #expect(page.contains("All frames rejected") && page.contains("2 frames") && page.contains("lv:x&lt;"))
    // A feed that is partly applied does not replace the last one that was not.
    let mount = #"{"view":"lv:x","rendered":\#(Self.counter)}"#
    #expect(try client.post("/frames", "\(mount)\n\(diff)").text.hasPrefix(#"{"all_rejected":false,"frames":2,"#))
    #expect(try client.get("/views").json["rejected_feed"]["at"].string == feed["at"].string)
    #expect(try client.get("/", accept: "text/html").text.contains("All frames rejected"))
  }

  @Test func `a rejected frame does not prevent the frames after it from being applied`() throws {
    let client = try Client()
    let answer = try client.post(
      "/frames",
      """
      {"view":"a","rendered":\(Self.counter)}
      {"view":"a","diff":{"9":"x"}}
      {"view":"a","diff":{"0":"1"}
      {"view":"b","diff":{"0":"1"}}
      {"view":"a","diff":{"0":"2"}}
      """)
    #expect(answer.status == 200)
    #expect((answer.json["frames"].int, answer.json["applied"].int) == (5, 2))
    #expect(answer.json["rejected"].array.map { $0["problem"]["status"].int } == [422, 400, 404])
    #expect(answer.json["rejected"].array.map { $0["frame"].int } == [1, 2, 3])
    #expect(try client.post("/frames", "nonsense").status == 400)
  }

  @Test func `all rejected frames are counted, and at most 100 are listed`() throws {
    let client = try Client()
    let lines = [#"{"rendered":{"s":["x"]}}"#] + (0..<500).map { _ in #"{"diff":{"7":"x"}}"# }
    let answer = try client.post("/frames", lines.joined(separator: "\n"))
    #expect((answer.json["rejected_frames"].int, answer.json["rejected"].array.count) == (500, 100))
  }

  @Test func `the log contains the input of a rejected diff unchanged`() throws {
    let client = try Client()
    _ = try client.post("/views/main/rendered", Self.counter)
    _ = try client.post("/views/main/diffs", #"{"5":"é"}"#)
    #expect(try client.get("/views/main/log").json["entries"][1]["input"].string == #"{"5":"é"}"#)
  }

  @Test(arguments: [".", ".."]) func `a view id that is a dot segment is rejected`(id: String) throws {
    let answer = try Client().post("/frames", #"{"view":"\#(id)","rendered":{"s":["x"]}}"#)
    #expect(answer.json["rejected"][0]["problem"]["status"].int == 400)
  }

  @Test func `frames that are a transcript of wscat get the advice of an import`() throws {
    let answer = try Client().post(
      "/frames", "Connected (press CTRL+C to quit)\n< [\"1\",\"1\",\"lv:a\",\"phx_reply\",{}]")
    #expect(answer.status == 400)
    #expect(answer.text.contains("the file is a transcript of wscat"), "\(answer.text)")
  }

  @Test func `deleting a view a second time gets a 404`() throws {
    let client = try Client()
    _ = try client.post("/views/main/rendered", Self.counter)
    #expect(try client.send(.delete, "/views/main", "").status == 204)
    #expect(try client.send(.delete, "/views/main", "").status == 404)
    #expect(try client.get("/views").json["views"].array == [])
  }
}
