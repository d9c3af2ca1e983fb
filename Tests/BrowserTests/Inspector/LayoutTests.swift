import Foundation
import Testing

extension BrowserSuite.InspectorTests {
  /// What the eye sees: nothing moves, nothing is cut off, and lengths are in proportion.
  @Suite struct LayoutTests {
    /// The sum of all movements that the browser has noticed since the page was opened, without
    /// those that answer a key or a click. It is not quite 0, because the browser may paint a page
    /// before it has read all of it; a pane that moves by 5 pixels is 0.07.
    private static let moved = """
      new Promise((resolve) => {
        let sum = 0;
        const add = (entries) => { for (const entry of entries) if (!entry.hadRecentInput) sum += entry.value };
        new PerformanceObserver((list) => add(list.getEntries())).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => resolve(sum), 500);
      })
      """
    private static let isLive = "document.querySelector('.stream .state')?.textContent.startsWith('Live')"

    private static func resize(_ page: InspectorPage, to width: Int) throws {
      try page.tab.call(
        "Emulation.setDeviceMetricsOverride", ["width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false])
    }

    @Test(arguments: ["?version=19", "", "?tab=cost"], [1440, 1024])
    func `nothing moves when the buttons of the script arrive`(query: String, width: Int) throws {
      let page = try InspectorPage()
      try Self.resize(page, to: width)
      try page.open(query)
      try page.expect(Self.isLive)
      #expect(try page.value(Self.moved).double ?? 1 < 0.01)
      // The header is too low to count for much.
      let widths = try page.value(
        """
        (() => {
          const controls = document.querySelector(".controls");
          const full = controls.offsetWidth;
          for (const child of controls.children) child.hidden = true;
          return [full, controls.offsetWidth];
        })()
        """
      ).array.compactMap(\.int)
      #expect(widths.count == 2 && widths.first == widths.last)
      page.expectNoComplaint()
    }

    @Test func `nothing moves when the buttons of the index arrive`() throws {
      let page = try InspectorPage()
      try page.tab.open(page.mirror.address)
      try page.expect(Self.isLive)
      #expect(try page.value(Self.moved).double ?? 1 < 0.01)
      page.expectNoComplaint()
    }

    @Test(arguments: [1024, 1280, 1920]) func `the header is one line, and nothing in it is cut off`(width: Int) throws
    {
      let page = try InspectorPage("1.2.10/03_todo", "?version=7")
      try Self.resize(page, to: width)
      try page.open("?version=7")
      try page.expect("document.querySelector('.stream .state')?.textContent === 'Live, viewing v7'")
      #expect(try page.bool("document.querySelector('header').offsetHeight < 45"))
      #expect(try page.bool("document.querySelector('header').scrollWidth <= innerWidth"))
      let cut =
        "[...document.querySelectorAll('header :is(button, summary, .state)')].filter((e) => e.scrollWidth > e.offsetWidth).length"
      #expect(try page.value(cut).int == 0)
      page.expectNoComplaint()
    }

    @Test func `tabs keep their places when another one is chosen`() throws {
      let page = try InspectorPage("1.2.10/03_todo", "?version=7")
      let places =
        "[...document.querySelectorAll('#details .tabs a')].map((e) => { const { x, y, width } = e.getBoundingClientRect(); return [x, y, width].join() }).join(' ')"
      try page.expect(Self.isLive)
      let before = try page.value(places).string
      for tab in ["cost", "subscribers", "steps"] {
        try page.tab.click("#details .tabs a[href*='tab=\(tab)']")
        try page.expect("document.querySelector('#details .tabs [aria-current]')?.href.includes('tab=\(tab)')")
        #expect(try page.value(places).string == before, "\(tab)")
      }
      page.expectNoComplaint()
    }

    @Test func `event names are whole, and lines of the tree are 20 pixels high`() throws {
      let page = try InspectorPage()
      #expect(
        try page.bool("[...document.querySelectorAll('#diffs .cause')].every((e) => e.scrollWidth <= e.offsetWidth)"))
      #expect(try page.bool("[...document.querySelectorAll('#nodes > li')].every((e) => e.offsetHeight % 20 === 0)"))
      // Numbers of nodes appear under a pointer; without one, they are always there.
      let number = "getComputedStyle(document.querySelector('#n4 > .ref')).opacity === '1'"
      #expect(try page.bool("\(number) === matchMedia('(hover: none)').matches"))
      try page.tab.hover("#n4")
      try page.expect(number)
      page.expectNoComplaint()
    }

    @Test func `the views of the index are sorted by links, and each is a line`() throws {
      let page = try InspectorPage()
      try page.mirror.post(
        "/views/large/rendered", #"{"s":["<p>","</p>"],"0":"\#(String(repeating: "a", count: 90_000))"}"#)
      try page.mirror.post("/views/small/rendered", #"{"s":["<p></p>"]}"#)
      try page.tab.open(page.mirror.address)
      try page.expect(Self.isLive)
      let names = { try page.texts(".view .name") }
      #expect(try names().first == "small", "the last one that changed")
      try page.tab.click(".sorting a[href*='sort=bytes']")
      try page.expect("location.search.includes('sort=bytes')")
      #expect(try names().first == "large")
      try page.tab.click(".sorting a[href*='sort=diffs']")
      try page.expect("location.search.includes('sort=diffs')")
      #expect(try ["large", "small"].contains(names().first ?? "") == false)
      #expect(try page.bool("[...document.querySelectorAll('.view')].every((e) => e.offsetHeight <= 40)"))
      page.expectNoComplaint()
    }
  }
}
