import Foundation
import RecordingFixtures
import Testing

extension BrowserSuite.InspectorTests {
  /// What helps to read a diff and to share it: pictures, local times, menus, the link, and the
  /// page as a file.
  @Suite struct ReadingTests {
    private static let frame = "document.querySelector('#mirror iframe')?.contentDocument"

    @Test func `a diff begins with what happened, and with pictures of the page before and after`() throws {
      let page = try InspectorPage("1.2.10/03_todo", "?version=19")
      #expect(try page.text("#details h3") == "Clicking reverse moved 2 of 3 list items")
      #expect(try page.texts(".pictures figcaption") == ["Before", "After"])
      let places = """
        [...document.querySelectorAll('.pictures iframe')].map((frame) =>
          [...frame.contentDocument?.querySelectorAll('[data-mirror-change]') ?? []].map((element) => element.id).join(' '))
        """
      try page.expect("\(places).join() === 't11 t13,t13 t11'")
      // Another diff has other frames, and Back leads to the page before, not to a frame's.
      let frames = "[...document.querySelectorAll('.pictures iframe')].map(({ id }) => id).join()"
      try page.press("j")
      try page.expect("\(frames) === 'before-18,after-18'")
      try page.tab.click("#v10 a")
      try page.expect("\(frames) === 'before-10,after-10'")
      _ = try page.value("history.back()")
      try page.expectVersion(18)
      #expect(try page.bool("document.querySelector('.pictures iframe').tabIndex === -1"))
      page.expectNoComplaint()
    }

    @Test func `pictures of a new version have their room at once, and other changes of the page keep them`() throws {
      let page = try InspectorPage()
      try page.expect("document.querySelector('.stream .state').textContent === 'Live'")
      try page.post(#"{"0":"23"}"#)
      try page.expectVersion(23)
      let height = "document.querySelector('.pictures').offsetHeight"
      #expect(try page.bool("(window.room = \(height)) > 100"))
      let frames = "[...document.querySelectorAll('.pictures iframe')]"
      try page.expect("\(frames).filter((frame) => frame.contentDocument.URL.includes('part=')).length === 2")
      #expect(try page.bool("\(height) === window.room"))
      _ = try page.value("\(frames).forEach((frame) => { frame.isKept = true })")
      try page.press("f")
      try page.tab.type("toggle")
      try page.expect("location.search.includes('filter=toggle')")
      #expect(try page.bool("\(frames).filter((frame) => frame.isKept).length === 2"))
      page.expectNoComplaint()
    }

    @Test func `the rendered page frames the element of the event, and the last diffs on demand`() throws {
      let page = try InspectorPage("1.2.10/03_todo", "?version=19&show=mirror")
      try page.expect("\(Self.frame)?.querySelector('[data-mirror-acted]')?.id === 'b-reverse'")
      let heat =
        "[...\(Self.frame).querySelectorAll('[data-mirror-heat]')].map((element) => element.dataset.mirrorHeat)"
      #expect(try page.bool("\(heat).every((level) => level === '4')"))
      _ = try page.value("[...document.querySelectorAll('.mirror-bar button')].at(-1).click()")
      try page.expect("\(heat).some((level) => level !== '4')")
      page.expectNoComplaint()
    }

    @Test func `times are those of the reader, and their tooltips those of the server`() throws {
      let page = try InspectorPage()
      try page.tab.call("Emulation.setTimezoneOverride", ["timezoneId": "Asia/Tokyo"])
      try page.open("?version=3&tab=diff")
      let time = "document.querySelector('.circumstances time')"
      try page.expect("!\(time).textContent.endsWith('Z')")
      let hours = try page.value(
        "(Number(\(time).textContent.slice(0, 2)) - Number(\(time).title.slice(11, 13)) + 24) % 24")
      #expect(hours.int == 9)
      #expect(try page.bool("\(time).title.endsWith('Z')"))
      // Also after an update in place.
      try page.press("j")
      try page.expectVersion(2)
      try page.expect("!\(time).textContent.endsWith('Z')")
      page.expectNoComplaint()
    }

    @Test func `Escape, a click elsewhere and a click on a link close a menu`() throws {
      let page = try InspectorPage()
      let isOpen = "document.querySelector('.export').open"
      try page.expect("document.querySelector('.stream .state')")
      try page.tab.click(".export summary")
      try page.expect(isOpen)
      try page.press("Escape")
      try page.expect("!\(isOpen) && document.activeElement === document.querySelector('.export summary')")
      try page.tab.click(".export summary")
      try page.expect(isOpen)
      try page.tab.click("#v3 a")
      try page.expect("!\(isOpen)")
      page.expectNoComplaint()
    }

    @Test func `the link to the version is copied, and the saved page shows the same by itself`() throws {
      let page = try InspectorPage("1.2.10/03_todo", "?version=19")
      _ = try page.value(
        """
        Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text } } });
        const create = URL.createObjectURL;
        URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text }); return create(blob) }
        """)
      try page.tab.click(".export summary")
      _ = try page.value("[...document.querySelectorAll('.export button')].forEach((button) => button.click())")
      try page.expect("window.copied?.includes('version=19') && window.copied.includes('epoch=1')")
      try page.expect("window.saved?.includes('</html>')")
      #expect(try page.bool("window.saved.includes('<bdi>reverse</bdi></a></b> moved 2 of 3 list items')"))
      #expect(try page.bool("window.saved.match(/srcdoc=/g).length === 2 && window.saved.includes('--accent-tint')"))
      #expect(
        try page.bool("!/<script|rel=\\\"stylesheet\\\"/.test(window.saved.replace(/srcdoc=\\\"[^\\\"]*\\\"/g, ''))"))
      page.expectNoComplaint()
    }

