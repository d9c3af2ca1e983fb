import Foundation
import RecordingFixtures
import ScriptedPhoenix
import Testing

extension BrowserSuite {
  /// `Public/tap/tap.js` in the page of an app.
  @Suite struct TapTests {
    /// One recording for each version of LiveView, with nested views, navigation, streams and
    /// components among them.
    static let recordings = Recording.committed.filter { recording in
      [
        "1.0.18/05_components", "1.1.33/07_streams", "1.2.10/09_events", "1.2.10/12_nested_lv", "1.2.10/16_dashboard",
      ].contains(recording.name)
    }

    private func tap(_ mirror: Mirror) -> String { "\(mirror.address)/assets/tap.js" }

    /// Starts an app and a mirror that allows its origin.
    func start(
      _ recording: Recording, _ socket: TappedPage.Socket, hasStaleFrames: Bool = false
    ) throws -> (app: TappedPage, mirror: Mirror) {
      // The app's address must be known before the mirror starts, and the mirror's before the page
      // is written.
      let port = try freePort()
      let app = try TappedPage(
        recording, tap: "http://127.0.0.1:\(port)/assets/tap.js", socket: socket, hasStaleFrames: hasStaleFrames)
      return (app, try Mirror(["--port", "\(port)", "--allow-origin", app.server.address]))
    }

    /// An app that plays a recording in a tab, with all its frames in a mirror.
    struct Played {
      let recording: Recording
      let app: TappedPage
      let mirror: Mirror
      let browser: Chromium
      let tab: Tab
      let page: String
    }

    func play(_ name: String) throws -> Played {
      let recording = try #require(Self.recordings.first { $0.name == name })
      let (app, mirror) = try start(recording, .phoenix)
      let browser = try Chromium()
      let tab = try Tab(browser)
      try tab.open(app.server.address)
      let page = try page(in: tab)
      try settle(tab, page, recording, mirror)
      return Played(recording: recording, app: app, mirror: mirror, browser: browser, tab: tab, page: page)
    }

    func page(in tab: Tab) throws -> String { try tab.evaluate("liveViewMirrorTap.page").string ?? "" }

    /// Waits until the mirror has applied every frame of the page.
    func settle(_ tab: Tab, _ page: String, _ recording: Recording, _ mirror: Mirror) throws {
      #expect(try tab.wait(until: "window.isDone"))
      var last: [String: Int] = [:]
      for step in recording.steps where step.isUpdate { last[step.topic, default: -1] += 1 }
      #expect(
        try tab.wait(for: 60) {
          last.keys.allSatisfy { topic in
            (try? mirror.get("/views/\(topic)~\(page)").status) == 200
          }
        })
      let isComplete = try tab.wait(for: 10) {
        last.allSatisfy { topic, version in (try? mirror.version(of: "\(topic)~\(page)")) ?? -1 >= version }
      }
      if isComplete { return }
      _ = try tab.settled(for: 0.3) {
        try last.keys.reduce(0) { try $0 + (mirror.version(of: "\($1)~\(page)") ?? 0) }
      }
    }

