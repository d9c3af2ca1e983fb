import RecordingFixtures
import ScriptedPhoenix
import Testing

extension BrowserSuite.TapTests {
  @Test func `the page's WebSocket and its subclasses tell instances apart as without the tap`() throws {
    let it = try TappedBurst()
    let results = try it.tab.evaluate(
      """
      (() => {
        const Native = Object.getPrototypeOf(WebSocket), address = socket.url
        class Mine extends WebSocket {}
        const [native, tapped, mine] = [Native, WebSocket, Mine].map(it => new it(address))
        return [native, tapped, mine, {}].map(it => [it instanceof WebSocket, it instanceof Mine]).join(" ")
      })()
      """)
    #expect(results.string == "true,false true,false true,true false,false")
  }

  @Test func `a page that returns from the back-forward cache listens once, and sends what it has queued`() throws {
    let it = try TappedBurst(
      script: """
        window.pushes = 0
        const call = window.fetch
        window.fetch = (...all) => {
          if (all[0].endsWith("/pushes")) window.pushes++
          return call(...all)
        }
        const phoenix = { encode() {}, decode() {}, get conn() { return socket }, channels: [] }
        window.liveSocket = { getSocket: () => phoenix, disconnect: then => then?.(), connect() {} }
        """)
    func isConnected() -> Bool { (try? it.report()["carrier_connected"].bool) == true }
    #expect(try it.tab.wait(for: 60, until: isConnected))
    for round in 1...2 {
      let before = try #require(try it.tab.evaluate("pushes").int)
      _ = try it.tab.evaluate(
        """
        dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }))
        receive(2, 10)
        new Promise(done => setTimeout(() => {
          dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))
          done()
        }, 200))
        """)
      #expect(try it.reaches(2 * round))
      #expect(try it.tab.wait(for: 60, until: isConnected))
      // Two readers would replace each other every two seconds.
      try it.tab.wait(for: 5)
      #expect(try it.tab.evaluate("pushes").int == before + 1)
      #expect(isConnected())
      #expect(try it.report()["closed_at"].string == nil)
    }
  }

  @Test func `the page tells its client's version, and a socket that closes ends its views`() throws {
    let it = try play("1.2.10/12_nested_lv")
    let (mirror, tab, page) = (it.mirror, it.tab, it.page)
    defer { withExtendedLifetime(it) {} }
    func report() -> String { (try? mirror.get("/pages/\(page)").body) ?? "" }
    #expect(try tab.wait(for: 60) { report().contains(#""client":"1.2.10""#) })
    let joined = report().matches(of: /"status":"joined"/).count
    #expect(joined > 1)
    _ = try tab.evaluate("player.conn.close()")
    #expect(try tab.wait(for: 60) { report().matches(of: /"status":"closed"/).count >= joined })
    #expect(!report().contains(#""status":"joined""#))
    #expect(report().contains(#""closed_at":null"#), "the page itself is open")
  }
}
