import Foundation
import RecordingFixtures
import ScriptedPhoenix
import Testing

extension BrowserSuite {
  /// Archives of a real browser's WebSocket traffic.
  @Suite struct HARTests {
    /// Loads a page that plays a recording.
    private func load(_ app: TappedPage, in tab: Tab) throws {
      try tab.open(app.server.address)
      #expect(try tab.wait(until: "window.isDone"))
      // The last frames are events of the protocol a moment later.
      try tab.wait(for: 0.3)
    }

    @Test(arguments: TapTests.recordings)
    func `an archive of Chromium gives each recording's state and causes`(recording: Recording) throws {
      let app = try TappedPage(recording, tap: nil, socket: .bare)
      let browser = try Chromium()
      let tab = try Tab(browser)
      let recorder = try HARRecorder(tab)
      for _ in 1...2 { try load(app, in: tab) }
      let mirror = try Mirror()
      let answer = try mirror.post("/views", recorder.text)
      #expect(answer.status == 201, "\(answer.body)")
      let json = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
      #expect(json?["format"] as? String == "har")
      #expect(json?["rejected_frames"] as? Int == 0)
      // Both loads of the page are separate, and closed.
      let pages = try #require(json?["pages"] as? [String])
      #expect(pages.count == 2)
      for page in pages {
        try mirror.expectViews(of: page, equalTo: recording)
        #expect(try mirror.get("/pages/\(page)").body.contains("\"closed_at\":\"20"))
      }
    }

    @Test func `an archive that was recorded without the socket says how to record it`() throws {
      let recording = try #require(TapTests.recordings.first)
      let app = try TappedPage(recording, tap: nil, socket: .bare)
      let browser = try Chromium()
      let tab = try Tab(browser)
      try load(app, in: tab)
      // As in a browser whose developer tools are opened after the page has loaded.
      let recorder = try HARRecorder(tab)
      _ = try tab.evaluate("fetch('/steps.json').then(() => true)")
      let answer = try Mirror().post("/views", recorder.text)
      #expect(answer.status == 422)
      #expect(answer.body.contains("open the developer tools before the page loads"))
    }
  }
}
