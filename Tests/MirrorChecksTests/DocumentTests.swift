import Foundation
import RecordingFixtures
import Testing

@testable import MirrorChecks

/// `docs/check.md` describes every rule, and its examples are valid.
@Suite struct DocumentTests {
  private let page: String

  init() throws { page = try String(contentsOf: Fixtures.root.appending(path: "docs/check.md"), encoding: .utf8) }

  /// The blocks of YAML, in order.
  private var blocks: [String] {
    page.components(separatedBy: "```yaml\n").dropFirst().compactMap { $0.components(separatedBy: "```").first }
  }

  @Test(arguments: BudgetRule.allCases) func `every rule has a row`(rule: BudgetRule) {
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
    #expect(rows.contains { $0.contains("`\(rule.rawValue)`") })
  }

  @Test func `the budget and the steps can be read`() throws {
    let budget = try Budget(try #require(blocks.first { $0.contains("events:") }))
    #expect(budget.limits.keys.count { $0 != .all } == 5)
    let steps = try ScenarioReader.read(
      Array(try #require(blocks.first { $0.contains("wait_for") }).utf8), name: "steps.yml"
    ) { _ in "value" }
    #expect(Set(steps.map(\.action)) == Set(ScenarioStep.Action.allCases))
  }

  @Test func `the text of the example is that of a recording`() throws {
    let text = try String(contentsOf: Fixtures.folder("checks").appending(path: "shop.txt"), encoding: .utf8)
    let example = try #require(
      page.components(separatedBy: "```\n").first { $0.hasPrefix("shop.ndjson") })
    let lines = Set(text.split(separator: "\n"))
    let unknown = example.split(separator: "\n").filter { !lines.contains($0) && !$0.hasPrefix("✗") }
    #expect(unknown == [])
  }
}
