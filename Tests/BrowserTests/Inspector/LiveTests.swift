import Foundation
import Testing

extension BrowserSuite.InspectorTests {
  /// A page that follows its view.
  @Suite struct LiveTests {
    private static let isLive = "document.querySelector('.stream .state').textContent === 'Live'"

    /// Posts diffs until an expression of the page is true: on a busy machine, the page needs more
    /// of them.
    ///
    /// - Parameter pausing: the time after each diff in microseconds.
    /// - Returns: the number of the last diff, which changed a text to `diff` and this number.
    @discardableResult private static func post(
      to page: InspectorPage, atLeast least: Int = 1, pausing pause: UInt32 = 0, until condition: String
    ) throws -> Int {
      var posted = 0
      while try posted < least || posted < 4_000 && !page.bool(condition) {
        posted += 1
        try page.post(#"{"0":"diff \#(posted)"}"#)
        usleep(pause)
      }
      return posted
    }

    @Test func `a new diff appears in the timeline, the tree and the details`() throws {
      let page = try InspectorPage()
      try page.expect(Self.isLive)
      try page.post(#"{"0":"posted by a test"}"#)
      try page.expectVersion(23)
      #expect(try page.text("#diffs > li:first-child .version") == "v23")
      #expect(try page.bool("document.querySelector('#nodes .touched').textContent.includes('posted by a test')"))
      #expect(try page.text("#details .circumstances")?.hasPrefix("v23") == true)
      #expect(try page.query == "")
      page.expectNoComplaint()
    }

    @Test func `the focus, folded nodes, scroll positions, opened details and typed text survive`() throws {
      let page = try InspectorPage("1.2.10/13_big_table")
      try page.expect(Self.isLive)
      _ = try page.value(
        """
        (() => {
          window.mark = {};
          const details = document.querySelector("#details details");
          details.open = true;
          window.mark.details = details.querySelector("summary").textContent.slice(0, 6);
          const nodes = document.getElementById("nodes");
          nodes.scrollTop = 300;
          const line = [...nodes.children].find((line) => line.getBoundingClientRect().top > nodes.getBoundingClientRect().top + 60);
          line.focus({ preventScroll: true });
          window.mark.focus = line.id;
          window.mark.scroll = nodes.scrollTop;
          document.getElementById("filter").value = "typed";
          document.getElementById("find").value = "typed too";
        })()
        """)
      for number in 0..<3 {
        try page.post(#"{"0":{"k":{"499":{"1":{"k":{"2":{"0":"posted \#(number)"},"kc":5}}},"kc":999}}}"#)
        try page.expect(page.shows(number))
      }
      #expect(try page.focused == (try page.value("window.mark.focus").string))
      #expect(try page.value("document.getElementById('nodes').scrollTop - window.mark.scroll").double == 0)
      #expect(
        try page.bool(
          "[...document.querySelectorAll('#details details[open] summary')].some((e) => e.textContent.startsWith(window.mark.details))"
        ))
      #expect(try page.value("document.getElementById('filter').value").string == "typed")
      #expect(try page.value("document.getElementById('find').value").string == "typed too")
      page.expectNoComplaint()
    }

    @Test func `a paused page only counts newer versions, until it resumes`() throws {
      let page = try InspectorPage()
      try page.expect(Self.isLive)
      try page.tab.click(".stream button")
      try page.post(#"{"0":"one"}"#)
      try page.post(#"{"0":"two"}"#)
      try page.expect("document.querySelector('.stream .state').textContent === 'Paused, 2 newer'")
      #expect(try page.text("header .version") == "version 22")
      try page.tab.click(".stream button")
      try page.expectVersion(24)
      try page.expect(Self.isLive)
      page.expectNoComplaint()
    }

    @Test func `while many diffs arrive, the page counts them between its refreshes`() throws {
      let page = try InspectorPage()
      try page.expect(Self.isLive)
      _ = try page.value(
        """
        (() => {
          const state = document.querySelector(".stream .state");
          window.states = [];
          window.versions = new Set();
          new MutationObserver(() => window.states.push(state.textContent)).observe(state, { childList: true });
          new MutationObserver(() => window.versions.add(document.querySelector("header .version").textContent))
            .observe(document.querySelector("header"), { childList: true, characterData: true, subtree: true });
        })()
        """)
      let begin = ContinuousClock.now
      let isCounted = "window.states.some((state) => /^Live, [0-9]+ newer$/.test(state))"
      let posted = try Self.post(to: page, atLeast: 200, pausing: 8_000, until: isCounted)
      try page.expectVersion(22 + posted)
      try page.expect(Self.isLive)
      #expect(try page.bool(isCounted))
      // One refresh in 600 ms, and a few at the beginning and at the end.
      let refreshes = try page.value("window.versions.size").double ?? 0
      #expect(refreshes < 5 + begin.duration(to: .now) / .milliseconds(600))
      #expect(try page.text("#diffs > li:first-child .version") == "v\(22 + posted)")
      page.expectNoComplaint()
    }

    @Test func `while many diffs arrive, most lines are counted, and the parts that nobody uses wait`() throws {
      let page = try InspectorPage()
      try page.expect(Self.isLive)
      _ = try page.value(
        """
        (() => {
          document.querySelector("#input details").open = true;
          window.seen = { lines: 0, late: new Set() };
          const observe = (id, name, note) => {
            const changes = new MutationObserver((changes) => changes.forEach(note));
            changes.observe(document.getElementById(id), { subtree: true, attributeFilter: [name] });
          };
          observe("diffs", "data-late", ({ target }) => (window.seen.lines ||= Number(target.dataset.late)));
          observe("details", "data-late", ({ target }) => window.seen.late.add(target.id));
        })()
        """)
      let hasWaited = "window.seen.lines > 0 && window.seen.late.has('facts')"
      let posted = try Self.post(to: page, atLeast: 100, pausing: 4_000, until: hasWaited)
      try page.expect("document.querySelector('#facts').textContent.includes('diff \(posted)')")
      #expect(try page.bool(hasWaited))
      // An open part is read.
      #expect(try page.bool("window.seen.late.has('calls') && !window.seen.late.has('input')"))
      // Afterwards nothing is left out.
      #expect(try page.bool("!document.querySelector('#diffs [data-late]:not([data-late=\"0\"]), .region[data-late]')"))
      let lines = try page.value("[...document.querySelectorAll('#diffs > .diff')].map(({ id }) => id).join()").string
      #expect(lines == (0..<50).map { "v\(22 + posted - $0)" }.joined(separator: ","))
      page.expectNoComplaint()
    }

    @Test func `while many diffs arrive, what the reader asks for is shown at once`() throws {
      let page = try InspectorPage()
      try page.expect(Self.isLive)
      // The slider, from which the keys count, has the shown version.
      _ = try page.value(
        """
        (() => {
          window.sliders = [];
          new MutationObserver(() => window.sliders.push(`version ${document.getElementById("slider").value}`
            === document.querySelector("header .version").textContent))
            .observe(document.getElementById("versions"), { childList: true, characterData: true, subtree: true });
        })()
        """)
      let isLate = "document.querySelector('.region[data-late]') !== null"
      try Self.post(to: page, until: isLate)
      _ = try page.value("document.querySelector('.forms button:nth-of-type(2)').click()")
      #expect(try page.bool("!(\(isLate))"), "the page is not complete before it is saved")
      try Self.post(to: page, until: isLate)
      _ = try page.value(
        """
        (() => {
          new MutationObserver(() => (window.atTab ??= document.getElementById("facts").dataset.late === undefined))
            .observe(document.getElementById("tabs"), { attributes: true, subtree: true });
          document.querySelector("#tabs a[href*='tab=cost']").click();
        })()
        """)
      try Self.post(to: page, until: "window.atTab !== undefined")
      #expect(try page.bool("window.atTab && location.search.includes('tab=cost')"))
      #expect(try page.bool("window.sliders.length > 0 && window.sliders.every(Boolean)"))
      page.expectNoComplaint()
    }

    @Test func `a refresh that failed is repeated`() throws {
      let page = try InspectorPage()
      try page.expect(Self.isLive)
      _ = try page.value(
        """
        (() => {
          const { fetch } = window;
          window.fetch = () => {
            window.fetch = fetch;
            return Promise.resolve(new Response("{}", { status: 503 }));
          };
        })()
        """)
      try page.post(#"{"0":"one"}"#)
      try page.expectVersion(23)
      page.expectNoComplaint()
    }

    @Test func `a page of an older version stays there, and counts newer ones`() throws {
      let page = try InspectorPage("1.2.10/03_todo", "?version=5")
      try page.expect("document.querySelector('.stream .state').textContent === 'Live, viewing v5'")
      #expect(try page.texts("header a.newest") == ["newest: v22"])
      try page.post(#"{"0":"newer"}"#)
      try page.expect("document.querySelector('header a.newest').textContent === 'newest: v23'")
      #expect(try page.text("header .version") == "version 5")
      try page.tab.click("header .newest")
      try page.expectVersion(23)
      try page.expect(Self.isLive)
      page.expectNoComplaint()
    }

    @Test func `a view that is removed leaves the page as it is, and says so`() throws {
      let page = try InspectorPage()
      try page.expect(Self.isLive)
      try page.tab.call(
        "Runtime.evaluate",
        ["expression": "fetch('/views/\(page.view)', { method: 'DELETE' })", "awaitPromise": true])
      try page.expect("document.querySelector('.stream .state').textContent.startsWith('Closed')")
      #expect(try page.count("#diffs > li") == 23)
    }

    @Test func `a view that was evicted while the page was hidden is reported with the reason`() throws {
      let page = try InspectorPage()
      try page.expect(Self.isLive)
      _ = try page.value(
        """
        (() => {
          const problem = JSON.stringify({ code: "evicted-view", status: 410, detail: "the view was evicted: --max-views" });
          window.fetch = () => Promise.resolve(new Response(problem, { status: 410 }));
        })()
        """)
      try page.post(#"{"0":"one"}"#)
      try page.expect(
        "document.querySelector('.stream .state').textContent === 'Closed: the view was evicted: --max-views'")
    }

    @Test func `a mount starts a new log`() throws {
      let page = try InspectorPage()
      try page.expect(Self.isLive)
      try page.mirror.post("/views/\(page.view)/rendered", #"{"s":["<p>anew</p>"]}"#)
      try page.expectVersion(0)
      try page.expect("document.querySelector('#nodes').textContent.includes('anew')")
      try page.expect("document.querySelectorAll('#diffs > li').length === 1")
      page.expectNoComplaint()
    }
  }
}

extension InspectorPage {
  /// An expression: the page shows the text `posted NUMBER`.
  fileprivate func shows(_ number: Int) -> String { "document.body.textContent.includes('posted \(number)')" }
}
