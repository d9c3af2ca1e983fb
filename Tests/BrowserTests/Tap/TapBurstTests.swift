import Foundation
import RecordingFixtures
import ScriptedPhoenix
import Testing

extension BrowserSuite {
  /// Many frames through the tap.
  @Suite struct TapBurstTests {
    private static let burst = 1_000
    /// 100,000 frames with `MIRROR_LONG_TESTS=1`.
    private static let bursts = TestEffort.count(6, long: 100)

    /// The used bytes of the page's heap after a garbage collection.
    private func heap(of tab: Tab) throws -> Int {
      _ = try tab.call("HeapProfiler.collectGarbage")
      return try #require(try tab.call("Runtime.getHeapUsage")["usedSize"].int)
    }

    /// The texts that the versions after one have set, in order.
    private func texts(_ view: String, after version: Int, in mirror: Mirror) throws -> [String] {
      let log = try mirror.get("/views/\(view)/log?after=\(version)&limit=1000").body
      let json = try JSONSerialization.jsonObject(with: Data(log.utf8)) as? [String: Any]
      return (json?["entries"] as? [[String: Any]] ?? []).flatMap { entry in
        (entry["changes"] as? [[String: Any]] ?? []).map { "\(entry["version"] ?? "") \($0["after"] ?? "")" }
      }
    }

    @Test func `many frames arrive in order, each once, and the page's memory stays flat`() throws {
      let port = try freePort()
      let app = try BurstPage(tap: "http://127.0.0.1:\(port)/assets/tap.js", burst: Self.burst)
      let mirror = try Mirror(["--port", "\(port)", "--allow-origin", app.server.address])
      let browser = try Chromium()
      let tab = try Tab(browser)
      try tab.open(app.server.address)
      let view = "lv:burst~\(try tab.evaluate("liveViewMirrorTap.page").string ?? "")"
      #expect(try tab.wait(for: 60) { (try? mirror.version(of: view)) == 0 })
      var heaps: [Int] = []
      for burst in 0..<Self.bursts {
        let (first, last) = (burst * Self.burst, (burst + 1) * Self.burst)
        _ = try tab.evaluate("more()")
        #expect(try tab.wait(for: 60) { (try? mirror.version(of: view)) ?? 0 >= last }, "burst \(burst)")
        let expected = (first + 1...last).map { "\($0) \($0)" }
        let actual = try texts(view, after: first, in: mirror)
        #expect(actual == expected, "burst \(burst): \(zip(actual, expected).first { $0 != $1 }.debugDescription)")
        heaps.append(try heap(of: tab))
        if actual != expected { break }
      }
      #expect(try tab.evaluate("received").int == Self.bursts * Self.burst + 1)
      #expect(try mirror.get("/pages").body.contains(#""lost":{"frames":0,"bytes":0}"#))
      #expect(tab.complaints == [])
      // The first bursts compile the page's code.
      let (early, late) = (heaps.prefix(heaps.count / 2).max() ?? 0, heaps.suffix(heaps.count / 2).max() ?? 0)
      print(
        "the heap of the page has \(early) bytes in the first half of \(Self.bursts * Self.burst) frames, \(late) in the second"
      )
      #expect(late < early + (1 << 20))
    }
  }
}
