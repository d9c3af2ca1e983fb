import Foundation
import LiveViewMirror
import RecordingFixtures
import Testing

/// Traffic as files: imports, and the export of a view.
@Suite struct FileTests {
  private static let mount = #"{"0":"0","s":["<p>","</p>"]}"#
  private static let page =
    #"["4","4","lv:r","phx_reply",{"status":"ok","response":{"rendered":{"0":"0","s":["<p>","</p>"]}}}]"#
  private static let click =
    #"["4","7","lv:r","event",{"type":"click","event":"inc","value":{"password":"hunter2","by":1},"cid":3}]"#
  private static let answer = #"["4","7","lv:r","phx_reply",{"status":"ok","response":{"diff":{"0":"1"}}}]"#

  /// A timed click and its answer.
  private static let traffic = """
    {"at":1764000000000,"sent":false,"frame":\(page)}
    {"at":1764000000100,"sent":true,"frame":\(click)}
    {"at":1764000000112.5,"sent":false,"frame":\(answer)}
    """

  /// What two mirrors must agree on: everything but the times that an update took.
  private func log(of view: String, _ client: Client) throws -> [String] {
    try client.get("/views/\(view)/log?limit=1000").json["entries"].array
      .filter { !$0["changes"].isNull }.map { entry in
        entry.keys.subtracting(["timings", "view", "cursor"]).sorted().map { "\($0): \(entry[$0])" }.joined(
          separator: "\n")
      }
  }

  // MARK: - Export

  @Test(arguments: Recording.all)
  func `an export imports to the same versions, nodes and causes, and exports to the same bytes`(
    recording: Recording
  ) throws {
    let (first, second) = (try Client(), try Client())
    let dialect = recording.isNative ? "native" : "html"
    _ = try first.post("/frames?page=tab&url=http://localhost/&dialect=\(dialect)", TimedTraffic(recording).lines)
    let views = try first.get("/views").json["views"].array.compactMap(\.["view"].string)
    #expect(!views.isEmpty)
    let exports = try views.map { view in
      let export = try first.get("/views/\(view)/export")
      #expect(export.status == 200)
      #expect(export.type == "application/x-ndjson")
      return export.text
    }
    let imported = try second.post("/views", exports.joined())
    #expect(imported.status == 201)
    #expect(imported.json["views"].array.compactMap(\.string).sorted() == views.sorted())
    #expect(imported.json["pages"].array.compactMap(\.string) == ["tab"])
    #expect(imported.json["rejected_frames"].int == 0)
    for (view, export) in zip(views, exports) {
      #expect(try log(of: view, second) == log(of: view, first))
      #expect(try second.get("/views/\(view)/html").text == first.get("/views/\(view)/html").text)
      #expect(try second.get("/views/\(view)/export").text == export)
      #expect(try second.get("/views/\(view)").json["epoch"] == first.get("/views/\(view)").json["epoch"])
    }
  }

