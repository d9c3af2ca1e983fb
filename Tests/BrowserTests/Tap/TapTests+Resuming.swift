import RecordingFixtures
import ScriptedPhoenix
import Testing

extension BrowserSuite.TapTests {
  @Test func `a restarted mirror gets what the client holds, and the app does not join again`() throws {
    let port = try freePort()
    let app = try ResumedPage(tap: "http://127.0.0.1:\(port)/assets/tap.js")
    let arguments = ["--port", "\(port)", "--allow-origin", app.server.address]
    var mirror = try Mirror(arguments)
    let browser = try Chromium()
    let tab = try Tab(browser)
    try tab.open(app.server.address)
    let view = "lv:phx-r~\(try page(in: tab))"
    func expectSame(_ comment: String) throws {
      var (page, mirrored) = ("", "")
      #expect(
        try tab.wait(for: 60) {
          page = (try? tab.evaluate("shown()").string) ?? ""
          mirrored = (try? mirror.get("/views/\(view)/html").body) ?? ""
          return !page.isEmpty && mirrored == page
        }, "\(comment): \(mirrored) instead of \(page)")
    }
    func isResumed() throws -> Bool { try mirror.get("/views/\(view)").body.contains(#""resumed":true"#) }
    try expectSame("after the join")
    #expect(try tab.wait(until: "view.tree"))
    _ = try tab.evaluate("more()")
    try expectSame("after a diff")
    #expect(try !isResumed())
    for round in 1...2 {
      // Frames that arrive while there is no mirror.
      mirror.stop()
      _ = try tab.evaluate("more()")
      mirror = try Mirror(arguments)
      try expectSame("after restart \(round)")
      #expect(try isResumed())
      _ = try tab.evaluate("more(); more()")
      #expect(try tab.wait(until: "list.children.length === \(2 + 3 * round)"))
      try expectSame("after diffs that follow restart \(round)")
    }
    #expect(app.joins == 1)
    #expect(try mirror.get("/", accept: "text/html").body.contains(">resumed</span>"))
    // Without the members of the client that the tap reads, the views are joined again.
    mirror.stop()
    _ = try tab.evaluate("delete view.rendered")
    mirror = try Mirror(arguments)
    #expect(try tab.wait(for: 60) { app.joins == 2 })
    try expectSame("after the second join")
    #expect(try !isResumed())
  }
}
