import Foundation
import RecordingFixtures
import Testing

extension BrowserSuite {
  /// The rendered page in the inspector: it follows the shown version, shows heat, and lets a
  /// person pick elements.
  @Suite struct MirrorPaneTests {
    private let mirror: Mirror
    private let browser: Chromium
    private let tab: Tab

    init() throws {
      mirror = try Mirror()
      try mirror.post(
        "/views/main/rendered",
        #"{"s":["<main><h1 id='h'>","</h1><button id='b'><b>ok</b></button><a id='a' href='/views'>away</a></main>"],"0":"0"}"#
      )
      for count in 1...3 { try mirror.post("/views/main/diffs", #"{"0":"\#(count)"}"#) }
      browser = try Chromium()
      tab = try Tab(browser)
      try tab.open(mirror.address + "/views/main?show=both")
      #expect(try waits("page.querySelector('[data-mirror-heat]') && page.body.dataset.mirrorVersion === '3'"))
    }

    private static let frame = "document.querySelector('#mirror iframe')?.contentDocument"

    private func inFrame(_ expression: String) throws -> Received {
      try tab.evaluate("(() => { const page = \(Self.frame); return \(expression) })()")
    }

    private func waits(_ condition: String) throws -> Bool {
      try tab.wait(until: "(() => { const page = \(Self.frame); return page?.body && (\(condition)) })()")
    }

    private func key(_ key: String, _ code: Int = 0) throws {
      for type in ["keyDown", "keyUp"] {
        var details: [String: Any] = ["type": type, "key": key, "windowsVirtualKeyCode": code]
        if key.count == 1, type == "keyDown" { details["text"] = key }
        _ = try tab.call("Input.dispatchKeyEvent", details)
      }
    }

    /// Moves the mouse to an element of the frame, and clicks it.
    private func mouse(_ selector: String, clicks: Bool, modifiers: Int = 0) throws {
      let place = try inFrame(
        """
        (() => { const outer = document.querySelector('#mirror iframe').getBoundingClientRect();
          const inner = page.querySelector('\(selector)').getBoundingClientRect();
          return [outer.x + inner.x + inner.width / 2, outer.y + inner.y + inner.height / 2] })()
        """
      ).array.compactMap(\.double)
      for type in ["mouseMoved"] + (clicks ? ["mousePressed", "mouseReleased"] : []) {
        _ = try tab.call(
          "Input.dispatchMouseEvent",
          [
            "type": type, "x": place[0], "y": place[1], "button": type == "mouseMoved" ? "none" : "left",
            "clickCount": clicks ? 1 : 0, "modifiers": modifiers,
          ])
      }
    }

    @Test func `steps through versions patch the page, in both directions`() throws {
      _ = try inFrame("page.querySelector('h1').mark = 'same'")
      for (pressed, version) in [("j", "2"), ("j", "1"), ("k", "2")] {
        try key(pressed)
        #expect(
          try waits(
            "page.body.dataset.mirrorVersion === '\(version)' && page.querySelector('h1').textContent === '\(version)'")
        )
      }
      #expect(try inFrame("page.querySelector('h1').mark").string == "same")
      #expect(tab.complaints == [])
    }

    @Test func `the heat of the elements is that of the tree`() throws {
      #expect(try inFrame("page.querySelector('h1').dataset.mirrorHeat").string == "4")
      #expect(try inFrame("page.querySelectorAll('[data-mirror-heat]').length").double == 1)
      #expect(try tab.evaluate("document.querySelector('#nodes > .heat-4') !== null").bool == true)
    }

    @Test func `a picked element becomes the selected node, and nothing in the page happens`() throws {
      _ = try tab.evaluate("document.querySelector('.pick').click()")
      try mouse("#b b", clicks: false)
      #expect(try waits("page.querySelector('[data-mirror-picked]')?.localName === 'b'"))
      try mouse("#b b", clicks: true)
      let number = try inFrame("page.querySelector('#b b').dataset.mirrorNode").string ?? ""
      #expect(try tab.wait(until: "new URL(location.href).searchParams.get('node') === '\(number)'"))
      #expect(try tab.evaluate("document.querySelector('.pick').ariaPressed").string == "false")
      #expect(try tab.wait(until: "document.querySelector('#nodes > [aria-selected=true]')?.id === 'n\(number)'"))
      // Alt-click picks without the button, also a link.
      try mouse("#a", clicks: true, modifiers: 1)
      let link = try inFrame("page.querySelector('#a').dataset.mirrorNode").string ?? ""
      #expect(try tab.wait(until: "new URL(location.href).searchParams.get('node') === '\(link)'"))
      #expect(tab.complaints == [])
    }

    @Test func `Escape ends picking, and Enter picks the focused element`() throws {
      _ = try tab.evaluate("document.querySelector('.pick').click()")
      try key("Escape", 27)
      #expect(try tab.evaluate("document.querySelector('.pick').ariaPressed").string == "false")
      _ = try tab.evaluate("document.querySelector('.pick').click()")
      _ = try inFrame("(document.querySelector('#mirror iframe').focus(), page.querySelector('#b').focus())")
      try key("Enter", 13)
      let number = try inFrame("page.querySelector('#b').dataset.mirrorNode").string ?? ""
      #expect(try tab.wait(until: "new URL(location.href).searchParams.get('node') === '\(number)'"))
    }

    @Test func `a link in the page leads nowhere`() throws {
      try mouse("#a", clicks: true)
      #expect(try waits("page.querySelector('h1') !== null"))
      #expect(try tab.evaluate("location.pathname").string == "/views/main")
      #expect(tab.complaints == [])
    }

    @Test func `hovering a line of the tree highlights the element, and the reverse`() throws {
      let number = try inFrame("page.querySelector('#b').dataset.mirrorNode").string ?? ""
      _ = try tab.evaluate(
        "document.getElementById('n\(number)').dispatchEvent(new MouseEvent('mouseover', {bubbles: true}))")
      #expect(try waits("page.querySelector('#b').hasAttribute('data-mirror-lit')"))
      try mouse("#h", clicks: false)
      let other = try inFrame("page.querySelector('#h').dataset.mirrorNode").string ?? ""
      #expect(try tab.wait(until: "document.getElementById('n\(other)').dataset.lit === ''"))
    }

    /// Every version of the recordings, forwards and backwards: the patched page is the one that
    /// the server sends as a whole.
    @Test(arguments: Recording.committed.filter { !$0.isNative })
    func `the browser's patched page is the whole page`(recording: Recording) throws {
      let frames = recording.steps.map { String(decoding: $0.frame, as: UTF8.self) }.joined(separator: "\n")
      #expect(try mirror.post("/frames", frames).status == 200)
      try tab.open(mirror.address + "/views/lv:\(recording.rootID)/page?version=0")
      #expect(try tab.evaluate(Self.comparison).string == "the same", "\(recording.name)")
    }

    private static let comparison = """
      (async () => {
        const { Frame } = await import("/assets/frame/frame.js");
        const path = location.pathname.replace(/\\/page$/, "");
        const markup = (body) => {
          const copy = body.cloneNode(true);
          copy.normalize();
          for (const element of copy.querySelectorAll("*")) {
            const sorted = [...element.attributes].sort((a, b) => (a.name < b.name ? -1 : 1));
            for (const attribute of sorted) element.removeAttributeNode(attribute);
            for (const attribute of sorted) element.setAttributeNode(attribute);
          }
          return copy.innerHTML;
        };
        const { version: last } = await (await fetch(path, { headers: { Accept: "application/json" } })).json();
        const frame = new Frame(document.querySelector("iframe"), path);
        await frame.loaded();
        const versions = [...Array(last + 1).keys()];
        for (const version of [...versions, ...versions.reverse(), last]) {
          await frame.show(version);
          const whole = await (await fetch(`${path}/page?frame&version=${version}`)).text();
          const expected = new DOMParser().parseFromString(whole, "text/html").body;
          if (markup(frame.document.body) !== markup(expected)) return `version ${version} differs`;
        }
        const requests = performance.getEntriesByType("resource").map(({ name }) => name);
        if (requests.some((name) => name.includes("/page?frame=1&version=") && !/version=0(&|$)/.test(name))) return "not patched";
        return "the same";
      })()
      """
  }
}
