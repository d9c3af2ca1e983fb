import Foundation
import Testing

extension BrowserSuite.InspectorTests {
  /// What helps to read a diff and to share it: pictures, local times, menus, the link, and the page as a file.
  @Suite struct ReadingTests {
    private static let frame = "document.querySelector('#mirror iframe')?.contentDocument"

    @Test func `a diff begins with what happened, and with pictures of the page before and after`() throws {
      let page = try InspectorPage("1.2.10/03_todo", "?version=19")
      #expect(try page.text("#details h3") == "Clicking reverse moved 2 of 3 list items")
      #expect(try page.texts(".pictures figcaption") == ["Before", "After"])
      let places = """
        [...document.querySelectorAll('.pictures iframe')].map((frame) =>
          [...frame.contentDocument?.querySelectorAll('[data-mirror-change]') ?? []].map((element) => element.id).join(' '))
        """
      try page.expect("\(places).join() === 't11 t13,t13 t11'")
      // Another diff has other frames, and Back leads to the page before, not to a frame's.
      let frames = "[...document.querySelectorAll('.pictures iframe')].map(({ id }) => id).join()"
      try page.press("j")
      try page.expect("\(frames) === 'before-18,after-18'")
      try page.tab.click("#v10 a")
      try page.expect("\(frames) === 'before-10,after-10'")
      _ = try page.value("history.back()")
      try page.expectVersion(18)
      #expect(try page.bool("document.querySelector('.pictures iframe').tabIndex === -1"))
      page.expectNoComplaint()
    }

    @Test func `the rendered page frames the element of the event, and the last diffs on demand`() throws {
      let page = try InspectorPage("1.2.10/03_todo", "?version=19&show=mirror")
      try page.expect("\(Self.frame)?.querySelector('[data-mirror-acted]')?.id === 'b-reverse'")
      let heat =
        "[...\(Self.frame).querySelectorAll('[data-mirror-heat]')].map((element) => element.dataset.mirrorHeat)"
      #expect(try page.bool("\(heat).every((level) => level === '4')"))
      _ = try page.value("[...document.querySelectorAll('.mirror-bar button')].at(-1).click()")
      try page.expect("\(heat).some((level) => level !== '4')")
      page.expectNoComplaint()
    }

    @Test func `times are those of the reader, and their tooltips those of the server`() throws {
      let page = try InspectorPage()
      try page.tab.call("Emulation.setTimezoneOverride", ["timezoneId": "Asia/Tokyo"])
      try page.open("?version=3&tab=diff")
      let time = "document.querySelector('.circumstances time')"
      try page.expect("!\(time).textContent.endsWith('Z')")
      let hours = try page.value(
        "(Number(\(time).textContent.slice(0, 2)) - Number(\(time).title.slice(11, 13)) + 24) % 24")
      #expect(hours.int == 9)
      #expect(try page.bool("\(time).title.endsWith('Z')"))
      // Also after an update in place.
      try page.press("j")
      try page.expectVersion(2)
      try page.expect("!\(time).textContent.endsWith('Z')")
      page.expectNoComplaint()
    }

    @Test func `Escape, a click elsewhere and a click on a link close a menu`() throws {
      let page = try InspectorPage()
      let isOpen = "document.querySelector('.export').open"
      try page.expect("document.querySelector('.stream .state')")
      try page.tab.click(".export summary")
      try page.expect(isOpen)
      try page.press("Escape")
      try page.expect("!\(isOpen) && document.activeElement === document.querySelector('.export summary')")
      try page.tab.click(".export summary")
      try page.expect(isOpen)
      try page.tab.click("#v3 a")
      try page.expect("!\(isOpen)")
      page.expectNoComplaint()
    }

    @Test func `the link to the version is copied, and the saved page shows the same by itself`() throws {
      let page = try InspectorPage("1.2.10/03_todo", "?version=19")
      _ = try page.value(
        """
        Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text } } });
        const create = URL.createObjectURL;
        URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text }); return create(blob) }
        """)
      try page.tab.click(".export summary")
      _ = try page.value("[...document.querySelectorAll('.export button')].forEach((button) => button.click())")
      try page.expect("window.copied?.includes('version=19') && window.copied.includes('epoch=1')")
      try page.expect("window.saved?.includes('</html>')")
      #expect(try page.bool("window.saved.includes('<bdi>reverse</bdi></a></b> moved 2 of 3 list items')"))
      #expect(try page.bool("window.saved.match(/srcdoc=/g).length === 2 && window.saved.includes('--accent-tint')"))
      #expect(
        try page.bool("!/<script|rel=\\\"stylesheet\\\"/.test(window.saved.replace(/srcdoc=\\\"[^\\\"]*\\\"/g, ''))"))
      page.expectNoComplaint()
    }
  }
}
