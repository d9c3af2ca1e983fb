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

    @Test func `the tree is searched while a person types, and an only match is selected`() throws {
      let page = try InspectorPage()
      try page.press("/")
      try page.tab.type("phx-click=tog")
      try page.expect("location.search.includes('find=phx-click')")
      #expect(try page.text("#page-head [role=status]")?.contains("Nothing matches") == true)
      let before = try page.value("history.length").int ?? 0
      _ = try page.value("document.getElementById('find').select()")
      let id = try #require(try page.value("document.querySelector('#nodes li:last-child').id.slice(1)").string)
      try page.tab.type("node:\(id)")
      try page.expect("document.querySelector('#n\(id)').ariaSelected === 'true'")
      #expect(try page.texts("nav.found li").count == 1)
      #expect(try page.value("history.length").int == before, "typing is one entry of the history")
      #expect(try page.value("document.activeElement.id").string == "find")
      #expect(try page.value("document.getElementById('find').value").string == "node:\(id)")
      page.expectNoComplaint()
    }

    @Test func `a click on a text selects its element, with one request`() throws {
      let page = try InspectorPage("1.2.10/03_todo", "?find=li")
      try page.expect("document.querySelector('.stream .state').textContent === 'Live'")
      _ = try page.value(
        "(() => { const { fetch } = window; window.asked = []; window.fetch = (url, ...more) => (window.asked.push(String(url)), fetch(url, ...more)); })()"
      )
      let element = try #require(
        try page.value("document.querySelector('#nodes > li .what .node .text').closest('li').id").string)
      try page.tab.click("#\(element) .text")
      try page.expect("document.getElementById('\(element)').ariaSelected === 'true'")
      #expect(try page.bool("location.search.includes('node=\(element.dropFirst())')"))
      try page.tab.wait(for: 0.3)
      #expect(try page.value("window.asked.filter((url) => url.includes('/inspector')).length").int == 1)
      page.expectNoComplaint()
    }

    @Test func `the line under the pointer stays where it is`() throws {
      let page = try InspectorPage()
      for number in 23...60 { try page.post(#"{"0":"\#(number)"}"#) }
      try page.expectVersion(60)
      try page.tab.hover("#v55 .version")
      let top = "Math.round(document.querySelector('#v55').getBoundingClientRect().top)"
      let before = try page.value(top).int
      try page.post(#"{"0":"newer"}"#)
      try page.expectVersion(61)
      #expect(try page.value(top).int == before)
      #expect(try page.value("document.getElementById('n4').offsetHeight").int == 20)
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
