import Foundation
import Testing

extension BrowserSuite {
  /// What the pages do when a request fails or the stream is lost; `Public/frame/requests.js` has
  /// the rules.
  @Suite struct FailureTests {
    private static func shows(_ words: String) -> String {
      "document.querySelector('.stream .state').textContent === \(Tab.quoted(words))"
    }

    /// An expression: answers requests whose address contains a text with 503, and notes their
    /// times in `tries`. `repair()` ends this.
    private static func refusing(_ part: String) -> String {
      """
      (() => {
        const { fetch } = window;
        window.tries = [];
        window.fetch = (address, ...others) => {
          if (!String(address).includes('\(part)')) return fetch(address, ...others);
          window.tries.push(performance.now());
          return Promise.resolve(new Response("{}", { status: 503 }));
        };
        window.repair = () => (window.fetch = fetch);
      })()
      """
    }

    /// A mirror that keeps its views when it is started again at the same address.
    private final class Restarting {
      private let folder = FileManager.default.temporaryDirectory.appending(path: "journal-\(UUID().uuidString)")
      private let port: UInt16
      private(set) var mirror: Mirror

      init() throws {
        port = try freePort()
        mirror = try Self.start(port, folder)
      }

      deinit { try? FileManager.default.removeItem(at: folder) }

      func restart() throws { mirror = try Self.start(port, folder) }

      private static func start(_ port: UInt16, _ folder: URL) throws -> Mirror {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return try Mirror(["--port", "\(port)", "--journal", folder.appending(path: "journal").path])
      }
    }

    @Test func `a failed refresh is named, and repeated after growing pauses until the page is live again`() throws {
      let page = try InspectorPage()
      try page.expect(Self.shows("Live"))
      _ = try page.value(Self.refusing("/inspector"))
      try page.post(#"{"0":"one"}"#)
      try page.expect(Self.shows("the mirror responds with 503"))
      try page.expect("window.tries.length >= 4")
      let tries = try page.value("window.tries").array.compactMap(\.double)
      let pauses = zip(tries.dropFirst(), tries).map { $0 - $1 }
      for (pause, least) in zip(pauses, [950.0, 1_950, 3_950]) { #expect(pause > least, "\(pauses)") }
      #expect(try page.text("header .version") == "version 22")
      #expect(try page.count("#diffs > li") == 23)
      #expect(try page.text(".stream [role=status]") == "the mirror responds with 503")
      _ = try page.value("window.repair()")
      try page.expectVersion(23)
      try page.expect(Self.shows("Live"))
      try page.expect("document.querySelector('.stream [role=status]').textContent === 'live again'")
      page.expectNoComplaint()
    }

    @Test(arguments: ["/views/main", "/views/main?version=0", "/views/main/page", "/"])
    func `a page keeps its content while the mirror is down, and is live again afterwards`(path: String) throws {
      let server = try Restarting()
      try server.mirror.post("/views/main/rendered", #"{"s":["<h1>","</h1>"],"0":"first"}"#)
      try server.mirror.post("/views/main/diffs", #"{"0":"second"}"#)
      let browser = try Chromium()
      let tab = try Tab(browser)
      try tab.open(server.mirror.address + path)
      let state = "document.querySelector('.stream .state').textContent"
      #expect(try tab.wait(until: "\(state).startsWith('Live')"))
      let content = "document.querySelector('main').innerHTML.length > 100"
      #expect(try tab.evaluate(content).bool == true)
      server.mirror.stop()
      #expect(try tab.wait(until: "['the mirror is stopping', 'the mirror cannot be reached'].includes(\(state))"))
      #expect(try tab.wait(until: Self.shows("the mirror cannot be reached")))
      if path == "/views/main" {
        // A link whose page cannot be loaded leaves this one.
        _ = try tab.evaluate("document.querySelector('#diffs a').click()")
        try tab.wait(for: 0.5)
        #expect(try tab.evaluate("location.pathname").string == "/views/main")
      }
      #expect(try tab.evaluate(content).bool == true)
      try server.restart()
      #expect(try tab.wait(until: "\(state).startsWith('Live')"))
      #expect(try tab.wait(until: "document.querySelector('.stream [role=status]').textContent === 'live again'"))
    }

    @Test func `a failure of the rendered page alone is named, and the page catches up`() throws {
      let mirror = try Mirror()
      try mirror.post("/views/main/rendered", #"{"s":["<h1>","</h1>"],"0":"first"}"#)
      let browser = try Chromium()
      let tab = try Tab(browser)
      try tab.open(mirror.address + "/views/main?show=both")
      let heading = "document.querySelector('#mirror iframe').contentDocument.querySelector('h1').textContent"
      #expect(try tab.wait(until: "document.querySelector('.pick') && \(heading) === 'first' && \(Self.shows("Live"))"))
      _ = try tab.evaluate(Self.refusing("/page/patch"))
      try mirror.post("/views/main/diffs", #"{"0":"second"}"#)
      #expect(try tab.wait(until: Self.shows("the mirror responds with 503")))
      _ = try tab.evaluate("window.repair()")
      #expect(try tab.wait(until: "\(heading) === 'second'"))
      #expect(try tab.wait(until: Self.shows("Live")))
    }
  }
}
