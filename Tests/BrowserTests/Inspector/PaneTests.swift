import Testing

extension BrowserSuite.InspectorTests {
  @Suite struct PaneTests {
    private static func width(of id: String) -> String {
      "Math.round(document.getElementById('\(id)').getBoundingClientRect().width)"
    }

    @Test func `a divider is dragged, and its place is remembered`() throws {
      let page = try InspectorPage()
      let before = try page.value(Self.width(of: "timeline")).int ?? 0
      try page.tab.drag(".divider.left", by: 80)
      let after = try page.value(Self.width(of: "timeline")).int ?? 0
      #expect(abs(after - before - 80) <= 2)
      try page.tab.drag(".divider.right", by: -60)
      let right = try page.value(Self.width(of: "details")).int ?? 0
      try page.open()
      #expect(try page.value(Self.width(of: "timeline")).int == after)
      #expect(try page.value(Self.width(of: "details")).int == right)
      page.expectNoComplaint()
    }

    @Test func `the keys move a divider, and collapse and restore a pane`() throws {
      let page = try InspectorPage()
      for (side, pane, wider) in [("left", "timeline", "ArrowRight"), ("right", "details", "ArrowLeft")] {
        _ = try page.value("document.querySelector('.divider.\(side)').focus()")
        let before = try page.value(Self.width(of: pane)).int ?? 0
        try page.press(wider)
        let after = try page.value(Self.width(of: pane)).int ?? 0
        #expect(after > before)
        #expect(try page.value("Number(document.querySelector('.divider.\(side)').ariaValueNow)").int == after)
        try page.press("Enter")
        #expect(try page.value(Self.width(of: pane)).int == 0)
        #expect(try page.bool("!document.getElementById('\(pane)').checkVisibility({ visibilityProperty: true })"))
        try page.open()
        #expect(try page.value(Self.width(of: pane)).int == 0, "it stays collapsed")
        _ = try page.value("document.querySelector('.divider.\(side)').focus()")
        try page.press("Enter")
        #expect(try page.value(Self.width(of: pane)).int ?? 0 > 200)
      }
      page.expectNoComplaint()
    }

    @Test(arguments: [(320, 640, 1.0), (720, 450, 2.0)])
    func `in a narrow window and at 200 % the panes are one below the other`(width: Int, height: Int, scale: Double)
      throws
    {
      let page = try InspectorPage("1.2.10/03_todo", "?version=7")
      try page.tab.call(
        "Emulation.setDeviceMetricsOverride",
        ["width": width, "height": height, "deviceScaleFactor": scale, "mobile": false])
      try page.open("?version=7")
      let tops = try page.value(
        "['timeline', 'details', 'page'].map((id) => document.getElementById(id).getBoundingClientRect().top)"
      ).array.compactMap(\.double)
      #expect(tops.count == 3 && tops == tops.sorted() && Set(tops).count == 3)
      #expect(try page.bool("document.documentElement.scrollWidth <= innerWidth"), "it does not scroll sideways")
      page.expectNoComplaint()
    }
  }
}
