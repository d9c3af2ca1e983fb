import Foundation
import Testing

extension BrowserSuite.InspectorTests {
  @Suite struct DetailsTests {
    @Test func `each tab shows its details, and is in the address`() throws {
      let page = try InspectorPage()
      let names = try page.texts("#details .tabs a")
      #expect(names == ["Diff", "Steps", "Node", "Cost", "Diagnostics", "Subscribers", "View"])
      for (index, name) in names.enumerated() {
        try page.tab.click("#details .tabs a:nth-child(\(index + 1))")
        try page.expect("document.querySelector('#details .tabs [aria-current]').textContent.trim() === '\(name)'")
        try page.expect("location.search.includes('tab=\(name.lowercased())')")
        #expect(try page.bool("document.querySelector('#details-content').innerText.trim().length > 80"), "\(name)")
      }
      page.expectNoComplaint()
    }

    @Test func `a diff names its event, its changes, its subscribers and what was sent for nothing`() throws {
      let page = try InspectorPage("1.2.10/03_todo", "?version=9")
      #expect(try page.text("#details .subject")?.hasPrefix("Clicking swap_edit moved 1 of 5 list items") == true)
      #expect(try page.text("#details .circumstances")?.hasPrefix("v9 · click swap_edit · ") == true)
      #expect(try page.text("#details .reach")?.hasPrefix("Notified ") == true)
      let waste = try page.text("#details .reach.waste") ?? ""
      #expect(waste.contains("5 B already on the page (5 %): slots 0, 2"), "\(waste)")
      #expect(try page.count("#details .changes:not(.evaluations) > li") == 2)
      page.expectNoComplaint()
    }

    @Test func `the cost has insights that open a diff, and totals that are sorted and grouped by links`() throws {
      let page = try InspectorPage("1.2.10/15_todo_debug", "?tab=cost")
      #expect(
        try page.text(".insights .message")?.hasPrefix(
          "20 B The value \"\" in slot 2 (inside <section> at basic.ex:161)") == true)
      #expect(
        try page.text(".totals-sentence")?.hasPrefix("12 diffs, 3.7 kB: the 2 largest are 42 % of the bytes") == true)
      #expect(try page.text(".totals tbody th") == "refill")
      try page.tab.click(".choice a:nth-child(2)")
      try page.expect("document.querySelector('.totals tbody th').textContent.includes('basic.ex:164')")
      try page.tab.click(".totals thead th:nth-child(4) a")
      try page.expect("document.querySelector('.totals tbody th').textContent.includes('basic.ex:161')")
      #expect(try page.query.contains("by=source") && page.query.contains("sort=wasted_bytes"))
      try page.tab.click(".insights .version")
      try page.expectVersion(1)
      try page.open("?tab=waste&sort=last_version")
      #expect(try page.text("#details .tabs [aria-current]") == "Cost")
      page.expectNoComplaint()
    }

    @Test func `the steps of a diff are arrows between three lanes, and each opens what it gave`() throws {
      let page = try InspectorPage("1.2.10/03_todo", "?version=9&tab=steps")
      #expect(try page.texts(".steps b").first == "4 Event")
      #expect(try page.count(".steps li") == 6)
      try page.tab.click(".steps li:nth-child(4) a")
      try page.expect("document.querySelector('.steps [aria-current]').textContent.startsWith('7 New Document')")
      #expect(try page.text(".artefact")?.hasPrefix("in ") == true)
      page.expectNoComplaint()
    }

    @Test func `a node has a biography whose versions are links`() throws {
      let page = try InspectorPage("1.2.10/03_todo", "?node=20")
      #expect(try page.bool("!document.getElementById('n20')"), "a diff removed it")
      let words = try page.text("#details") ?? ""
      #expect(words.contains("Version 12 removed this node"))
      try page.tab.click("#details a[href*='version=11']")
      try page.expectVersion(11)
      #expect(try page.bool("document.getElementById('n20').ariaSelected === 'true'"))
      page.expectNoComplaint()
    }

    @Test func `a click on a changed node selects it in the tree`() throws {
      let page = try InspectorPage("1.2.10/03_todo", "?version=9")
      try page.tab.click("#details .changes .node")
      try page.expect("document.querySelector('#nodes [aria-selected=true]')")
      #expect(try page.text("#details .subject")?.hasPrefix("Node ") == true)
      page.expectNoComplaint()
    }

    @Test func `before and after are side by side`() throws {
      let page = try InspectorPage("1.2.10/03_todo", "?version=9&show=compare")
      #expect(try page.text("#comparison th:nth-child(2)")?.contains("8") == true)
      #expect(try page.text("#comparison th:nth-child(3)")?.contains("9") == true)
      #expect(try page.count("#comparison tr.changed") ?? 0 > 0)
      #expect(try page.count("#comparison tr.moved") ?? 0 > 0)
      page.expectNoComplaint()
    }

    /// What the details list in words is what the log has as JSON.
    @Test func `the listed changes agree with the log at every version`() throws {
      let page = try InspectorPage()
      for entry in try page.log() {
        let version = entry["version"] as? Int ?? -1
        try page.open("?version=\(version)&blank=1&tab=diff")
        let expected = (entry["changes"] as? [[String: Any]] ?? []).compactMap { $0["node"] as? Int }
        let listed = try page.value(
          "[...document.querySelectorAll('#details .changes:not(.evaluations) > li')].map((line) => Number(line.querySelector('[data-node]').dataset.node))"
        ).array.compactMap(\.int)
        #expect(listed == expected, "v\(version)")
      }
      page.expectNoComplaint()
    }
  }
}