    @Test(arguments: recordings, TappedPage.Socket.allCases)
    func `the mirror ends with each recording's state and causes`(recording: Recording, socket: TappedPage.Socket)
      throws
    {
      let (app, mirror) = try start(recording, socket, hasStaleFrames: true)
      let browser = try Chromium()
      let tab = try Tab(browser)
      try tab.open(app.server.address)
      let page = try page(in: tab)
      try settle(tab, page, recording, mirror)
      try mirror.expectViews(of: page, equalTo: recording)
      #expect(tab.complaints == [])
      #expect(
        tab.messages.filter { $0.hasPrefix("[liveview-mirror]") } == [
          "[liveview-mirror] this page is mirrored at \(mirror.address)/ (page \(page))"
        ])
    }

    @Test func `two tabs with the same topics are separate pages`() throws {
      let recording = try #require(Self.recordings.first { $0.name == "1.2.10/12_nested_lv" })
      let (app, mirror) = try start(recording, .phoenix)
      let browser = try Chromium()
      var pages: [(tab: Tab, page: String)] = []
      for _ in 1...2 {
        let tab = try Tab(browser)
        try tab.open(app.server.address)
        pages.append((tab, try page(in: tab)))
      }
      #expect(pages[0].page != pages[1].page)
      for (tab, page) in pages {
        try settle(tab, page, recording, mirror)
        try mirror.expectViews(of: page, equalTo: recording)
      }
      // The end of a page reaches the mirror.
      _ = try pages[0].tab.call("Page.navigate", ["url": "about:blank"])
      #expect(
        try pages[0].tab.wait(for: 60) {
          (try? mirror.get("/pages/\(pages[0].page)").body.contains("\"closed_at\":\"")) == true
        })
      #expect(try mirror.get("/pages/\(pages[1].page)").body.contains("\"closed_at\":null"))
    }

    @Test func `the app does not notice that the mirror is down, and the tap catches up`() throws {
      let recording = try #require(Self.recordings.first { $0.name == "1.1.33/07_streams" })
      let port = try freePort()
      let app = try TappedPage(recording, tap: "http://127.0.0.1:\(port)/assets/tap.js", socket: .phoenix)
      let arguments = ["--port", "\(port)", "--allow-origin", app.server.address]
      var mirror: Mirror? = try Mirror(arguments)
      let browser = try Chromium()
      let tab = try Tab(browser)
      _ = try tab.call("Page.addScriptToEvaluateOnNewDocument", ["source": "window.pauseAt = 8"])
      try tab.open(app.server.address)
      let page = try page(in: tab)
      #expect(try tab.wait(for: 60) { (try? mirror?.get("/pages/\(page)").body.contains("joined")) == true })
      mirror = nil
      _ = try tab.evaluate("window.pauseAt = -1")
      #expect(try tab.wait(until: "window.isDone"))
      // The restarted mirror does not know the page, so the tap joins the views again, also if it
      // has just joined them.
      for restart in 1...2 {
        let restarted = try Mirror(arguments)
        #expect(try tab.wait(for: 60) { app.server.opened.count > restart })
        try settle(tab, page, recording, restarted)
        try restarted.expectViews(of: page, equalTo: recording)
      }
      #expect(tab.messages.contains { $0.contains("cannot be reached. Frames are kept and sent later.") })
    }

    @Test func `an origin that is not allowed is told what to do`() throws {
      let recording = try #require(Self.recordings.first { $0.name == "1.1.33/07_streams" })
      let mirror = try Mirror()
      let app = try TappedPage(recording, tap: tap(mirror), socket: .bare)
      let browser = try Chromium()
      let tab = try Tab(browser)
      try tab.open(app.server.address)
      #expect(try tab.wait(until: "window.isDone"))
      #expect(try tab.wait(for: 60) { tab.messages.contains { $0.contains("--allow-origin \(app.server.address);") } })
      #expect(tab.messages.filter { $0.hasPrefix("[liveview-mirror]") }.count == 1)
      #expect(try mirror.get("/pages").body == "{\"pages\":[]}\n")
      #expect(try mirror.get("/", accept: "text/html").body.contains("--allow-origin \(app.server.address)</code>"))
    }

    @Test func `an event that is pushed to the mirror reaches the page's LiveView`() throws {
      let it = try play("1.1.33/07_streams")
      let (recording, mirror, tab, page) = (it.recording, it.mirror, it.tab, it.page)
      defer { withExtendedLifetime(it) {} }
      #expect(
        try tab.wait(for: 60) {
          (try? mirror.get("/pages/\(page)").body.contains("\"carrier_connected\":true")) == true
        })
      _ = try tab.evaluate(
        "player.channels[0].push = (event, payload) => window.pushed = JSON.stringify([event, payload])")
      let view = "lv:\(recording.rootID)~\(page)"
      #expect(try mirror.post("/views/\(view)/push?wait=0.1", #"{"event":"inc","value":{"by":1}}"#).status == 504)
      #expect(try tab.wait(until: "window.pushed"))
      #expect(try tab.evaluate("window.pushed").string == #"["event",{"type":"click","event":"inc","value":{"by":1}}]"#)
    }

    @Test func `a link that is pushed to the mirror is followed by the page's client`() throws {
      let it = try play("1.1.33/07_streams")
      let (mirror, tab, page) = (it.mirror, it.tab, it.page)
      defer { withExtendedLifetime(it) {} }
      #expect(
        try tab.wait(for: 60) {
          (try? mirror.get("/pages/\(page)").body.contains("\"carrier_connected\":true")) == true
        })
      _ = try tab.evaluate("liveSocket.execJS = (element, commands) => window.executed = commands")
      let links = ["patch", "redirect"].map { kind in
        #"<a id="\#(kind)" href="\#(it.app.server.address)/\#(kind)" data-phx-link="\#(kind)" data-phx-link-state="push">to</a>"#
      }
      let join: [Any] = [
        "90", "90", "lv:links", "phx_reply", ["status": "ok", "response": ["rendered": ["s": [links.joined()]]]],
      ]
      #expect(try mirror.post("/frames?page=\(page)", ChannelFrame.text(join)).status == 200)
      let path = "/views/lv:links~\(page)/push?wait=0.1"
      // Nothing answers the patch.
      #expect(try mirror.post(path, ##"{"selector":"#patch"}"##).status == 504)
      #expect(try tab.wait(until: "window.executed"))
      let patch = try tab.evaluate("executed").string
      #expect(patch == #"[["patch",{"href":"\#(it.app.server.address)/patch"}]]"#)
      _ = try tab.evaluate("delete window.executed")
      #expect(try mirror.post(path, ##"{"selector":"#redirect"}"##).status == 200)
      #expect(try tab.wait(until: "window.executed"))
      let navigate = try tab.evaluate("executed").string
      #expect(navigate == #"[["navigate",{"href":"\#(it.app.server.address)/redirect","replace":false}]]"#)
    }

    /// The cost is printed. The bound detects a change of its order only.
    @Test func `a frame costs the page little`() throws {
      let recording = try #require(Self.recordings.first { $0.name == "1.1.33/07_streams" })
      let (app, mirror) = try start(recording, .bare)
      let browser = try Chromium()
      let tab = try Tab(browser)
      try tab.open(app.server.address)
      try settle(tab, try page(in: tab), recording, mirror)
      let cost = try #require(
        try tab.evaluate(
          """
          (() => {
            const frame = JSON.stringify(["4", null, "lv:phx-cost", "diff", { 0: "x".repeat(2000) }])
            const time = socket => {
              const start = performance.now()
              for (let i = 0; i < 1000; i++) socket.dispatchEvent(new MessageEvent("message", { data: frame }))
              return performance.now() - start
            }
            const address = location.origin.replace("http", "ws") + "/live/websocket"
            const [tapped, bare] = [new WebSocket(address), new (Object.getPrototypeOf(WebSocket))(address)]
            time(bare); time(tapped)
            return time(tapped) - time(bare)
          })()
          """
        ).double)
      print("the tap takes \(cost) µs of the main thread for each frame")
      #expect(cost < 200)
    }

    @Test func `the tap has less than four kilobytes when the mirror compresses it`() throws {
      let head = try Mirror().get("/assets/tap.js", encoding: "gzip").head
      #expect(head.lowercased().contains("content-encoding: gzip"))
      let length = try #require(head.firstMatch(of: /(?i)Content-Length: (\d+)/).flatMap { Int($0.1) })
      print("the tap has \(length) bytes as served with gzip")
      #expect((1_000..<4_096).contains(length))
    }

    @Test func `pages of other origins may load the tap`() throws {
      let head = try Mirror().get("/assets/tap.js").head
      #expect(head.lowercased().contains("cross-origin-resource-policy: cross-origin"))
    }
  }
}

/// A port that is free now, below those that systems give to outgoing connections: one of these
/// could take it before the mirror starts, or while it is stopped.
func freePort() throws -> UInt16 {
  for _ in 0..<100 {
    let port = UInt16.random(in: 20_000..<32_000)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    if withLoopbackAddress(of: port, { bind(descriptor, $0, $1) }) == 0 { return port }
  }
  throw NoFreePort()
}

private struct NoFreePort: Error {}
