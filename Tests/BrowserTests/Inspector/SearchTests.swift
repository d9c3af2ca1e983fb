import Foundation
import Testing

extension BrowserSuite.InspectorTests {
  @Suite struct SearchTests {
    /// What is searched for, and an expression for the lines that must match.
    @Test(arguments: [
      ("20", "line.id === 'n20'"),
      ("li", "line.querySelector('.tag')?.textContent === '<li'"),
      ("li.done", "line.querySelector('.tag')?.textContent === '<li'"),
      ("[phx-click=toggle]", "line.textContent.includes('phx-click=toggle')"),
    ])
    func `a number, a tag and a selector are found`(text: String, matches: String) throws {
      let page = try InspectorPage("1.2.10/03_todo", "?version=2")
      try page.press("/")
      try page.tab.type(text)
      try page.press("Enter")
      try page.expect("document.querySelector('#nodes > .found')")
      #expect(
        try page.value("[...document.querySelectorAll('#nodes > .found')].filter((line) => !(\(matches))).length").int
          == 0)
      #expect(try page.bool("document.querySelectorAll('.way.found li').length > 0"))
      // The first match is in view.
      #expect(try page.bool("document.querySelector('#nodes > .found').checkVisibility()"))
      page.expectNoComplaint()
    }

    @Test func `an id and a text are found`() throws {
      let page = try InspectorPage("1.2.10/07_streams")
      let id = try #require(
        try page.value(
          "[...document.querySelectorAll('#nodes .attribute')].find((e) => e.textContent.startsWith('id='))?.textContent.slice(3)"
        ).string)
      for text in ["#\(id)", id] {
        try page.open("?find=\(text.replacingOccurrences(of: "#", with: "%23"))")
        #expect(try page.bool("document.querySelector('#nodes > .found').textContent.includes('\(id)')"), "\(text)")
      }
      page.expectNoComplaint()
    }

    @Test func `without a match, the page says so and offers to clear the search`() throws {
      let page = try InspectorPage("1.2.10/03_todo", "?find=nosuchthing")
      #expect(try page.text("#page-head [role=status]")?.contains("Nothing matches") == true)
      try page.tab.click("#page-head .found a:last-child")
      try page.expect("location.search === ''")
      #expect(try page.value("document.getElementById('find').value").string == "")
      page.expectNoComplaint()
    }

    @Test func `a subtree is shown alone, with the path to it`() throws {
      let page = try InspectorPage("1.2.10/03_todo", "?node=7")
      try page.tab.click("#details .actions a[href*=under]")
      try page.expect("document.querySelector('#nodes > li').id === 'n7'")
      try page.tab.click("#page-head .way li:first-child a")
      try page.expect("document.querySelector('#nodes > li').id === 'n1'")
      page.expectNoComplaint()
    }
  }
}
