import Testing

extension BrowserSuite.InspectorTests {
  /// Everything by keyboard alone: Tab, Enter, and the keys of docs/inspector.md.
  @Suite struct KeyboardTests {
    /// Presses Tab until an expression about `document.activeElement` is true.
    private func tab(_ page: InspectorPage, to condition: String, backwards: Bool = false) throws {
      for _ in 0..<80 {
        try page.press(backwards ? "Shift+Tab" : "Tab")
        if try page.bool("((element) => \(condition))(document.activeElement)") { return }
      }
      Issue.record("the Tab key does not reach \(condition)")
    }

    @Test(arguments: ["", "?version=7", "?node=7", "?show=compare&version=3", "?tab=cost", "?tab=subscribers"])
    func `the Tab key reaches every control once, in the order of the page, and leaves it`(query: String) throws {
      let page = try InspectorPage("1.2.10/03_todo", query)
      let controls = """
        [...document.querySelectorAll("a[href], button, input, summary, [tabindex]")].filter((element) =>
          element.tabIndex >= 0 && !element.disabled && element.type !== "hidden"
          && element.checkVisibility({ visibilityProperty: true }))
        """
      let number = "\(controls).indexOf(document.activeElement)"
      let count = try page.value("\(controls).length").int ?? 0
      var reached: [Int] = []
      for _ in 0..<(count + 5) {
        try page.press("Tab")
        guard let place = try page.value(number).int, place >= 0 else { break }
        if reached.contains(place) { break }
        reached.append(place)
      }
      #expect(reached == Array(0..<count))
      page.expectNoComplaint()
    }

    @Test func `the skip links lead to the panes`() throws {
      let page = try InspectorPage()
      for (count, pane) in [(1, "diffs"), (2, "page"), (3, "details")] {
        try page.open()
        for _ in 0..<count { try page.press("Tab") }
        #expect(
          try page.bool(
            "document.activeElement.matches('.skip') && document.activeElement.getBoundingClientRect().left >= 0"))
        try page.press("Enter")
        try page.expect("location.hash === '#\(pane)'")
        try page.press("Tab")
        #expect(try page.bool("document.activeElement.closest('#\(pane)')"), "\(pane)")
      }
      page.expectNoComplaint()
    }

    @Test func `a diff is chosen, its node is found, and its biography is read`() throws {
      let page = try InspectorPage()
      try tab(page, to: "element.closest('#diffs')")
      try page.press("ArrowDown", "ArrowDown", "Enter")
      try page.expectVersion(20)
      #expect(try page.focused == "v20")
      try tab(page, to: "element.closest('#nodes')")
      for _ in 0..<60 where try !page.bool("document.activeElement.matches('.touched')") { try page.press("ArrowDown") }
      #expect(try page.bool("document.activeElement.matches('.touched')"))
      try page.press("Enter")
      try page.expect("document.activeElement.ariaSelected === 'true'")
      try tab(page, to: "element.closest('#details .tabs') && element.textContent.trim() === 'Diff'")
      try page.press("Enter")
      try page.expect("document.querySelector('#details .subject').textContent.startsWith('v20')")
      try tab(page, to: "element.matches('summary') && !element.parentElement.open")
      try page.press("Enter")
      try page.expect("document.activeElement.parentElement.open")
      page.expectNoComplaint()
    }

    @Test func `the slider, the quick filters, the menu, playing and pausing work`() throws {
      let page = try InspectorPage()
      try tab(page, to: "element.id === 'slider'")
      try page.press("ArrowLeft")
      try page.expectVersion(21)
      try tab(page, to: "element.closest('.quick')")
      try page.press("Enter")
      try page.expect("location.search.includes('filter=is')")
      try tab(page, to: "element.matches('.newest')", backwards: true)
      try page.press("Enter")
      try page.expectVersion(22)
      try page.open()
      try tab(page, to: "element.matches('.menu summary')")
      try page.press("Enter")
      try page.press("Tab")
      #expect(try page.bool("document.activeElement.closest('.menu nav')"))
      try tab(page, to: "element.matches('.stream button')")
      try page.press("Enter")
      try page.expect("document.querySelector('.stream .state').textContent === 'paused'")
      try tab(page, to: "element.matches('.divider.left')")
      let width = "document.getElementById('timeline').offsetWidth"
      let before = try page.value(width).int ?? 0
      try page.press("ArrowRight")
      #expect(try page.value(width).int ?? 0 > before)
      page.expectNoComplaint()
    }
  }
}
