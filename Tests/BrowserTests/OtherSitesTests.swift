import Foundation
import Testing

extension BrowserSuite {
  /// Every page that a person visits can try to access the mirror on this machine. These tests
  /// check what a real browser sends and shows.
  @Suite struct OtherSitesTests {
    let trap: TrapServer

    init() throws { trap = try TrapServer() }

    private func mounted(_ arguments: [String] = [], token: String? = nil) throws -> Mirror {
      let mirror = try Mirror(arguments, token: token)
      try mirror.post("/views/v/rendered", #"{"0":"secret","s":["<p>","</p>"]}"#)
      return mirror
    }

    @Test func `a foreign host name that resolves to this machine is refused`() throws {
      let mirror = try mounted()
      let browser = try Chromium(["--host-resolver-rules=MAP evil.test 127.0.0.1"])
      let tab = try Tab(browser)
      try tab.open("http://evil.test:\(mirror.port)/views/v/html")
      let status = try tab.evaluate("performance.getEntriesByType('navigation')[0].responseStatus").int
      #expect(status == 421)
      #expect(try tab.evaluate("document.documentElement.innerText.includes('secret')").bool == false)

      // A script on a page with that host name, as after DNS rebinding, has the same origin: only
      // the host check can refuse it.
      let asked = try tab.evaluate("fetch('/views').then(a => a.status, () => 0)").int
      #expect(asked == 421 || asked == 0)
      // The same address is served under its own name.
      try tab.open("http://localhost:\(mirror.port)/views/v")
      #expect(try tab.evaluate("performance.getEntriesByType('navigation')[0].responseStatus").int == 200)
    }

    /// Requests that a page of another site can send without permission to read. None of them may
    /// change anything.
    @Test(
      arguments: [
        "fetch(MIRROR + '/views/v/diffs', {method: 'POST', mode: 'no-cors', body: '{\"0\":\"changed\"}'})",
        "fetch(MIRROR + '/views/v/diffs', {method: 'POST', body: '{\"0\":\"changed\"}'}).catch(() => 0)",
        "fetch(MIRROR + '/views/v', {method: 'DELETE'}).catch(() => 0)",
        "fetch(MIRROR + '/views/v/diffs', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{\"0\":\"changed\"}'}).catch(() => 0)",
        "navigator.sendBeacon(MIRROR + '/views/v/diffs', '{\"0\":\"changed\"}')",
        "navigator.sendBeacon(MIRROR + '/views/v/rendered', new Blob(['{\"s\":[\"changed\"]}'], {type: 'text/plain'}))",
        "new Promise(done => { const ask = new XMLHttpRequest(); ask.onloadend = done; ask.open('POST', MIRROR + '/views/v/diffs'); ask.send('{\"0\":\"changed\"}') })",
        "post(MIRROR + '/views/v/diffs', '_self')",
        "post(MIRROR + '/views/v/diffs', 'frame')",
      ])
    func `a page of another site changes nothing`(_ attack: String) throws {
      let mirror = try mounted()
      let browser = try Chromium()
      let tab = try Tab(browser)
      let page = trap.serve(
        """
        <!DOCTYPE html><title>other</title><iframe name=frame></iframe><script>
        function post(to, target) {
          // A form with `text/plain`: its one field is chosen so that the body is JSON.
          const form = document.createElement("form");
          Object.assign(form, { method: "post", enctype: "text/plain", action: to, target });
          const field = document.createElement("input");
          Object.assign(field, { name: '{"0":"changed","x', value: '":1}' });
          form.append(field); document.body.append(form); form.submit();
        }
        </script>
        """, at: "/attack")
      try tab.open(page)
      _ = try tab.evaluate("const MIRROR = '\(mirror.address)'; Promise.resolve(\(attack)).then(() => 1, () => 1)")
      // The mirror answers the requests of one browser in order, so this request is answered after
      // them. A submitted form may have replaced the page.
      _ = try? tab.evaluate("fetch('\(mirror.address)/healthz', {mode: 'no-cors'}).then(() => 1, () => 1)")
      try tab.wait(for: 0.3)
      #expect(try mirror.version(of: "v") == 0)
      #expect(try mirror.get("/views/v/html").body.contains("secret"))
    }

    @Test func `a page of another site reads nothing, and shows nothing in a frame`() throws {
      let mirror = try mounted()
      let browser = try Chromium()
      let tab = try Tab(browser)
      try tab.open(trap.serve("<!DOCTYPE html><title>other</title>", at: "/reader"))
      for path in ["/views", "/views/v/html", "/views/v/events", "/metrics", "/"] {
        let read = try tab.evaluate("fetch('\(mirror.address)\(path)').then(a => a.text(), () => 'refused')").string
        #expect(read == "refused", "\(path)")
      }
      for path in ["/", "/views/v", "/views/v/page", "/views/v/html"] {
        tab.forget()
        let isReadable = try tab.evaluate(
          """
          new Promise(done => {
            const frame = document.createElement("iframe");
            frame.src = "\(mirror.address)\(path)"; frame.onload = () => done(frame.contentDocument !== null);
            document.body.append(frame);
          })
          """
        ).bool
        #expect(isReadable == false, "\(path)")
        // The other page may not read a frame of another origin in any case. The browser reports
        // that it did not show the frame.
        #expect(try tab.wait(for: 60) { tab.complaints.contains { $0.contains("frame-ancestors") } }, "\(path)")
      }
      // A stream of the mirror reveals nothing either.
      let events = try tab.evaluate(
        """
        new Promise(done => {
          const source = new EventSource("\(mirror.address)/views/v/events");
          source.onopen = () => done("open"); source.onerror = () => done("refused");
        })
        """
      ).string
      #expect(events == "refused")
    }

    /// Each of these elements can show the page that loads it whether a server listens on the port.
    @Test func `a page of another site does not learn that a mirror runs`() throws {
      let mirror = try mounted()
      let browser = try Chromium()
      let tab = try Tab(browser)
      let page = trap.serve("<!DOCTYPE html><title>other site</title>", at: "/probe")
      try tab.open(page)
      func outcome(_ script: String) throws -> String? {
        try tab.evaluate("new Promise(done => { \(script) })").string
      }
      for path in ["/assets/favicon.svg", "/assets/live.js", "/assets/inspector.css", "/healthz", "/", "/views/v/page"]
      {
        let url = mirror.address + path
        for (tag, source) in [("img", "src"), ("script", "src"), ("link", "href")] {
          let loaded = try outcome(
            """
            const element = document.createElement("\(tag)");
            element.rel = "stylesheet"; element.onload = () => done("loaded"); element.onerror = () => done("failed");
            element.\(source) = "\(url)"; document.head.append(element);
            """)
          #expect(loaded == "failed", "\(tag) \(path)")
        }
        let fetched = try outcome(
          "fetch('\(url)', {mode: 'no-cors'}).then(() => done('answered'), () => done('failed'))")
        #expect(fetched == "failed", "fetch \(path)")
      }
      // The document in the frame can load its style (another test checks it), and a link to a page
      // works.
      try tab.open(page)
      _ = try tab.evaluate("location.href = '\(mirror.address)/views/v'; 1")
      #expect(try tab.wait(until: "document.body?.innerText.includes('secret') ?? false"))
      #expect(try tab.evaluate("window.opener === null").bool == true)
    }

    @Test func `a site cannot access a window of the mirror that it opened`() throws {
      let mirror = try mounted()
      let browser = try Chromium(["--disable-popup-blocking"])
      let tab = try Tab(browser)
      let page = trap.serve("<!DOCTYPE html><title>other site</title>", at: "/opener")
      try tab.open(page)
      _ = try tab.evaluate("globalThis.opened = open('\(mirror.address)/views/v'); 1")
      #expect(try tab.wait(until: "opened.closed"))
    }

    @Test func `an allowed origin can read and post, and another cannot`() throws {
      let mirror = try mounted(["--allow-origin", trap.address])
      let browser = try Chromium()
      let tab = try Tab(browser)
      try tab.open(trap.serve("<!DOCTYPE html><title>allowed</title>", at: "/allowed"))
      #expect(
        try tab.evaluate("fetch('\(mirror.address)/views/v/html').then(a => a.text(), () => 'refused')").string
          == "<p>secret</p>")
      let status = try tab.evaluate(
        """
        fetch('\(mirror.address)/views/v/diffs', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{"0":"changed"}'})
          .then(a => a.status, () => 0)
        """
      ).int
      #expect(status == 200)
      #expect(try mirror.version(of: "v") == 1)

      let other = try TrapServer()
      try tab.open(other.serve("<!DOCTYPE html><title>other</title>", at: "/other"))
      #expect(
        try tab.evaluate("fetch('\(mirror.address)/views/v/html').then(a => a.text(), () => 'refused')").string
          == "refused")
    }

