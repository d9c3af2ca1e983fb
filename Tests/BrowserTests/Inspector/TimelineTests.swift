import Foundation
import Testing

extension BrowserSuite.InspectorTests {
  @Suite struct TimelineTests {
    @Test func `a line for each diff has its version, cause, counts and marks, as in the log`() throws {
      let page = try InspectorPage()
      let log = try page.log()
      #expect(log.count == 23)
      #expect(try page.texts("#diffs > li .version") == (0...22).reversed().map { "v\($0)" })
      for entry in log {
        let line = "#v\(entry["version"] as? Int ?? -1)"
        let cause = entry["cause"] as? [String: Any]
        #expect(try page.text("\(line) .cause") == (cause.map { "\($0["event"] ?? "")" } ?? "mount"))
        let title = cause.map { "\($0["type"] ?? "") \($0["event"] ?? "")" } ?? ""
        #expect(try page.value("document.querySelector('\(line) .cause').title").string == title)
        // White space is folded here too. All single texts that this recording removes are white
        // space.
        let texts = ["text", "before", "after"]
        let changes = (entry["changes"] as? [[String: Any]] ?? []).filter { change in
          let isOfText = change["op"] as? String == "text" || change["kind"] as? String == "text"
          return !isOfText || !texts.compactMap { change[$0] as? String }.joined().allSatisfy(\.isWhitespace)
        }.compactMap { $0["op"] as? String }
        let counts = [["text", "attributes"], ["add"], ["remove"], ["move"]].map { operations in
          changes.count { operations.contains($0) }
        }
        let columns = zip(["~", "+", "-", "⇄"], counts).filter { $0.1 > 0 }.map { "\($0)\($1)" }
        #expect(try page.text("\(line) .counts")?.split(separator: " ").map(String.init) == columns)
        let words = zip(counts, ["changed", "added", "removed", "moved"]).filter { $0.0 > 0 }.map { "\($0) \($1)" }
        let label = words.isEmpty ? "no changes" : words.joined(separator: ", ")
        #expect(try page.value("document.querySelector('\(line) .counts').ariaLabel").string == label)
        let wasted = (entry["waste"] as? [String: Any])?["slots"] as? [String] ?? []
        #expect(try page.bool("document.querySelector('\(line) .flags').textContent.includes('!')") == !wasted.isEmpty)
      }
      page.expectNoComplaint()
    }

    @Test func `a click on a line shows its diff`() throws {
      let page = try InspectorPage()
      try page.tab.click("#v7 a")
      try page.expectVersion(7)
      #expect(try page.query == "?version=7&epoch=1")
      #expect(try page.text("#diffs [aria-current]")?.hasPrefix("v7 ") == true)
      #expect(try page.text("#details .subject")?.contains("reverse") == true)
      page.expectNoComplaint()
    }

    @Test func `a rejected diff is a line that opens its place and its reason`() throws {
      let page = try InspectorPage()
      try page.post(#"{"9":{"0":"no such slot"}}"#)
      try page.expect("document.querySelector('#diffs > .rejected')")
      #expect(try page.text("#diffs > li:first-child .version") == "✕")
      try page.tab.click("#diffs .rejected a")
      try page.expect("document.querySelector('#details .reason')?.checkVisibility()")
      try page.expect("location.search.includes('rejected=')")
      #expect(try page.text("#details")?.contains("/9") == true)
      #expect(try page.text("#details")?.contains("Nothing was applied") == true)
      page.expectNoComplaint()
    }

    @Test func `the filter narrows the lines, and its address can be shared`() throws {
      let page = try InspectorPage()
      try page.tab.click("#filter")
      try page.tab.type("toggle op:add")
      try page.press("Enter")
      try page.expect("document.querySelectorAll('#diffs > li').length < 23")
      let expected = try page.log().reversed().filter { entry in
        let changes = entry["changes"] as? [[String: Any]] ?? []
        return (entry["cause"] as? [String: Any])?["event"] as? String == "toggle"
          && changes.contains { $0["op"] as? String == "add" }
      }
      let versions = expected.map { "v\($0["version"] ?? "")" }
      #expect(!versions.isEmpty)
      #expect(try page.texts("#diffs > li .version") == versions)
      let query = try page.query
      #expect(query.contains("filter=toggle"))
      try page.open(query)
      #expect(try page.texts("#diffs > li .version") == versions)
      #expect(try page.value("document.getElementById('filter').value").string == "toggle op:add")
      page.expectNoComplaint()
    }

    @Test func `the timeline is filtered while a person types`() throws {
      let page = try InspectorPage()
      let before = try page.value("history.length").int ?? 0
      try page.press("f")
      try page.tab.type("swap")
      try page.expect("location.search.includes('filter=swap')")
      try page.expect("document.querySelectorAll('#diffs > li').length < 10")
      let listed = try page.texts("#diffs > li .cause")
      // The mount has a button with this id.
      #expect(listed.count > 1 && listed.dropLast().allSatisfy { $0.contains("swap") } && listed.last == "mount")
      try page.tab.type("_edit")
      try page.expect("location.search.includes('filter=swap_edit')")
      #expect(try page.value("history.length").int == before + 1, "typing is one entry of the history")
      #expect(try page.focused == "filter")
      #expect(try page.value("document.getElementById('filter').value").string == "swap_edit")
      page.expectNoComplaint()
    }

    @Test func `quick filters are links that switch on and off`() throws {
      let page = try InspectorPage()
      let wasteful = try page.log().filter {
        (($0["waste"] as? [String: Any])?["slots"] as? [String])?.isEmpty == false
      }
      try page.tab.click(".quick a[href*=waste]")
      try page.expect("document.querySelectorAll('#diffs > li').length === \(wasteful.count)")
      try page.tab.click(".quick a[aria-current]")
      try page.expect("document.querySelectorAll('#diffs > li').length === 23")
      page.expectNoComplaint()
    }

    @Test func `a long log has pages`() throws {
      let page = try InspectorPage()
      for number in 0..<150 { try page.post(#"{"0":"\#(number)"}"#) }
      try page.open()
      #expect(try page.count("#diffs > li") == 50)
      #expect(try page.text("#diffs > li:first-child .version") == "v172")
      try page.tab.click(".pages a[rel=prev]")
      try page.expect("document.querySelector('#diffs > li:first-child').id === 'v122'")
      try page.expect("document.querySelector('#diffs > li:last-child').id === 'v73'")
      try page.tab.click(".pages a[rel=next]")
      try page.expect("document.querySelector('#diffs > li:first-child').id === 'v172'")
      page.expectNoComplaint()
    }
  }
}