    @Test func `the line of a template is shown from the app's folder`() throws {
      let folder = Fixtures.root.appending(path: "Tests/Fixtures/templates").path
      let page = try InspectorPage("1.2.10/03_todo", "", ["--source", folder])
      let cart = try String(
        contentsOf: Fixtures.root.appending(path: "Tests/Fixtures/templates/cart.json"), encoding: .utf8)
      try page.mirror.post("/views/cart/rendered", cart)
      try page.mirror.post("/views/cart/diffs", #"{"1":"Bob"}"#)
      try page.tab.open("\(page.mirror.address)/views/cart")
      #expect(try page.texts("#details .template mark") == ["{@name}"])
      #expect(try page.text("#details .template")?.contains("<h1>Cart of {@name}: {length(@items)} item") == true)
      // An element has its line without a mark.
      try page.tab.open("\(page.mirror.address)/views/cart?find=h1")
      try page.tab.click("#nodes > .found a")
      try page.expect("document.querySelector('#details .template')?.textContent.includes('<h1>Cart')")
      #expect(try page.count("#details .template mark") == 0)
      page.expectNoComplaint()
    }

    @Test func `Before and after has the older version on the left, whichever is shown`() throws {
      let page = try InspectorPage("1.2.10/03_todo", "?version=9&show=compare&with=12")
      #expect(try page.text("#comparison .subject") == "v9 → v12")
      let sides = try page.text("#comparison table")
      try page.open("?version=12&show=compare&with=9")
      #expect(try page.text("#comparison .subject") == "v9 → v12")
      #expect(try page.text("#comparison table") == sides)
      try page.tab.click("#comparison a[aria-label='Compare with 3 diffs ago']")
      try page.expect("document.querySelector('#comparison .subject').textContent === 'v9 → v12'")
      page.expectNoComplaint()
    }

    @Test func `a removed row and an added one are found by their text and their element`() throws {
      let page = try InspectorPage()
      let log = try page.log()
      let versions = { (op: String) in
        log.filter { entry in
          (entry["changes"] as? [[String: Any]] ?? []).contains {
            $0["op"] as? String == op && (($0["name"] as? String) == "li#t12" || ($0["id"] as? String) == "t12")
          }
        }.map { "v\($0["version"] ?? "")" }
      }
      for text in ["li%23t12", "%23t12"] {
        try page.open("?filter=\(text)")
        let listed = try page.texts("#diffs > li .version")
        #expect(!listed.isEmpty && Set(versions("remove") + versions("add")).isSubset(of: listed), "\(text)")
      }
      page.expectNoComplaint()
    }

    @Test func `a version that is no longer kept has a page that says what to do`() throws {
      let page = try InspectorPage("1.2.10/03_todo", "", ["--versions", "5"])
      try page.open("?version=2")
      #expect(try page.text("body")?.contains("--versions") == true)
      try page.tab.click("main a[href*='version=']")
      try page.expect("document.querySelector('header .version')")
    }

    @Test func `the rendered page frames the selected node, and scrolls to the change`() throws {
      let page = try InspectorPage("1.2.10/03_todo", "?version=19&show=mirror&node=4")
      try page.expect("\(Self.frame)?.querySelector('[data-mirror-selected]')")
      try page.open("?show=mirror")
      let rows = (0..<200).map { #""\#($0)":{"0":"\#($0)"}"# }.joined(separator: ",")
      try page.mirror.post(
        "/views/long/rendered",
        #"{"s":["<ul>","</ul>"],"0":{"s":["<li style='height:40px'>","</li>"],"k":{\#(rows),"kc":200}}}"#)
      try page.tab.open("\(page.mirror.address)/views/long?show=mirror")
      try page.expect("\(Self.frame)?.querySelectorAll('li').length === 200")
      try page.mirror.post("/views/long/diffs", #"{"0":{"k":{"150":{"0":"changed"},"kc":200}}}"#)
      let top = "\(Self.frame).querySelector('[data-mirror-heat]')?.getBoundingClientRect().top"
      try page.expect("\(top) > 0 && \(top) < document.querySelector('#mirror iframe').offsetHeight")
      page.expectNoComplaint()
    }

    @Test func `the page of a recording says that clicks need the app`() throws {
      let page = try InspectorPage()
      try page.tab.open("\(page.mirror.address)/views/\(page.view)/page")
      #expect(try page.text(".acted") == "Recording: clicks need the app open in a browser")
      page.expectNoComplaint()
    }
  }
}
