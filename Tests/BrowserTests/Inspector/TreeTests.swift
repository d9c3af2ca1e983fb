import Testing

extension BrowserSuite.InspectorTests {
  @Suite struct TreeTests {
    private static let stops = "document.querySelectorAll('#nodes [tabindex=\"0\"], #nodes a:not([tabindex])').length"

    @Test func `the tree has its role, levels and states, and one stop of the Tab key`() throws {
      let page = try InspectorPage()
      #expect(try page.bool("document.getElementById('nodes').role === 'tree'"))
      let lines = try page.count("#nodes > li") ?? 0
      #expect(lines > 10)
      #expect(try page.count("#nodes > [role=treeitem][aria-level][aria-selected]") == lines)
      #expect(try page.value(Self.stops).int == 1)
      // The timeline too.
      #expect(
        try page.value("document.querySelectorAll('#diffs [tabindex=\"0\"], #diffs a:not([tabindex])').length").int == 1
      )
      page.expectNoComplaint()
    }

    @Test func `arrows move the focus, and Enter selects the node`() throws {
      let page = try InspectorPage()
      _ = try page.value("document.querySelector('#nodes [tabindex=\"0\"]').focus()")
      try page.press("Home")
      let first = try page.focused
      #expect(first == "n1")
      try page.press("ArrowDown", "ArrowDown")
      let third = try page.focused
      #expect(third == (try page.value("document.querySelector('#nodes > li:nth-child(3)').id").string))
      try page.press("ArrowUp")
      #expect(try page.focused == (try page.value("document.querySelector('#nodes > li:nth-child(2)').id").string))
      try page.press("End")
      #expect(try page.focused == (try page.value("document.querySelector('#nodes > li:last-child').id").string))
      #expect(try page.value(Self.stops).int == 1)
      let last = try page.focused ?? ""
      try page.press("Enter")
      try page.expect("location.search === '?node=\(last.dropFirst())'")
      #expect(try page.bool("document.getElementById('\(last)').ariaSelected === 'true'"))
      #expect(try page.focused == last, "the line keeps the focus")
      page.expectNoComplaint()
    }

    @Test func `a closed node stays closed after a click on a link, a diff, and a reload`() throws {
      let page = try InspectorPage()
      let lines = "[...document.querySelectorAll('#nodes > li')].filter((line) => line.checkVisibility()).length"
      let all = try page.value(lines).int ?? 0
      _ = try page.value("document.getElementById('n7').focus()")
      try page.press("ArrowLeft")
      try page.expect("document.getElementById('n7').ariaExpanded === 'false'")
      let some = try page.value(lines).int ?? 0
      #expect(some < all)
      try page.tab.click(".tabs a[href*='tab=view']")
      try page.expect("location.search.includes('tab=view')")
      #expect(try page.value(lines).int == some)
      try page.post(#"{"0":"posted"}"#)
      try page.expectVersion(23)
      #expect(try page.value(lines).int == some)
      try page.open()
      #expect(try page.value(lines).int == some)
      #expect(try page.bool("document.getElementById('n7').ariaExpanded === 'false'"))
      try page.tab.click("#n7 .fold")
      #expect(try page.value(lines).int == all)
      page.expectNoComplaint()
    }

    @Test func `the arrows to the left and right close, open, and change the level`() throws {
      let page = try InspectorPage()
      _ = try page.value("document.getElementById('n7').focus()")
      try page.press("ArrowRight")
      let child = try page.focused ?? ""
      #expect(try page.bool("document.getElementById('\(child)').ariaLevel > document.getElementById('n7').ariaLevel"))
      try page.press("ArrowLeft")
      if try page.focused == child { try page.press("ArrowLeft") }
      #expect(try page.focused == "n7")
      try page.press("ArrowLeft")
      #expect(try page.bool("document.getElementById('n7').ariaExpanded === 'false'"))
      try page.press("ArrowRight")
      #expect(try page.bool("document.getElementById('n7').ariaExpanded === 'true'"))
      page.expectNoComplaint()
    }

    @Test func `white space and annotations are folded, and shown on request`() throws {
      let page = try InspectorPage("1.2.10/15_todo_debug")
      let folded = try page.count("#nodes > li") ?? 0
      #expect(try page.bool("!document.querySelector('#nodes').textContent.includes('@caller')"))
      try page.tab.click("#page-head a[href*=blank]")
      try page.expect("document.querySelectorAll('#nodes > li').length > \(folded)")
      #expect(try page.bool("document.querySelector('#nodes').textContent.includes('@caller')"))
      page.expectNoComplaint()
    }

    @Test func `a line ends between attributes and not in one`() throws {
      let page = try InspectorPage("1.2.10/03_todo")
      _ = try page.value("document.getElementById('nodes').style.width = '11rem'")
      #expect(try page.bool("[...document.querySelectorAll('#nodes > li')].some((line) => line.offsetHeight > 20)"))
      #expect(
        try page.value(
          "[...document.querySelectorAll('#nodes .attribute')].filter((e) => e.getClientRects().length > 1 || e.offsetHeight > 24).length"
        ).int == 0)
      #expect(
        try page.value(
          """
          [...document.querySelectorAll('#nodes .what')].filter((what) => [...what.querySelectorAll('.attribute')].some(
            (e) => e.getBoundingClientRect().right > what.getBoundingClientRect().right + 1)).length
          """
        ).int == 0)
      page.expectNoComplaint()
    }

    @Test func `the changed nodes of a diff are marked and in view`() throws {
      let page = try InspectorPage("1.2.10/13_big_table")
      for entry in try page.log().dropFirst() {
        let version = entry["version"] as? Int ?? -1
        let nodes = (entry["changes"] as? [[String: Any]] ?? []).filter { $0["op"] as? String == "text" }
          .compactMap { $0["node"] as? Int }
        guard let node = nodes.first else { continue }
        try page.open("?version=\(version)")
        #expect(try page.bool("document.getElementById('n\(node)').closest('.touched')"), "v\(version)")
        #expect(
          try page.bool(
            """
            (() => {
              const [line, list] = ["#nodes .touched", "#nodes"].map((name) => document.querySelector(name).getBoundingClientRect());
              return line.top >= list.top - 1 && line.bottom <= list.bottom + 1;
            })()
            """), "v\(version)")
      }
      page.expectNoComplaint()
    }
  }
}
