import Testing

extension BrowserSuite.InspectorTests {
  /// Every choice is a link or a form, so all but live updates works without scripts.
  @Suite struct WithoutScriptsTests {
    private func page(_ query: String = "") throws -> InspectorPage {
      let page = try InspectorPage("1.2.10/03_todo")
      try page.tab.call("Emulation.setScriptExecutionDisabled", ["value": true])
      try page.open(query)
      #expect(try page.count("button.play") == 0, "scripts are disabled")
      return page
    }

    @Test func `diffs, versions, tabs and nodes are links`() throws {
      let page = try page()
      try page.tab.click("#v7 a")
      try page.expectVersion(7)
      try page.tab.click("header a[rel=prev]")
      try page.expectVersion(6)
      try page.tab.click("header a[rel=next]")
      try page.expectVersion(7)
      try page.tab.click("#nodes .touched .node")
      try page.expect("document.querySelector('#nodes [aria-selected=true]')")
      for (name, index) in [
        ("steps", 2), ("cost", 4), ("diagnostics", 5), ("subscribers", 6), ("view", 7), ("diff", 1),
      ] {
        try page.tab.click("#details .tabs a:nth-child(\(index))")
        try page.expect("location.search.includes('tab=\(name)')")
      }
      for (name, index) in [("mirror", 2), ("both", 3), ("compare", 4)] {
        try page.tab.click("#page-head .tabs a:nth-child(\(index))")
        try page.expect("location.search.includes('show=\(name)') && document.body.classList.contains('shows-\(name)')")
      }
      try page.tab.click("header .newest")
      try page.expectVersion(22)
    }

    @Test func `the search, the filter and the slider are forms`() throws {
      let page = try page("?version=7")
      try page.tab.click("#find")
      try page.tab.type("li")
      try page.press("Enter")
      try page.expect("document.querySelector('#nodes > .found')")
      #expect(try page.query == "?version=7&epoch=1&find=li")
      try page.tab.click("#filter")
      try page.tab.type("toggle")
      try page.press("Enter")
      try page.expect("location.search.includes('filter=toggle')")
      #expect(try page.query.contains("find=li"), "a form keeps the other parameters")
      #expect(try Set(page.texts("#diffs .cause")) == ["toggle"])
      try page.tab.click("#slider")
      try page.press("Home")
      try page.tab.click(".slider button")
      try page.expectVersion(0)
    }

    @Test func `the menu and the details open, and the frame shows the document`() throws {
      let page = try page("?show=mirror")
      try page.tab.click(".menu summary")
      try page.expect("document.querySelector('.menu a').checkVisibility()")
      try page.tab.click(".menu a[href*=log]")
      try page.expect("location.pathname.endsWith('/log')")
    }
  }
}