    @Test func `a browser keeps the token in a cookie that no script can read`() throws {
      let token = "0123456789abcdefghij"
      let mirror = try mounted(token: token)
      let browser = try Chromium()
      let tab = try Tab(browser)
      let status = "performance.getEntriesByType('navigation')[0].responseStatus"
      try tab.open("\(mirror.address)/views/v")
      #expect(try tab.evaluate(status).int == 401)
      try tab.open("\(mirror.address)/views/v?token=wrong-wrong-wrong")
      #expect(try tab.evaluate(status).int == 401)

      try tab.open("\(mirror.address)/views/v?version=0&token=\(token)")
      #expect(try tab.evaluate(status).int == 200)
      #expect(try tab.evaluate("location.href").string == "\(mirror.address)/views/v?version=0")
      #expect(try tab.evaluate("document.cookie").string == "")
      let cookies = try tab.call("Network.getCookies", ["urls": [mirror.address]])["cookies"].array
      #expect(cookies.count == 1)
      #expect(cookies.first?["httpOnly"].bool == true)
      #expect(cookies.first?["sameSite"].string == "Strict")
      try tab.open("\(mirror.address)/views")
      #expect(try tab.evaluate(status).int == 200)

      // Another site cannot use the cookie, because its requests do not contain it.
      try tab.open(trap.serve("<!DOCTYPE html><title>other</title>", at: "/other"))
      _ = try tab.evaluate(
        """
        fetch('\(mirror.address)/views/v/diffs', {method: 'POST', mode: 'no-cors', credentials: 'include', body: '{"0":"changed"}'})
          .then(() => 1, () => 1)
        """)
      #expect(try mirror.version(of: "v") == 0)
    }
  }
}
