import Foundation
import Testing

extension BrowserSuite {
  /// Whatever a LiveView sends is hostile. Every payload is put wherever a LiveView can put text, every page that shows it is
  /// opened, and nothing may run and nothing may be asked for.
  @Suite struct ScriptTrapTests {
    let trap: TrapServer
    let corpus: Corpus

    init() throws {
      trap = try TrapServer()
      corpus = try Corpus(trap: trap.address)
    }

    @Test func theCorpusIsLarge() {
      #expect(corpus.payloads.count >= 250)
      #expect(Set(corpus.payloads.map(\.text)).count == corpus.payloads.count)
    }

    @Test func `a page that escapes nothing springs the trap with every loud payload`() throws {
      let browser = try Chromium()
      let tab = try Tab(browser)
      var silent: [Corpus.Payload] = []
      for payload in corpus.payloads where payload.isLoud {
        // The page before may still do something, such as going elsewhere.
        try tab.open("about:blank")
        tab.forget()
        trap.forget()
        let url = trap.serve(
          "<!DOCTYPE html><html><body><p>\(payload.text)</p></body></html>", at: "/page/\(payload.number)")
        try tab.open(url)
        if try !tab.wait(for: 5, until: { !tab.sprung.isEmpty || !trap.asked.isEmpty }) { silent.append(payload) }
      }
      #expect(silent.isEmpty, "these payloads do nothing, so they prove nothing")
    }

    @Test func `no page of one payload runs it, or asks for anything`() throws {
      let mirror = try Mirror()
      let browser = try Chromium()
      let tab = try Tab(browser)
      for payload in corpus.payloads {
        let view = "x\(payload.number)"
        #expect(try mirror.post("/views/\(view)/rendered", HostileView.rendered([payload], raw: true)).status == 201)
        _ = try mirror.post("/views/\(view)/diffs", HostileView.diff(payload))
        #expect(
          try mirror.post("/views/n/rendered?dialect=native", HostileView.native(payload)).status / 100 != 5)
        let pages = [
          "/views/\(view)", "/views/\(view)/page", "/views/\(view)/html", "/views/\(view)/rendered", "/views/n/page",
        ]
        for page in pages { try visit(mirror.address + page, tab, payload) }
        _ = try mirror.get("/views/\(view)/page")
      }
      expectSilence(tab, "the last pages")
    }

    @Test func `no page of the inspector runs a payload, wherever it stands`() throws {
      let mirror = try Mirror()
      let browser = try Chromium()
      let tab = try Tab(browser)
      let size = 20
      for start in stride(from: 0, to: corpus.payloads.count, by: size) {
        let payloads = Array(corpus.payloads[start..<min(start + size, corpus.payloads.count)])
        let view = "g\(start)"
        #expect(try mirror.post("/views/\(view)/rendered", HostileView.rendered(payloads, raw: false)).status == 201)
        for payload in payloads {
          _ = try mirror.post("/views/\(view)/diffs", HostileView.diff(payload))
          for body in try HostileView.rejected(payload) { _ = try mirror.post("/views/\(view)/diffs", body) }
          _ = try mirror.post(
            "/views/\(view)/subscriptions",
            String(decoding: JSONSerialization.data(withJSONObject: ["node": 2, "label": payload.text]), as: UTF8.self))
        }
        let pages = [
          "/", "/views", "/views/\(view)", "/views/\(view)?version=0", "/views/\(view)?version=3&node=3",
          "/views/\(view)?node=2", "/views/\(view)?node=5", "/views/\(view)?node=12", "/views/\(view)?under=2",
          "/views/\(view)?after=0", "/views/\(view)/page", "/views/\(view)/html", "/views/\(view)/rendered",
          "/views/\(view)/tree", "/views/\(view)/log", "/views/\(view)/log/0", "/views/\(view)/log/1",
          "/views/\(view)/nodes/3", "/views/\(view)/subscribers", "/views/\(view)/subscriptions", "/metrics",
        ]
        for page in pages { try visit(mirror.address + page, tab, payloads[0]) }
      }
      expectSilence(tab, "the last pages")
    }

    @Test func `no problem that quotes a request runs what it quotes`() throws {
      let mirror = try Mirror()
      let browser = try Chromium()
      let tab = try Tab(browser)
      try mirror.post("/views/v/rendered", #"{"s":["<p>x</p>"]}"#)
      for payload in corpus.payloads {
        for page in [
          "/views/\(payload.encoded)", "/views/v?version=\(payload.encoded)&node=\(payload.encoded)",
          "/\(payload.encoded)",
        ] {
          try visit(mirror.address + page, tab, payload)
        }
        _ = try mirror.post("/views/parts/rendered", HostileView.parts(payload))
        for page in ["/views/parts", "/views/parts/page"] { try visit(mirror.address + page, tab, payload) }
      }
      expectSilence(tab, "the last pages")
    }

    /// Opens a page, clicks on what could run something, and looks whether the trap is as it was.
    private func visit(_ url: String, _ tab: Tab, _ payload: Corpus.Payload) throws {
      try tab.open(url)
      try tab.clickEverything()
      // What is set off by loading or by a click happens before the browser's next turns are over; whatever is later than
      // that springs the trap while the next pages are open, and is found there.
      try tab.wait(for: 0.01)
      expectSilence(tab, "\(url) with \(payload)")
    }

    private func expectSilence(_ tab: Tab, _ place: String) {
      #expect(tab.sprung.isEmpty, "something ran: \(place)")
      #expect(trap.asked.isEmpty, "something was asked for: \(place)")
      tab.forget()
      trap.forget()
    }
  }
}
