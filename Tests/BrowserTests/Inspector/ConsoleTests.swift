import RecordingFixtures
import Testing

extension BrowserSuite.InspectorTests {
  /// No page of any recording writes an error, in any state.
  @Suite struct ConsoleTests {
    private static let queries = [
      "", "?version=0", "?node=3", "?version=1&node=99999", "?tab=cost", "?tab=diagnostics", "?tab=subscribers",
      "?tab=view",
      "?show=mirror", "?show=both", "?show=compare", "?find=div", "?find=nothing", "?filter=is:waste", "?blank=1",
      "?under=2",
    ]

    @Test func `no state of any recording has an error in the console`() throws {
      let mirror = try Mirror()
      let browser = try Chromium()
      let tab = try Tab(browser)
      for (number, recording) in Recording.committed.enumerated() {
        let dialect = recording.isNative ? "&dialect=native" : ""
        try mirror.post("/frames?page=p\(number)\(dialect)", TimedTraffic(recording).lines)
      }
      let list = try mirror.get("/views").body
      let views = list.matches(of: /"view": *"([^"]+)"/).map { String($0.1) }
      #expect(Set(views).count >= Recording.committed.count)
      // Each view in some of the states, and all states.
      for (number, view) in Set(views).sorted().enumerated() {
        for (position, query) in Self.queries.enumerated() where (number + position) % 4 == 0 || number < 2 {
          tab.forget()
          try tab.open("\(mirror.address)/views/\(view)\(query)")
          try tab.wait(for: 0.05)
          // A version that does not exist is a 404 of the page itself. The rendered page of an app
          // may contain scripts, plugins and images of other hosts, which the frame's policy
          // blocks.
          let blocked = ["404", "Blocked script execution", "Loading the image", "Loading plugin data"]
          let faults = tab.complaints.filter { complaint in !blocked.contains { complaint.contains($0) } }
          #expect(faults == [], "\(view)\(query)")
        }
      }
    }
  }
}
