import Foundation
import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import RecordingFixtures
import Testing

@testable import MirrorInspector

/// `GET /views/{view}/waste`.
@Suite struct WasteTests {
  private func client() throws -> Client {
    let client = try Client()
    _ = try client.post(
      "/views/main/rendered",
      #"{"0":"0","1":{"s":["<li>","</li>"],"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2}},"s":["<p>","</p><ul>","</ul>"]}"#)
    _ = try client.post("/views/main/diffs", #"{"0":"1","1":{"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2}}}"#)
    _ = try client.post("/views/main/diffs", #"{"0":"1"}"#)
    return client
  }

  @Test func `the JSON has the sums of slots and lists`() throws {
    let json = try client().get("/views/main/waste").json
    #expect(
      json["slots"].description == """
        [{"bytes":6,"diffs":1,"function":null,"last_version":1,"slot":"1.k.*.0","source":null,"wasted_bytes":6,"wasted_diffs":1},\
        {"bytes":6,"diffs":2,"function":null,"last_version":2,"slot":"0","source":null,"wasted_bytes":3,"wasted_diffs":1}]
        """)
    #expect((json["bytes"].int, json["wasted_bytes"].int, json["version"].int) == (12, 9, 2))
    #expect(json["others"].isNull)
    #expect(json["lists"][0]["kind"].string == "undecided")
    #expect((json["lists"][0]["unchanged_entries"].int, json["lists"][0]["whole_resends"].int) == (2, 1))
    #expect(json["annotations"].bool == false)
    #expect(json["hint"].string?.contains("debug_heex_annotations: true") == true)
  }

  @Test func `the text has the same sums as tables`() throws {
    let answer = try client().get("/views/main/waste", accept: "text/plain")
    #expect(answer.type == "text/plain; charset=utf-8")
    #expect(
      answer.text == """
        main v2  9 B of 2 diffs (65 B) without effect; values of 2 slots: 12 B

        slot     bytes  without effect  diffs  diffs without effect  last  line
        1.k.*.0  6      6               1      1                     v1
        0        6      3               2      1                     v2

        list  kind       diffs  entries  unchanged  whole  shifted  recreated  last  line
        1     undecided  1      2        2          1      0        0          v1

        1: \(Advice.unchangedEntries)

        \(WasteReport.annotationHint)

        """)
  }

  @Test(arguments: WasteReport.Order.allCases)
  func `the slots are sorted by each column`(order: WasteReport.Order) throws {
    let slots = try client().get("/views/main/waste?sort=\(order.rawValue)").json["slots"].array.map {
      $0["slot"].string
    }
    #expect(
      slots == ([.bytes, .wastedBytes, .wastedDiffCount].contains(order) ? ["1.k.*.0", "0"] : ["0", "1.k.*.0"]))
  }

  @Test func `an unknown order and an unknown view are problems`() throws {
    let answer = try client().get("/views/main/waste?sort=x")
    #expect(answer.status == 400)
    #expect(
      answer.json["detail"].string
        == "sort must be one of slot, bytes, wasted_bytes, diffs, wasted_diffs, last_version, source, not \"x\".")
    #expect(try client().get("/views/other/waste").status == 404)
  }

  @Test(arguments: Recording.committed)
  func `the waste is a part of the diffs as they were received`(recording: Recording) throws {
    let view = try SampleView.recorded(recording)
    let report = view.wasteReport()
    let sizes = view.log.records.filter { $0.version > 0 }.map(\.bytes)
    #expect((report.diffs, report.diffBytes) == (sizes.count, sizes.reduce(0, +)))
    #expect(report.bytes <= report.diffBytes)
  }

  // MARK: - The page

  @Test func `a diff that sends the entries of a list again says how many, in bytes, and what to do`() throws {
    let client = try Client()
    _ = try client.post(
      "/views/main/rendered", #"{"0":{"d":[["a"],["b"]],"s":["<li>","</li>"]},"s":["<ul>","</ul>"]}"#)
    let json = try client.post("/views/main/diffs", #"{"0":{"d":[["new"],["a"],["b"]]}}"#).json
    #expect(json["shifted_lists"].description == #"[{"bytes":10,"entries":2,"of":3,"slot":"0"}]"#)
    #expect(json["more_shifted_lists"].isNull && json["waste"]["bytes"].int == 0)
    let page = ParsedPage(Array(try client.get("/views/main", accept: "text/html").text.utf8))
    #expect(
      page.elements("p", class: "notice").map { page.text(of: $0.place) } == [
        "! List in slot 0: 3 of 3 entries were sent, 2 that were on the page already at another position (10 B) "
          + "and 1 with new values. \(Advice.positional) Cost of all diffs What does this mean?"
      ])
    #expect(page.links.contains("/help/diagnostics#unkeyed-list"))
    let others = try client.post("/views/main/diffs", #"{"0":{"d":[["new"],["a"],["b"],["c"]]}}"#).json
    #expect(others["shifted_lists"].isNull)
  }
}
