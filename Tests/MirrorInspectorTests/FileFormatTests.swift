import Foundation
import LiveViewMirror
import Testing

/// The encodings, orders and places of imported files.
@Suite struct FileFormatTests {
  private static func page(_ topic: String = "lv:a", _ text: String = "0") -> String {
    #"["4","4","\#(topic)","phx_reply",{"status":"ok","response":{"rendered":{"0":"\#(text)","s":["<p>","</p>"]}}}]"#
  }

  private static func diff(_ text: String, _ topic: String = "lv:a") -> String {
    #"["4",null,"\#(topic)","diff",{"0":"\#(text)"}]"#
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  private static func message(_ text: String, at time: Double) -> String {
    #"{"type":"receive","time":\#(time),"opcode":1,"data":\#(quoted(text))}"#
  }

  private static func har(_ sockets: [[String]], page: String = "page_1", started: String = "2026-11-24T10:00:00.000Z")
    -> String
  {
    let entries = sockets.map {
      #"{"pageref":"\#(page)","_webSocketMessages":[\#($0.joined(separator: ","))]}"#
    }
    return
      #"{"log":{"pages":[{"id":"\#(page)","startedDateTime":"\#(started)"}],"entries":[\#(entries.joined(separator: ","))]}}"#
  }

  // MARK: - Archives

  @Test func `the messages of a socket keep their order when the clock steps back`() throws {
    let socket = [
      Self.message(Self.page(), at: 1_764_000_000), Self.message(Self.diff("1"), at: 1_764_000_000.3),
      Self.message(Self.diff("2"), at: 1_764_000_000.25), Self.message(Self.diff("3"), at: 1_764_000_000.26),
    ]
    let client = try Client()
    let answer = try client.post("/views", Self.har([socket]))
    #expect(answer.json["applied"].int == 4)
    let view = try #require(answer.json["views"][0].string)
    #expect(try client.get("/views/\(view)/html").text == "<p>3</p>")
    let page = try client.get("/pages/\(try #require(answer.json["pages"][0].string))").json
    #expect(page["opened_at"].string == "2025-11-24T16:00:00.000Z")
    #expect(page["closed_at"].string == "2025-11-24T16:00:00.300Z")
  }

  @Test func `the sockets of a page are merged by time`() throws {
    let first = [
      Self.message(Self.page("lv:a", "a"), at: 1_764_000_000), Self.message(Self.diff("late"), at: 1_764_000_002),
    ]
    let second = [
      Self.message(Self.page("lv:b", "b"), at: 1_764_000_001), Self.message(Self.diff("early"), at: 1_764_000_001),
    ]
    for sockets in [[first, second], [second, first]] {
      let client = try Client()
      let answer = try client.post("/views", Self.har(sockets))
      #expect(answer.json["views"].array.compactMap { $0.string?.prefix(4) } == ["lv:a", "lv:b"])
      let view = try #require(answer.json["views"][0].string)
      #expect(try client.get("/views/\(view)/html").text == "<p>late</p>")
    }
  }

  @Test(arguments: [
    ("2026-11-24T11:00:00.000+01:00", "har-20261124T100000.000Z"),
    ("2026-11-24T00:30:00.5+0530", "har-20261123T190000.500Z"),
    ("2026-12-31T23:59:59-08:00", "har-20270101T075959.000Z"),
    ("2026-11-24T10:00:00Z", "har-20261124T100000Z"), ("2026-11-24T10:00:00.123Z", "har-20261124T100000.123Z"),
    ("2026-13-24T10:00:00+01:00", "har-20261324T1000000100"), ("", "har-1"),
  ])
  func `the id of a page has its start in UTC`(started: String, id: String) throws {
    let har = Self.har([[Self.message(Self.page(), at: 1_764_000_000)]], started: started)
    #expect(try Client().post("/views", har).json["pages"].array.map(\.string) == [id])
  }

  @Test func `a HAR is recognised when log is not its first member`() throws {
    let har = Self.har([[Self.message(Self.page(), at: 1_764_000_000)]])
    let file = #"{"comment": {"log": "{\"log\":"}, "x": [{"log": 1}],"# + "\n" + har.dropFirst()
    let answer = try Client().post("/views", file)
    #expect((answer.status, answer.json["format"].string) == (201, "har"), "\(answer.text)")
    // A line of a feed may have any other member.
    let line = #"{"at":1764000000000,"frame":\#(Self.page()),"log":{}}"#
    #expect(try Client().post("/views", line).json["format"].string == "frames")
  }

  @Test(arguments: [
    (
      "{har}\n{har}", 400,
      "the HAR ends before this byte, and other content follows: put each HAR into a file of its own"
    ),
    ("{har}\n[1]", 400, "and other content follows"),
    (
      #"{"log":{"entries":[{"_webSocketMessages":[]},{"_webSocketMessages":[]}]}}"#, 422,
      "the HAR has 2 entries, none with WebSocket messages. In Chrome,"
    ),
  ])
  func `a HAR that cannot be read is answered with the reason`(file: String, status: Int, detail: String) throws {
    let har = Self.har([[Self.message(Self.page(), at: 1_764_000_000)]])
    let answer = try Client().post("/views", file.replacing("{har}", with: har))
    #expect(answer.status == status)
    #expect(answer.json["detail"].string?.contains(detail) == true, "\(answer.text)")
    #expect(answer.json["detail"].string?.contains("perhaps missing") == false)
  }

  // MARK: - Encodings

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian], [true, false])
  func `UTF-16 is decoded, with and without a mark`(encoding: String.Encoding, hasMark: Bool) throws {
    let frames = Self.page("lv:a", "Zähler 🎉") + "\r\n" + Self.diff("Größe") + "\r\n"
    let table = "⬇\(Self.page())\t9\t10:00:00.120\r\n⬇\(Self.diff("1"))\t9\t10:00:00.130\r\n"
    let har = Self.har([[Self.message(Self.page(), at: 1_764_000_000)]])
    for (text, format) in [(frames, "frames"), (table, "table"), (har, "har")] {
      let bytes = try #require(((hasMark ? "\u{FEFF}" : "") + text).data(using: encoding))
      let client = try Client()
      let answer = try client.post("/views", bytes: [UInt8](bytes))
      #expect((answer.status, answer.json["format"].string) == (201, format), "\(answer.text)")
      if format == "frames" { #expect(try client.get("/views/lv:a/html").text == "<p>Größe</p>") }
    }
  }

  @Test func `zero bytes are not taken for UTF-16`() throws {
    let answer = try Client().post("/views", bytes: [UInt8](repeating: 0, count: 50))
    #expect(answer.json["detail"].string?.contains("this is not a file of LiveView traffic") == true)
  }

  @Test func `frames may begin with the mark of UTF-8`() throws {
    for frames in [Self.page(), Self.page() + "\n" + Self.diff("1"), "[\(Self.page()),\(Self.diff("1"))]"] {
      let client = try Client()
      let answer = try client.post("/frames", "\u{FEFF}" + frames).json
      #expect(answer["rejected_frames"].int == 0)
      #expect(answer["applied"].int == answer["frames"].int)
    }
    // The place counts the mark.
    let answer = try Client().post("/frames", "\u{FEFF}\(Self.page())\nx").json
    #expect(answer["rejected"][0]["problem"]["offset"].int == Self.page().utf8.count + 4)
  }

  @Test func `rows of a table are separated by line ends alone`() throws {
    let client = try Client()
    let answer = try client.post("/views", "⬇\(Self.page("lv:a", "a\u{2028}b\u{85}c"))\t9\t10:00:00.120\r\n")
    #expect(answer.status == 201, "\(answer.text)")
    #expect(try client.get("/views/lv:a/html").text == "<p>a\u{2028}b\u{85}c</p>")
  }

  // MARK: - Places

  private func rejections(_ file: String) throws -> [String] {
    try Client().post("/views", file).json["rejected"].array.map {
      "\($0["frame"].int.map(String.init) ?? "-") \($0["problem"]["detail"].string ?? "")"
    }
  }

  @Test func `a rejected frame of a file with lines has its line`() throws {
    let slot = "this slot does not exist: the template has 1 slot, 0 to 0. The view is unchanged."
    let bad = #"["4",null,"lv:a","diff",{"7":"1"}]"#
    #expect(
      try rejections("\(Self.page())\n\n\(bad)\nx\n") == [
        "1 line 3, at /4/7: \(slot)",
        "2 line 4, at byte \(Self.page().utf8.count + bad.utf8.count + 3): expected a value. The view is unchanged.",
      ])
    #expect(
      try rejections("Data\tLength\tTime\n⬇\(Self.page())\t9\n\n⬇\(bad)\t9\n⬇\(bad)x\t9\n") == [
        "1 line 4, at /frame/4/7: \(slot)", "2 line 5: expected a comma or a closing bracket. The view is unchanged.",
      ])
    let header = #"{"liveview_mirror":{"export":1},"view":"NAME","topic":"NAME"}"# + "\n"
    let exports = ["lv:a", "lv:b"].map { name in
      header.replacing("NAME", with: name) + Self.page(name) + "\n" + bad.replacing("lv:a", with: name) + "\n"
    }
    #expect(
      try rejections(exports.joined()) == ["2 line 3, at /4/7: \(slot)", "2 line 6, at /4/7: \(slot)"])
  }

  @Test func `a rejected frame of a HAR with several pages has its page`() throws {
    let bad = #"["4",null,"lv:a","diff",{"7":"1"}]"#
    let entries = ["a", "b"].map {
      #"{"pageref":"\#($0)","_webSocketMessages":[\#(Self.message(Self.page(), at: 1)),\#(Self.message(bad, at: 2)),"#
        + #"\#(Self.message(bad + "x", at: 3))]}"#
    }
    let slot = "this slot does not exist: the template has 1 slot, 0 to 0. The view is unchanged."
    let rest = "expected a comma or a closing bracket. The view is unchanged."
    #expect(
      try rejections(#"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#) == [
        "1 page har-1, at /frame/4/7: \(slot)", "2 page har-1: \(rest)",
        "1 page har-2, at /frame/4/7: \(slot)", "2 page har-2: \(rest)",
      ])
    #expect(try rejections(#"{"log":{"entries":[\#(entries[0])]}}"#).first == "1 at /frame/4/7: \(slot)")
  }

  // MARK: - Joins and limits

  @Test func `a diff whose join is missing, rejected or evicted has that reason`() throws {
    let other = Self.page("lv:b")
    #expect(
      try rejections([other, Self.diff("1")].joined(separator: "\n")) == [
        "1 the file does not contain the join of lv:a: begin the recording before the page loads"
      ])
    let large = Self.page("lv:a", String(repeating: "x", count: 9 << 20))
    let rejected = try rejections([other, large, Self.diff("1")].joined(separator: "\n"))
    #expect(rejected.first?.contains("the page is larger than 8 MiB") == true)
    #expect(rejected.last == "2 the join of lv:a was rejected, so this frame has no page to change")
    let client = try Client(limits: MirrorLimits(views: 1))
    let evicted = try client.post("/views", [Self.page(), other, Self.diff("1")].joined(separator: "\n")).json
    #expect(
      evicted["rejected"][0]["problem"]["detail"].string
        == "lv:a was evicted before this frame: the file has more views than the mirror keeps (--max-views, --page-bytes)"
    )
  }

  @Test func `views that were evicted during the import are incomplete, and not listed`() throws {
    let client = try Client(limits: MirrorLimits(views: 2))
    let answer = try client.post("/views", ["lv:a", "lv:b", "lv:c"].map { Self.page($0) }.joined(separator: "\n")).json
    #expect(answer["views"].array.map(\.string) == ["lv:b", "lv:c"])
    #expect(answer["incomplete_views"].array.map(\.string) == ["lv:a"])
  }

  @Test func `a page above the limit is not explained by a missing join`() throws {
    let large = try Client().post("/views", Self.page("lv:a", String(repeating: "x", count: 9 << 20)))
    let detail = try #require(large.json["detail"].string)
    #expect(
      detail.hasPrefix(
        "at /4/response/rendered: the file has no view that can be mounted. Frame 0: the page is larger than 8 MiB"))
    #expect(!detail.contains("join"))
    let missing = try Client().post("/views", Self.diff("1") + "\n" + Self.diff("2"))
    #expect(
      missing.json["detail"].string
        == "the file has no view that can be mounted: the file does not contain the join of lv:a: begin the recording before the page loads. Nothing was imported."
    )
  }
}
