import Foundation
import Testing

extension BrowserSuite {
  /// The inspector's pages in a real browser.
  @Suite struct OwnPagesTests {
    private func mounted(token: String? = nil) throws -> Mirror {
      let mirror = try Mirror(token: token)
      try mirror.post(
        "/views/v/rendered",
        #"{"0":"first","s":["<main><p id=\"count\" style=\"color:red\">","</p><img src=\"data:,\"></main>"]}"#)
      try mirror.post("/views/v/diffs", #"{"0":"second"}"#)
      try mirror.post("/views/n/rendered?dialect=native", #"{"0":"native","s":["<VStack><Text>","</Text></VStack>"]}"#)
      return mirror
    }

    private static let pages = [
      "/", "/views", "/views/v", "/views/v?version=0", "/views/v?node=3", "/views/v/page", "/views/n", "/views/n/page",
      "/views/v/page?frame", "/views/n/page?frame",
      "/views/unknown",
    ]

    /// Also with a token: the sandboxed document in the frame has no origin, so its requests
    /// contain no cookie.
    @Test(arguments: [nil, "0123456789abcdefghij"]) func `no page breaks its own policy`(token: String?) throws {
      let mirror = try mounted(token: token)
      let browser = try Chromium()
      let tab = try Tab(browser)
      if let token { try tab.open("\(mirror.address)/?token=\(token)") }
      for page in Self.pages {
        tab.forget()
        try tab.open(mirror.address + page)
        try tab.wait(for: 0.3)
        // A 404 of the page itself is not an error of the page.
        let complaints = tab.complaints.filter { !$0.contains("404") }
        #expect(complaints.isEmpty, "\(page)")
      }
    }

    /// HTML forbids an opener policy on a sandboxed page, and the style sheet has another origin
    /// than such a page.
    @Test func `documents without an origin are shown with their style`() throws {
      let mirror = try mounted()
      let browser = try Chromium()
      let tab = try Tab(browser)
      for page in ["/views/v/page?frame", "/views/n/page?frame", "/views/v/html"] {
        try tab.open(mirror.address + page)
        #expect(try tab.evaluate("performance.getEntriesByType('navigation')[0].responseStatus").int == 200, "\(page)")
        #expect(try tab.evaluate("document.body.innerText.length > 0").bool == true, "\(page)")
      }
      try tab.open(mirror.address + "/views/n/page?frame")
      #expect(try tab.evaluate("[...document.styleSheets].length").int == 1)
      #expect(
        try tab.evaluate("performance.getEntriesByName('\(mirror.address)/assets/frame/native.css').length").int == 1)
    }

    @Test func `a page has the same content without scripts`() throws {
      let mirror = try mounted()
      let browser = try Chromium()
      let tab = try Tab(browser)
      try tab.open(mirror.address + "/views/v")
      let with = try tab.evaluate("document.querySelector('main, body').innerText.includes('second')").bool
      _ = try tab.call("Emulation.setScriptExecutionDisabled", ["value": true])
      try mirror.post("/views/v/diffs", #"{"0":"third"}"#)
      try tab.open(mirror.address + "/views/v")
      let without = try tab.evaluate("document.querySelector('main, body').innerText.includes('third')").bool
      #expect(with == true)
      #expect(without == true)
    }

    @Test func `a new diff appears without a reload`() throws {
      let mirror = try mounted()
      let browser = try Chromium()
      let tab = try Tab(browser)
      try tab.open(mirror.address + "/views/v")
      #expect(try !tab.wait(until: "document.body.innerText.includes('by itself')", seconds: 0.2))
      // If its stream is not open yet, it catches up later.
      try mirror.post("/views/v/diffs", #"{"0":"by itself"}"#)
      #expect(try tab.wait(until: "document.body.innerText.includes('by itself')"))
      try mirror.post("/views/v/diffs", #"{"0":"once more"}"#)
      #expect(try tab.wait(until: "document.body.innerText.includes('once more')"))
    }

    /// The number of requests that got a 404. Only the view's own markup sends such requests.
    private func strayRequests(_ mirror: Mirror) throws -> Int {
      let lines = try mirror.get("/metrics").body.split(separator: "\n")
      return lines.filter { $0.hasPrefix("liveview_mirror_http_requests_total{") && $0.contains(#"route="none""#) }
        .reduce(0) { $0 + ($1.split(separator: " ").last.flatMap { Int($0) } ?? 0) }
    }

    @Test func `the page of a view cannot access the mirror`() throws {
      let mirror = try Mirror()
      let here = mirror.address
      let statics =
        """
        <a id=link href="\(here)/views/v/html">x</a><a id=top target=_top href="\(here)/views/v/html">x</a>\
        <form id=form method=post action="\(here)/views/v/diffs" enctype="text/plain"><input name='{"1":"' value='"}'><button>x</button></form>\
        <img src="\(here)/views/v/image"><link rel=stylesheet href="\(here)/views/v/style"><iframe src="\(here)/views/v/frame"></iframe>\
        <object data="\(here)/views/v/object"></object><script src="\(here)/views/v/script"></script>\
        <meta http-equiv=refresh content="0;url=\(here)/views/v/refresh"><p style="background:url(\(here)/views/v/background)">
        """
      let body = try JSONSerialization.data(withJSONObject: ["s": [statics, "</p>"], "0": "text"])
      #expect(try mirror.post("/views/v/rendered", String(decoding: body, as: UTF8.self)).status == 201)
      let browser = try Chromium()
      let tab = try Tab(browser)
      try tab.open(here + "/views/v/page")
      try tab.clickEverything(inFrames: true)
      try tab.wait(for: 0.5)
      #expect(try strayRequests(mirror) == 0)
      #expect(try mirror.version(of: "v") == 0)
      #expect(tab.sprung.isEmpty)

      // In a page without a sandbox, the same script reaches the mirror.
      let other = try TrapServer()
      try tab.open(other.serve("<!DOCTYPE html>" + statics, at: "/unsafe"))
      #expect(try tab.wait(for: 60) { (try? strayRequests(mirror)) ?? 0 > 0 })
    }
  }
}
