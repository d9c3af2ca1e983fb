import Testing

extension BrowserSuite.InspectorTests {
  /// Travelling in time: keys, the slider, the chart, playing, and the history of the browser.
  @Suite struct VersionTests {
    @Test func `j, k and l show the older, the newer and the newest version`() throws {
      let page = try InspectorPage()
      try page.press("j")
      try page.expectVersion(21)
      try page.press("j")
      try page.expectVersion(20)
      try page.press("k")
      try page.expectVersion(21)
      #expect(try page.query == "?version=21&epoch=1")
      try page.press("l")
      try page.expectVersion(22)
      #expect(try page.query == "")
      page.expectNoComplaint()
    }

    @Test func `the slider and the chart show a version`() throws {
      let page = try InspectorPage()
      _ = try page.value("document.getElementById('slider').focus()")
      try page.press("ArrowLeft")
      try page.expectVersion(21)
      #expect(try page.focused == "slider")
      try page.press("Home")
      try page.expectVersion(0)
      try page.tab.click(".chart a:nth-child(6)")
      try page.expectVersion(5)
      #expect(try page.value("document.getElementById('slider').value").string == "5")
      page.expectNoComplaint()
    }

    @Test func `p plays the versions from the oldest one, and pauses`() throws {
      let page = try InspectorPage()
      // The page notes what it shows: a busy test would miss versions.
      _ = try page.value(
        """
        (() => {
          window.shown = [];
          new MutationObserver(() => {
            const text = document.querySelector("header .version").textContent.trim();
            if (shown.at(-1) !== text) shown.push(text);
          }).observe(document.body, { subtree: true, childList: true, characterData: true });
          return true;
        })()
        """)
      try page.press("p")
      try page.expect("shown.join().includes('version 0,version 1,version 2')")
      try page.press("p")
      // A version that was requested before the pause may still arrive.
      _ = try page.tab.settled(for: 1.2, within: 60) { try page.text("header .version") }
      #expect(try page.value("history.length").int ?? 99 < 6, "playing does not fill the history")
      page.expectNoComplaint()
    }

    @Test func `back and forward show what was shown`() throws {
      let page = try InspectorPage()
      try page.tab.click("#v7 a")
      try page.expectVersion(7)
      try page.tab.click("#nodes .touched a")
      try page.expect("location.search.includes('node=')")
      let query = try page.query
      try page.tab.click("#v3 a")
      try page.expectVersion(3)
      _ = try page.value("history.back()")
      try page.expectVersion(7)
      #expect(try page.query == query)
      try page.expect("document.querySelector('#nodes [aria-selected=true]')")
      _ = try page.value("history.back()")
      try page.expect("!document.querySelector('#nodes [aria-selected=true]')")
      try page.expectVersion(7)
      _ = try page.value("history.back()")
      try page.expectVersion(22)
      _ = try page.value("history.forward()")
      try page.expectVersion(7)
      page.expectNoComplaint()
    }

    /// The script and the server render the same page for the same address. The number of event
    /// clients is left out: the page is one itself, and the server may notice only later that the
    /// page before has closed its event stream.
    @Test(arguments: [
      "?version=7", "?version=2&node=20", "?tab=subscribers", "?tab=view&version=3", "?find=li", "?filter=is:waste",
      "?blank=1",
      "?show=both&version=5", "?under=7", "?node=31&version=5", "?show=compare&version=7", "?tab=cost",
      "?tab=diagnostics",
    ])
    func `a copied address shows the same page`(query: String) throws {
      let page = try InspectorPage()
      _ = try page.value(
        """
        (() => {
          const link = document.createElement("a");
          link.href = \(Tab.quoted(query));
          link.dataset.own = "";
          document.querySelector("header").append(link);
          link.click();
          link.remove();
        })()
        """)
      try page.expect("location.search === \(Tab.quoted(query))")
      let content = """
        ["header nav", "#timeline", "#page-head", "#nodes", "#comparison", "#details"].map((selector) => {
          const copy = document.querySelector(selector).cloneNode(true);
          for (const own of copy.querySelectorAll("[data-own]")) own.remove();
          for (const term of copy.querySelectorAll("dt")) {
            if (term.textContent === "event clients") term.nextElementSibling.remove();
          }
          return copy.textContent.replace(/\\s+/g, "");
        }).join("\\n")
        """
      #expect(try page.tab.wait(until: "document.querySelector('#details').textContent.length > 0"))
      let followed = try page.tab.settled(for: 0.5) { try page.value(content).string }
      try page.open(query)
      #expect(try page.value(content).string == followed)
      page.expectNoComplaint()
    }
  }
}
