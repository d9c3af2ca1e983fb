import Testing

extension BrowserSuite.InspectorTests {
  @Suite struct KeyTests {
    @Test func `t, m, b and c choose the content of the page`() throws {
      let page = try InspectorPage()
      for (key, name) in [("m", "mirror"), ("b", "both"), ("c", "compare"), ("t", "tree")] {
        try page.press(key)
        try page.expect("document.body.classList.contains('shows-\(name)')")
      }
      #expect(try page.query == "")
      page.expectNoComplaint()
    }

    @Test func `a slash goes to the search, f to the filter, and Escape leaves them`() throws {
      let page = try InspectorPage()
      try page.press("/")
      #expect(try page.focused == "find")
      // A letter is text here.
      try page.press("j")
      #expect(try page.value("document.getElementById('find').value").string == "j")
      try page.press("Escape")
      #expect(try page.focused != "find")
      try page.press("f")
      #expect(try page.focused == "filter")
      page.expectNoComplaint()
    }

    @Test func `the help opens at its top, with the focus in it`() throws {
      let page = try InspectorPage()
      _ = try page.value("document.getElementById('keys').style.height = '8rem'")
      for _ in 0..<2 {
        try page.press("?")
        #expect(
          try page.bool("document.getElementById('keys').open && document.activeElement.closest('#keys') !== null"))
        #expect(try page.value("document.getElementById('keys').scrollTop").int == 0)
        _ = try page.value("document.getElementById('keys').scrollTop = 200")
        try page.press("Escape")
      }
      page.expectNoComplaint()
    }

    @Test func `quick keys add up, and with a filter they show the diffs that match it`() throws {
      let page = try InspectorPage()
      let key = "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }))"
      _ = try page.value("for (let n = 0; n < 13; n++) \(key)")
      try page.expectVersion(9)
      try page.open("?filter=swap_edit")
      let listed = try page.texts("#diffs .version")
      #expect(listed.count > 1)
      for version in listed {
        try page.press("j")
        try page.expectVersion(Int(version.dropFirst()) ?? -1)
      }
      try page.press("k")
      try page.expectVersion(Int(listed[listed.count - 2].dropFirst()) ?? -1)
      page.expectNoComplaint()
    }

    @Test func `n and N move the focus between the nodes that the version changed`() throws {
      let page = try InspectorPage("1.2.10/03_todo", "?version=9")
      let changed = try page.texts("#nodes > .touched .ref:first-of-type")
      #expect(changed.count > 1)
      try page.press("n")
      let first = try page.focused
      try page.press("n")
      let second = try page.focused
      #expect(first != second)
      for id in [first, second].compactMap(\.self) {
        #expect(try page.bool("document.getElementById('\(id)').matches('.touched')"))
      }
      try page.press("N")
      #expect(try page.focused == first)
      page.expectNoComplaint()
    }

    @Test func `a question mark lists the keys, and Escape returns to the place before`() throws {
      let page = try InspectorPage()
      _ = try page.value("document.querySelector('#v22 a').focus()")
      try page.press("?")
      try page.expect("document.querySelector('dialog[open]')")
      let keys = try page.texts("dialog kbd")
      for key in ["j", "k", "p", "l", "/", "f", "t", "m", "b", "c", "?"] { #expect(keys.contains(key), "\(key)") }
      try page.press("Escape")
      try page.expect("!document.querySelector('dialog[open]')")
      #expect(try page.focused == "v22")
      page.expectNoComplaint()
    }
  }
}
