import LiveViewMirror
import MarkupDocument
import MicroHTTP
import MirrorAnalysis
import Testing

@testable import MirrorInspector

/// `GET …/totals` and `…/insights`, and the tab *Cost*.
@Suite struct CostTests {
  private static let rendered =
    #"{"0":"0","1":{"s":["<li>","</li>"],"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2}},"s":["<p>","</p><ul>","</ul>"]}"#

  private func client() throws -> Client {
    let client = try Client()
    _ = try client.post("/views/main/rendered", Self.rendered)
    _ = try client.post("/views/main/diffs", #"{"0":"1","1":{"k":{"0":{"0":"a"},"1":{"0":"b"},"kc":2}}}"#)
    _ = try client.post("/views/main/diffs", #"{"0":"1"}"#)
    return client
  }

  /// A page with two views, each with an answer to a click.
  private func page() throws -> Client {
    let client = try Client()
    var lines: [String] = []
    for topic in ["lv:a", "lv:b"] {
      let reply = #"{"status":"ok","response":{"rendered":\#(Self.rendered)}}"#
      lines.append(
        #"{"at":1000,"frame":["1","1","\#(topic)","phx_join",{"session":"","url":"http://h/"}],"sent":true}"#)
      lines.append(#"{"at":1001,"frame":["1","1","\#(topic)","phx_reply",\#(reply)]}"#)
      let event = #"{"type":"click","event":"inc","value":{}}"#
      lines.append(#"{"at":1010,"frame":["1","2","\#(topic)","event",\#(event)],"sent":true}"#)
      let answer = #"{"status":"ok","response":{"diff":{"0":"1"}}}"#
      lines.append(#"{"at":\#(topic == "lv:a" ? 1014 : 1030),"frame":["1","2","\#(topic)","phx_reply",\#(answer)]}"#)
    }
    #expect(
      try client.post("/frames?page=tab&url=http://h/", lines.joined(separator: "\n")).json["rejected"].array.isEmpty)
    return client
  }

  // MARK: - JSON and text

  @Test func `the totals have one row for each event, and a sentence`() throws {
    let json = try client().get("/views/main/totals").json
    #expect(
      json["rows"].description == """
        [{"bytes":65,"diffs":2,"function":null,"key":null,"latency_ms":null,"nodes":1,"source":null,"wasted_bytes":9}]
        """)
    #expect(json["by"].string == "event")
    #expect(
      ["from", "to", "diffs", "bytes", "wasted_bytes", "evicted_diffs"].map { json[$0].int } == [0, 2, 2, 65, 9, 0])
    #expect(
      json["summary"].string
        == "2 diffs, 65 B: the largest is 86 % of the bytes, so the size of a few diffs is what costs.")
  }

  @Test func `the text has the same as a table`() throws {
    let answer = try client().get("/views/main/totals?by=slot", accept: "text/plain")
    #expect(answer.type == "text/plain; charset=utf-8")
    #expect(
      answer.text == """
        2 diffs, 65 B: the largest is 86 % of the bytes, so the size of a few diffs is what costs.

        slot     diffs  bytes  without effect  nodes
        0        2      6      3               1
        1.k.*.0  1      6      6               0

        """)
  }

  @Test(arguments: CostTotals.Order.allCases)
  func `the rows are sorted by each column`(order: CostTotals.Order) throws {
    let rows = try client().get("/views/main/totals?by=slot&sort=\(order.rawValue)").json["rows"].array
    let keys = rows.map { $0["key"].string }
    #expect(keys == (order == .wastedBytes ? ["1.k.*.0", "0"] : ["0", "1.k.*.0"]))
  }

  @Test func `a range has its diffs alone`() throws {
    let json = try client().get("/views/main/totals?by=list&from=1&to=1").json
    #expect(json["rows"].array.map { $0["key"].string } == ["1", nil])
    #expect((json["from"].int, json["to"].int, json["diffs"].int) == (1, 1, 1))
  }

  @Test(arguments: [
    ("by=x", 400, "by must be one of event, source, list, slot, not \"x\"."),
    ("sort=x", 400, "sort must be one of key, diffs, bytes, wasted_bytes, nodes, median, p95, max, not \"x\"."),
    ("from=x", 400, "from must be a whole number ≥ 0, not \"x\"."),
    ("from=2&to=1", 400, "from must be a version ≤ 1, not \"2\"."),
    ("to=9", 404, "View \"main\" has no version 9 in epoch 1: it has 0 to 2."),
    ("form=1", 400, "\"form\" is not a parameter of GET /views/{view}/totals"),
  ])
  func `a parameter that does not fit is a problem`(query: String, status: Int, detail: String) throws {
    let answer = try client().get("/views/main/totals?\(query)")
    #expect(answer.status == status)
    #expect(answer.json["detail"].string?.hasPrefix(detail) == true, "\(answer.json)")
  }

  @Test func `an unknown view and an unknown page are problems`() throws {
    let client = try client()
    for path in ["/views/other/totals", "/views/other/insights", "/pages/other/totals"] {
      #expect(try client.get(path).status == 404)
    }
  }

  @Test func `the insights have the bytes, the share, the advice and the versions`() throws {
    let client = try client()
    let found = try client.get("/views/main/insights").json["insights"].array
    #expect(found.map { $0["code"].string } == ["resent-list", "resent-value"])
    #expect(found.map { $0["saves_bytes"].int } == [6, 3])
    #expect(found[0]["versions"].description == "[1]" && found[1]["versions"].description == "[2]")
    #expect(found[0]["share"].description == "0.107" && found[1]["share"].description == "0.333")
    #expect(
      try client.get("/views/main/insights", accept: "text/plain").text == """
        main v2  2 insights, 9 B could be saved
        ! resent-list  6 B  Entries of the list in slot 1 were sent without a change: 6 B for each diff (11 %).  (v1)
          \(Advice.unchangedEntries)
        ! resent-value  3 B  The value `"1"` in slot 0 was sent without a change: 3 B for each diff (33 %).  (v2)
          \(Advice.unchangedValue)

        """)
  }

