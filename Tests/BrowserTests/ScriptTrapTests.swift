import Foundation
import RecordingFixtures
import Testing

extension BrowserSuite {
  /// A LiveView may be hostile. Every payload is written to every position that a LiveView
  /// controls, and every page that shows it is opened. No script may run, and no request may be
  /// sent.
  @Suite struct ScriptTrapTests {
    let trap: TrapServer
    let corpus: Corpus

    init() throws {
      trap = try TrapServer()
      corpus = try Corpus(trap: trap.address)
    }

    /// Runs sandboxed frames in the process of their page: a process for each sandboxed frame takes
    /// seconds on a page with a hundred frames. The permissions of a frame are the same.
    private static let arguments = ["--disable-features=IsolateSandboxedIframes"]

    @Test func `the corpus is large`() {
      #expect(corpus.payloads.count >= 250)
      #expect(Set(corpus.payloads.map(\.text)).count == corpus.payloads.count)
    }

    @Test func `a page without escaping triggers the trap with every visible payload`() throws {
      let browser = try Chromium(Self.arguments)
      let tab = try Tab(browser)
      var silent: [Corpus.Payload] = []
      for payload in corpus.payloads where payload.isLoud {
        // The previous page may still do something, such as a navigation.
        try tab.open("about:blank")
        tab.forget()
        trap.forget()
        let url = trap.serve(
          "<!DOCTYPE html><html><body><p>\(payload.text)</p></body></html>", at: "/page/\(payload.number)")
        try tab.open(url)
        if try !tab.wait(for: 60, until: { !tab.sprung.isEmpty || !trap.asked.isEmpty }) { silent.append(payload) }
      }
      #expect(silent.isEmpty, "these payloads do nothing, so they prove nothing")
    }

    /// One payload per page, because an unclosed construct of one payload can hide the next. So the
    /// document in the frame of `…/page` is opened separately. The page around the frame is among
    /// the inspector's pages, which contain many payloads each.
    @Test func `no document runs the payload that it contains, or sends a request`() throws {
      let mirror = try Mirror()
      let browser = try Chromium(Self.arguments)
      let tab = try Tab(browser)
      for payload in corpus.payloads {
        let status = try mirror.post("/views/v/rendered", HostileView.rendered([payload], raw: true)).status
        #expect(status / 100 == 2)
        for page in ["/views/v/page?frame", "/views/v/html"] { try visit(mirror.address + page, tab, payload) }
      }
      expectSilence(tab, "the last pages")
    }

    @Test func `no page of the inspector runs a payload at any position`() throws {
      let mirror = try Mirror()
      let browser = try Chromium(Self.arguments)
      let tab = try Tab(browser)
      for (number, payloads) in groups(of: 25).enumerated() {
        let view = "g\(payloads[0].number)"
        // In a short run, raw and escaped markup alternate between the groups.
        for raw in TestEffort.isLong ? [true, false] : [number.isMultiple(of: 2)] {
          let status = try mirror.post("/views/\(view)/rendered", HostileView.rendered(payloads, raw: raw)).status
          #expect(status / 100 == 2)
          for payload in payloads {
            _ = try mirror.post("/views/\(view)/diffs", HostileView.diff(payload))
            for body in try HostileView.rejected(payload) { _ = try mirror.post("/views/\(view)/diffs", body) }
            let label = try JSONSerialization.data(withJSONObject: ["node": 2, "label": payload.text])
            _ = try mirror.post("/views/\(view)/subscriptions", String(decoding: label, as: UTF8.self))
          }
          for page in Self.pages { try visit(mirror.address + page.replacing("VIEW", with: view), tab, payloads[0]) }
        }
      }
      expectSilence(tab, "the last pages")
    }

    private static let pages = [
      "/", "/views", "/views/VIEW", "/views/VIEW?version=0", "/views/VIEW?version=3&node=3", "/views/VIEW?node=5",
      "/views/VIEW?node=12&under=2", "/views/VIEW?after=0", "/views/VIEW/page", "/views/VIEW/rendered",
      "/views/VIEW/tree", "/views/VIEW/log", "/views/VIEW/log/0", "/views/VIEW/nodes/3", "/views/VIEW/subscribers",
      "/views/VIEW/subscriptions", "/metrics",
    ]

    @Test func `no component, stream or native element runs a payload`() throws {
      let mirror = try Mirror()
      let browser = try Chromium(Self.arguments)
      let tab = try Tab(browser)
      for (number, payload) in corpus.payloads.enumerated() {
        // Alternates between the two; both are shown as the view's page.
        let isNative = number % 2 == 0
        let answer = try mirror.post(
          "/views/v/rendered?dialect=\(isNative ? "native" : "html")",
          isNative ? HostileView.native(payload) : HostileView.parts(payload))
        #expect([200, 201, 422].contains(answer.status), "\(payload)")
        try visit(mirror.address + "/views/v/page?frame", tab, payload)
        if number % 10 < 2 {
          for page in ["/views/v", "/views/v/page"] { try visit(mirror.address + page, tab, payload) }
        }
      }
      expectSilence(tab, "the last pages")
    }

    @Test func `no problem page runs a payload that it quotes`() throws {
      let mirror = try Mirror()
      let browser = try Chromium(Self.arguments)
      let tab = try Tab(browser)
      try mirror.post("/views/v/rendered", #"{"s":["<p>x</p>"]}"#)
      for payload in corpus.payloads {
        let text = payload.encoded
        let pages = ["/views/\(text)", "/views/v?version=\(text)&node=\(text)", "/\(text)", "/views/v/log/\(text)"]
        try visit(mirror.address + pages[payload.number % pages.count], tab, payload)
      }
      expectSilence(tab, "the last pages")
    }

    /// Consecutive payloads of the corpus are similar, so they are put into different groups. A
    /// page with a hundred frames is slow.
    private func groups(of size: Int) -> [[Corpus.Payload]] {
      let count = (corpus.payloads.count + size - 1) / size
      return (0..<count).map { group in corpus.payloads.filter { $0.number % count == group } }
    }

    /// Opens a page, clicks everything that could run a script, and checks the trap.
    private func visit(_ url: String, _ tab: Tab, _ payload: Corpus.Payload) throws {
      try tab.open(url)
      try tab.clickEverything()
      // Effects of loading and clicks occur within the next event loop turns of the browser. Later
      // effects trigger the trap while the next pages are open, and are found there.
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