  @Test func `an export has the mount, the diffs and their causes, one on each line`() throws {
    let client = try Client()
    _ = try client.post("/frames?page=tab&url=http://localhost:4000/", Self.traffic)
    #expect(
      try client.get("/views/lv:r~tab/export").text == """
        {"liveview_mirror":{"export":1},"view":"lv:r~tab","topic":"lv:r","page":{"id":"tab","url":"http://localhost:4000/"}}
        {"view":"lv:r","at":1764000000000,"epoch":1,"over":"dead","dialect":"html","rendered":{"0":"0","s":["<p>","</p>"]}}
        {"view":"lv:r","at":1764000000112,"cause":{"event":"inc","type":"click","value":{"password":"[FILTERED]","by":1},"target":3,"ref":"7","latency_ms":12.5},"diff":{"0":"1"}}

        """)
  }

  @Test func `an input on several lines is exported on one`() throws {
    let client = try Client()
    _ = try client.post("/views/main/rendered", "{\n \"0\": \"a\\n b\",\r\n \"s\": [\"<p>\", \"</p>\"]}")
    let lines = try client.get("/views/main/export").text.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[1].hasSuffix(#""rendered":{  "0": "a\n b",   "s": ["<p>", "</p>"]}}"#))
  }

  @Test(arguments: ["\n", "\r\n", " \t\r"])
  func `an export and an import keep the bytes of inputs with white space and escapes`(space: String) throws {
    let (first, second) = (try Client(), try Client())
    let rendered = #"{"0":\#(space)"\u0030" , "s":["<p>","<\/p>"]}"#
    let diff = #"{ "0"\#(space):"caf\u00e9 \u2028 \#u{2028}"\#(space)}"#
    _ = try first.post("/frames", #"{"view":"lv:r","rendered":\#(rendered)}"#)
    _ = try first.post("/frames", "[\(#"[null,null,"lv:r","diff",\#(diff)]"#)]")
    _ = try first.post("/views/lv:r/diffs", "\(space)\(diff)\(space)")
    let export = try first.get("/views/lv:r/export").text
    _ = try second.post("/views", export)
    let bytes = try [first, second].map { client in
      try client.get("/views/lv:r/log").json["entries"].array.compactMap(\.["bytes"].int)
    }
    #expect(bytes == Array(repeating: [rendered, diff, diff].map(\.utf8.count), count: 2))
    #expect(try second.get("/views/lv:r/export").text == export)
  }

  @Test func `components that the server has destroyed are exported`() throws {
    let client = try Client()
    let frames = [
      #"["4","4","lv:r","phx_reply",{"status":"ok","response":{"rendered":{"0":1,"s":["<p>","</p>"],"c":{"1":{"s":["<b>b</b>"],"r":1}}}}}]"#,
      #"["4","5","lv:r","diff",{"0":""}]"#,
      #"["4","6","lv:r","phx_reply",{"status":"ok","response":{"cids":[1]}}]"#,
    ]
    _ = try client.post("/frames", frames.joined(separator: "\n"))
    let export = try client.get("/views/lv:r/export").text
    #expect(export.hasSuffix(#"{"view":"lv:r","destroyed":[1]}"# + "\n"))
    let other = try Client()
    _ = try other.post("/views", export)
    #expect(try other.get("/views/lv:r/rendered").text == client.get("/views/lv:r/rendered").text)
  }

  @Test func `the content that a rejoin has kept is part of the export`() throws {
    let client = try Client()
    let rendered = #"{"s":["<div id=\"m\" phx-update=\"ignore\">","</div>"],"0":"first"}"#
    func join(_ ref: Int, mounts: Int, _ text: String) -> String {
      #"["\#(ref)","\#(ref)","lv:r","phx_join",{"url":"http://a/","params":{"_mounts":\#(mounts)}}]"# + "\n"
        + #"["\#(ref)","\#(ref)","lv:r","phx_reply",{"status":"ok","response":{"rendered":\#(rendered.replacing("first", with: text))}}]"#
        + "\n"
    }
    _ = try client.post("/frames", join(1, mounts: 0, "first") + join(2, mounts: 1, "second"))
    #expect(try client.get("/views/lv:r/html").text.contains("first"))
    let export = try client.get("/views/lv:r/export").text
    #expect(export.contains(#""epoch":2,"over":"kept","before":"<div id=\"m\""#))
    let other = try Client()
    _ = try other.post("/views", export)
    #expect(try other.get("/views/lv:r/html").text == client.get("/views/lv:r/html").text)
    #expect(try other.get("/views/lv:r/export").text == export)
  }

  @Test func `a view whose mount was evicted cannot be exported`() throws {
    let client = try Client(limits: MirrorLimits(versions: 2))
    _ = try client.post("/views/main/rendered", Self.mount)
    for number in 1...5 { _ = try client.post("/views/main/diffs", #"{"0":"\#(number)"}"#) }
    let export = try client.get("/views/main/export")
    #expect(export.status == 410)
    #expect(export.json["detail"].string?.contains("its mount was evicted") == true)
  }

  // MARK: - Import

  @Test(arguments: Recording.all.filter { !$0.isNative })
  func `a HAR and a copied table give the same result as the frames`(recording: Recording) throws {
    let traffic = try TimedTraffic(recording)
    let direct = try Client()
    _ = try direct.post("/frames?page=har-20251124T160000.000Z", traffic.lines)
    let views = try direct.get("/views").json["views"].array.compactMap(\.["view"].string)
    for har in [try traffic.har(), try traffic.har(pretty: true)] {
      let client = try Client()
      let answer = try client.post("/views", har)
      #expect(answer.status == 201)
      #expect(answer.json["format"].string == "har")
      #expect(answer.json["skipped_messages"].int == 2)
      #expect(answer.json["pages"].array.compactMap(\.string) == ["har-20251124T160000.000Z"])
      #expect(answer.json["views"].array.compactMap(\.string).sorted() == views.sorted())
      for view in views { #expect(try log(of: view, client) == log(of: view, direct)) }
      let page = try client.get("/pages/har-20251124T160000.000Z").json
      #expect(page["closed_at"].isNull == false)
    }
    let client = try Client()
    #expect(try client.post("/views", traffic.table).json["format"].string == "table")
    for view in views {
      let topic = String(view.prefix { $0 != "~" })
      #expect(try client.get("/views/\(topic)/html").text == direct.get("/views/\(view)/html").text)
    }
  }

  @Test func `an import does not touch views that are there`() throws {
    let client = try Client()
    _ = try client.post("/frames", Self.page)
    let first = try client.post("/views", Self.traffic)
    let second = try client.post("/views", Self.traffic)
    #expect(first.json["views"].array.map(\.string) == ["lv:r~import"])
    #expect(second.json["views"].array.map(\.string) == ["lv:r~import-2"])
    #expect(try client.get("/views/lv:r").json["version"].int == 0)
    #expect(try client.get("/views/lv:r~import-2").json["version"].int == 1)
  }

  @Test func `an imported view opens at its first version`() throws {
    let client = try Client()
    _ = try client.post("/views", Self.traffic)
    #expect(try client.get("/", accept: "text/html").text.contains(#"href="/views/lv:r?version=0""#))
    _ = try client.post("/frames", Self.page)
    #expect(try client.get("/", accept: "text/html").text.contains(#"href="/views/lv:r""#))
  }

  @Test func `a view whose beginning was evicted opens at the oldest version that is kept`() throws {
    let client = try Client(limits: MirrorLimits(versions: 2))
    let diffs = (1...5).map { #"["4",null,"lv:r","diff",{"0":"\#($0)"}]"# }
    let answer = try client.post("/views", ([Self.page] + diffs).joined(separator: "\n"))
    #expect(answer.json["incomplete_views"].array.map(\.string) == ["lv:r"])
    let first = try #require(client.views["lv:r"]?.view?.firstVersion)
    #expect(first > 0)
    #expect(try client.get("/", accept: "text/html").text.contains(#"href="/views/lv:r?version=\#(first)""#))
    #expect(try client.get("/views/lv:r?version=\(first)", accept: "text/html").status == 200)
    #expect(try Client().post("/views", Self.traffic).json["incomplete_views"].array.isEmpty)
  }

  @Test func `an imported view is paused: its page shows the first version and does not follow the view`() throws {
    let client = try Client()
    _ = try client.post("/frames?page=tab&url=http://localhost:4000/", Self.traffic)
    let other = try Client()
    _ = try other.post("/views", client.get("/views/lv:r~tab/export").text)
    let list = try other.get("/", accept: "text/html").text
    #expect(list.matches(of: #/href="/views/lv:r~tab\?version=0"/#).count == 1)
    let page = try other.get("/views/lv:r~tab?version=0", accept: "text/html").text
    #expect(page.contains(#"data-live="past""#))
    #expect(page.contains(">newest: v"))
    #expect(page.contains(#"rel="next" href="/views/lv:r~tab?version=1&amp;epoch=1""#))
  }

  @Test func `crashed, left and closed views, rejected diffs and latencies of a page survive two exports`() throws {
    func page(_ topic: String, _ text: String) -> String {
      #"["1","1","\#(topic)","phx_reply",{"status":"ok","response":{"rendered":{"0":"\#(text)","s":["<div id=\"kid\">","</div>"]}}}]"#
    }
    let lines = [
      page("lv:phx-a", "a"), page("lv:kid", "b"), page("lv:c", "c"), page("lv:d", "d"),
      #"["1","2","lv:kid","event",{"type":"form","event":"save","value":"a=1&password=x","cid":null}]"#,
      #"["1","2","lv:kid","phx_reply",{"status":"ok","response":{"diff":{"0":"e"}}}]"#,
      #"["1",null,"lv:kid","diff",{"9":"f"}]"#, #"["1",null,"lv:kid","diff",{"0":"g","t":"Title"}]"#,
      #"["1",null,"lv:c","phx_error",{}]"#, #"["1","3","lv:d","phx_leave",{}]"#,
      #"["1",null,"lv:phx-a","phx_close",{}]"#,
    ]
    let timed = lines.enumerated().map { #"{"at":\#(1_764_000_000_000 + $0 * 13).25,"frame":\#($1)}"# }
    var exports: [[String]] = []
    var client = try Client()
    let report = try client.post("/frames?page=tab&url=http://localhost:4000/?token=x", timed.joined(separator: "\n"))
      .json
    #expect(report["rejected_frames"].int == 1)
    let views = ["lv:phx-a~tab", "lv:kid~tab", "lv:c~tab", "lv:d~tab"]
    for _ in 1...3 {
      let files = try views.map { try client.get("/views/\($0)/export").text }
      exports.append(files)
      client = try Client()
      #expect(try client.post("/views", files.joined()).json["rejected_frames"].int == 0)
    }
    #expect(exports[0] == exports[1] && exports[1] == exports[2])
    #expect(exports[0][1].contains(#""latency_ms":13}"#) && exports[0][1].contains("password=%5BFILTERED%5D"))
    #expect(exports[0].allSatisfy { $0.contains(#""url":"http://localhost:4000/?token=%5BFILTERED%5D""#) })
    let kid = try client.get("/views/lv:kid~tab").json
    #expect((kid["version"].int, kid["status"].string, kid["parent"].string) == (2, "closed", "lv:phx-a~tab"))
    #expect(try client.get("/pages/tab").json["title"].string == "Title")
  }

  // MARK: - Archives

  private func archive(_ name: String) throws -> String {
    try String(contentsOf: Fixtures.folder("har").appending(path: name), encoding: .utf8)
  }

  @Test func `an archive with Firefox's entries is imported`() throws {
    let client = try Client()
    let answer = try client.post("/views", archive("firefox-with-messages.har"))
    #expect(answer.status == 201)
    #expect(answer.json["format"].string == "har")
    #expect(answer.json["skipped_messages"].int == 2)
    #expect(answer.json["pages"].array.map(\.string) == ["har-20251124T160000.020Z"])
    let view = "lv:phx-F1~har-20251124T160000.020Z"
    #expect(try client.get("/views/\(view)/html").text == "<p>Count: 1</p>")
    let cause = try client.get("/views/\(view)/log/1").json["cause"]
    #expect(cause["event"].string == "inc" && cause["latency_ms"].int == 14)
    #expect(try client.get("/pages/har-20251124T160000.020Z").json["url"].string == "http://localhost:4000/counter")
  }

  @Test func `an archive that Firefox has exported is answered with the ways that have messages`() throws {
    let answer = try Client().post("/views", archive("firefox.har"))
    #expect(answer.status == 422)
    let detail = try #require(answer.json["detail"].string)
    #expect(
      detail.contains(
        "the HAR has 2 entries, none with WebSocket messages. Firefox does not write them: record the page in Chrome"))
  }

  @Test func `times may be seconds, milliseconds or microseconds, and directions have two names`() throws {
    for (factor, names) in [(1.0, ["send", "receive"]), (1e3, ["sent", "received"]), (1e6, ["send", "receive"])] {
      var har = try archive("firefox-with-messages.har")
      for match in har.matches(of: /"time": (1764\d+\.\d+)/).reversed() {
        har.replaceSubrange(
          match.range, with: "\"time\": \(((Double(match.1) ?? 0) * 1_000).rounded() / 1_000 * factor)")
      }
      har = har.replacing("\"send\"", with: "\"\(names[0])\"").replacing("\"receive\"", with: "\"\(names[1])\"")
      let client = try Client()
      let page = try #require(try client.post("/views", har).json["pages"][0].string)
      let cause = try client.get("/views/lv:phx-F1~\(page)/log/1").json["cause"]
      #expect(cause["event"].string == "inc" && cause["latency_ms"].int == 14, "\(factor)")
    }
  }

  @Test func `page loads that began at the same time stay apart, and an address is that of the first request`() throws {
    func entry(_ page: String, _ url: String, _ messages: String = "") -> String {
      #"{"pageref":"\#(page)","request":{"url":"\#(url)"}\#(messages)}"#
    }
    let message =
      #","_webSocketMessages":[{"type":"receive","time":1,"opcode":1,"data":"\#(Self.page.replacing("\"", with: "\\\""))"}]"#
    let entries = ["a", "b"].map { entry($0, "http://\($0)/") + "," + entry($0, "ws://\($0)/live/websocket", message) }
    let pages = ["a", "b"].map { #"{"id":"\#($0)","startedDateTime":"2026-11-24T10:00:00Z","title":"Page \#($0)"}"# }
    let har = #"{"log":{"pages":[\#(pages.joined(separator: ","))],"entries":[\#(entries.joined(separator: ","))]}}"#
    // Editors on Windows write a mark of UTF-8.
    for file in [har, "\u{FEFF}" + har] {
      let client = try Client()
      let answer = try client.post("/views", file)
      #expect(
        answer.json["pages"].array.map(\.string) == ["har-20261124T100000Z", "har-20261124T100000Z-2"], "\(answer.text)"
      )
      let page = try client.get("/pages/har-20261124T100000Z-2").json
      #expect((page["url"].string, page["title"].string) == ("http://b/", "Page b"))
    }
  }

  // MARK: - Bad files

  @Test(arguments: ["1e300", "-1e300", "1e18", "-5", "1e-300", "9007199254740993", "null", "\"x\""])
  func `a number that is not a time does not end the process`(number: String) throws {
    let quoted = Self.page.replacing("\"", with: "\\\"")
    let har =
      #"{"log":{"entries":[{"_webSocketMessages":[{"type":"receive","time":\#(number),"data":"\#(quoted)"}]}]}}"#
    #expect(try Client().post("/views", har).status == 201)
    let table = "⬇\(Self.page)\t12\t\(number):\(number):\(number)"
    #expect(try Client().post("/views", table).status == 201)
    #expect(try Client().post("/views", "⬇\(Self.page)\t12\tinf:nan:0").status == 201)
    let cause = #"{"event":"inc","ref":"7","latency_ms":\#(number)}"#
    let export =
      #"{"liveview_mirror":{"export":1},"view":"main"}"# + "\n" + #"{"view":"main","rendered":\#(Self.mount)}"# + "\n"
      + #"{"view":"main","at":\#(number),"cause":\#(cause),"diff":{"0":"1"}}"#
    let client = try Client()
    _ = try client.post("/views", export)
    #expect(try client.get("/views/main/log", accept: "text/plain").status == 200)
    #expect(try client.get("/views/main/export").status == 200)
  }

  @Test(arguments: [
    ("", 400, "the file is empty"), ("  \n", 400, "the file is empty"),
    ("hello", 400, "messages copied from the browser's developer tools"),
    (#"{"log":{"version":"1.2"}}"#, 422, "log.entries"),
    (#"{"log":{"entries":[{"request":{}}]}}"#, 422, "the HAR has 1 entry, none with WebSocket messages. In Chrome,"),
    (
      #"{"log":{"entries":[{"_webSocketMessages":[{"data":"[null,1,\"phoenix\"]"}]}]}}"#, 422,
      "none of the 1 WebSocket messages"
    ),
    (#"["4",null,"lv:r","diff",{"0":"5"}]"#, 422, "begin the recording before the page loads"),
    (#"["4","1","lv:r","phx_join",{"url":"http://a/"}]"#, 422, "none of its 1 frames"),
    (#"{"liveview_mirror":{"export":1},"view":"main"}"#, 422, "none of its 1 frames"),
  ])
  func `a file without traffic is answered with what to do`(file: String, status: Int, detail: String) throws {
    let client = try Client()
    let answer = try client.post("/views", file)
    #expect(answer.status == status)
    #expect(answer.json["detail"].string?.contains(detail) == true, "\(answer.text)")
    #expect(answer.json["detail"].string?.hasSuffix("Nothing was imported.") == true)
    #expect(try client.get("/views").json["views"].array.isEmpty)
    #expect(try client.get("/pages").json["pages"].array.isEmpty)
  }

  @Test func `a HAR that is cut anywhere is refused with the place`() throws {
    let recording = try #require(Recording.committed.filter { !$0.isNative }.min { $0.steps.count < $1.steps.count })
    let har = Array(try TimedTraffic(recording).har().utf8)
    let client = try Client()
    for end in stride(from: 1, to: har.count, by: max(1, har.count / 200)) {
      let answer = try client.post("/views", String(decoding: har[..<end], as: UTF8.self))
      #expect(answer.status == 400 || answer.status == 422)
    }
    let half = try client.post("/views", String(decoding: har[..<(har.count / 2)], as: UTF8.self))
    #expect(half.json["detail"].string?.contains("export it again") == true)
    #expect(half.json["offset"].int != nil)
    #expect(try client.get("/views").json["views"].array.isEmpty)
  }
}