  // MARK: - Pages

  @Test func `the totals of a page have the events of all views, and the slots of each`() throws {
    let client = try page()
    let events = try client.get("/pages/tab/totals").json
    #expect(events["page"].string == "tab" && events["diffs"].int == 2)
    #expect(events["rows"].array.map { [$0["key"].string, "\($0["diffs"].int ?? 0)"] } == [["inc", "2"]])
    #expect(events["rows"][0]["latency_ms"].description == #"{"max":20,"median":4,"p95":20}"#)
    let slots = try client.get("/pages/tab/totals?by=slot").json["rows"].array
    #expect(slots.map { [$0["key"].string, $0["view"].string] } == [["0", "lv:a~tab"], ["0", "lv:b~tab"]])
    let page = ParsedPage(Array(try client.get("/pages/tab/totals?by=slot", accept: "text/html").text.utf8))
    #expect(page.rows(ofTable: "totals").map { $0[0] } == ["0 lv:a~tab", "0 lv:b~tab"])
    #expect(page.links.contains("/pages/tab/totals?by=list"))
    let index = ParsedPage(Array(try client.get("/", accept: "text/html").text.utf8))
    #expect(index.links.contains("/pages/tab/totals"))
  }

  // MARK: - The tab

  private func tab(_ query: String, of client: Client) throws -> ParsedPage {
    ParsedPage(Array(try client.get("/views/main?\(query)", accept: "text/html").text.utf8))
  }

  @Test func `browsers that ask for totals, insights or waste are sent to the tab`() throws {
    let client = try client()
    for (path, target) in [
      ("totals?by=slot&sort=nodes", "?tab=cost&by=slot&sort=nodes"), ("insights", "?tab=cost"), ("waste", "?tab=cost"),
    ] {
      let answer = try client.get("/views/main/\(path)", accept: "text/html")
      #expect(answer.status == 303 && answer.response.headers["Location"] == "/views/main\(target)")
    }
  }

  @Test func `older links to the waste open the tab, with any order of its table`() throws {
    let client = try client()
    for query in ["tab=waste", "tab=waste&sort=wasted_diffs", "tab=cost"] {
      let page = try tab(query, of: client)
      #expect(page.elements("li", class: "insight").count == 2, "\(query)")
      #expect(page.rows(ofTable: "totals").count == 1)
    }
  }

  @Test func `the headers are links that sort, and the current one says so`() throws {
    let client = try client()
    let html = try client.get("/views/main?tab=cost&by=slot&sort=nodes", accept: "text/html").text
    #expect(
      html.contains(
        #"<th scope="col" class="number" aria-sort="descending"><a href="/views/main?tab=cost&amp;by=slot&amp;sort=nodes#totals""#
      ))
    #expect(
      html.contains(
        #"<th scope="col"><a href="/views/main?tab=cost&amp;by=slot&amp;sort=key#totals" title="Sort by name">Slot</a></th>"#
      ))
    #expect(
      html.contains(#"<a href="/views/main?tab=cost&amp;by=slot&amp;sort=nodes#totals" aria-current="true">slot</a>"#))
    #expect(html.contains(#"<a href="/views/main?tab=cost&amp;sort=nodes#totals">event</a>"#))
  }

  @Test func `an insight links the diffs that show it and its explanation`() throws {
    let client = try Client()
    _ = try client.post("/views/main/rendered", Self.rendered)
    let diff = #"{"1":{"k":{"0":{"0":"new"},"1":{"0":"a"},"2":{"0":"b"},"kc":3}}}"#
    _ = try client.post("/views/main/diffs", diff)
    let page = try tab("tab=cost", of: client)
    let item = try #require(page.elements("li", class: "insight").first?.place)
    #expect(
      page.words(of: item) == """
        18 B The list in slot 1 has no key: 18 B for each insertion or removal (28 %). \
        \(Advice.unkeyed.filter { $0 != "`" }) Shown by v1 · What does this mean?
        """)
    #expect(page.links.contains("/help/diagnostics#unkeyed-list"))
    #expect(page.links.contains("/views/main?version=1&epoch=1"))
  }

  @Test func `a line is a link into the editor, and hostile names are escaped`() throws {
    let view = try SampleView.mounted(
      #"{"0":"a","s":["<!-- <A.<b>x> lib/\"x'.ex:3 (a) --><p>","</p><!-- </A.x> -->"]}"#, diffs: [#"{"0":"b"}"#])
    let totals = CostTotals(of: view, by: .source)
    let html = TotalsTable(totals: totals, order: .bytes, page: Link("w"), editor: Editor("zed", appRoot: "/app")).html
      .text
    #expect(
      html.contains(
        ##"""
        <a class="editor" href="zed://file/app/lib/%22x%27.ex:3"><code title="lib/&quot;x&#39;.ex">\##
        <span class="folder">lib/</span>&quot;x&#39;.ex:3</code></a>
        """##))
    #expect(html.contains(#"<span class="function">A.&lt;b&gt;x</span>"#))
    #expect(!html.contains("annotation-hint"))
  }

  @Test func `a view without diffs has no table, and one without waste says so`() throws {
    let client = try Client()
    _ = try client.post("/views/main/rendered", Self.rendered)
    #expect(try tab("tab=cost", of: client).text().contains("No diff has arrived yet."))
    _ = try client.post("/views/main/diffs", #"{"0":"5"}"#)
    #expect(try tab("tab=cost", of: client).text().contains("No diff sent a value that the page had already"))
  }
}
