import ArgumentParser
import Foundation
import RecordingFixtures
import Testing

@testable import liveview_mirror

@Suite struct RunningPageTests {
  private var page: String {
    get throws { try String(contentsOf: Fixtures.root.appending(path: "docs/running.md"), encoding: .utf8) }
  }

  @Test func `docs/running.md has a row for every setting in order, with variable and default`() throws {
    let rows = try page.split(separator: "\n").filter { $0.hasPrefix("| `--") }
    #expect(rows.count == Setting.all.count)
    for (row, setting) in zip(rows, Setting.all) {
      let value = setting.defaultText.map { "`\($0)` " } ?? ""
      #expect(row.hasPrefix("| `\(setting.flag)` | `\(setting.variable)` | \(value)| "))
    }
  }

  @Test func `the errors in docs/running.md are the errors of the program`() throws {
    let result = try ServeFlags.parse(["--port", "80x"])
    let error = try #require(throws: SettingsError.self) {
      try ServeSettings(flag: result.text(of:), environment: ["MIRROR_MAX_BODY": "16XB"]) { _ in nil }
    }
    for problem in error.problems { #expect(try page.contains("liveview-mirror: \(problem)\n")) }
  }
}
