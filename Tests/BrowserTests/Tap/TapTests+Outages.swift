import ScriptedPhoenix
import Testing

extension BrowserSuite.TapTests {
  /// With the client of LiveView, the tap listens for the mirror's events, and notices an outage
  /// without a frame.
  @Test(arguments: [false, true])
  func `each outage is reported once, and that the mirror is back`(hasClient: Bool) throws {
    let client = """
      const phoenix = { encode() {}, decode() {}, get conn() { return socket }, channels: [] }
      window.liveSocket = { getSocket: () => phoenix, disconnect: then => then?.(), connect() {} }
      """
    let it = try TappedBurst(script: hasClient ? client : "")
    func reports(_ words: String) -> Int { it.tab.messages.count { $0.contains(words) } }
    if hasClient {
      #expect(try it.tab.wait(for: 60) { (try? it.report()["carrier_connected"].bool) == true })
    }
    var mirror = it.mirror
    for round in 1...2 {
      mirror.stop()
      if !hasClient { _ = try it.tab.evaluate("receive(1, 10)") }
      #expect(try it.tab.wait(for: 60) { reports("cannot be reached") == round }, "outage \(round)")
      // Further attempts fail silently.
      try it.tab.wait(for: 2)
      #expect(reports("cannot be reached") == round)
      mirror = try Mirror(["--port", "\(it.mirror.port)", "--allow-origin", it.app.server.address])
      #expect(try it.tab.wait(for: 60) { reports("is back") == round }, "end of outage \(round)")
    }
    mirror.stop()
  }
}
