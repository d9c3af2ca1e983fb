import Foundation
import RecordingFixtures
import Testing

@testable import RenderedTree

/// The grammar, against `docs/update-process.md` and the recordings.
@Suite struct DiffGrammarTests {
  /// A row of the table of keys: the first cell without its code marks, and where the key occurs.
  private struct Row {
    let name: String
    let place: String
  }

  private func rows() throws -> [Row] {
    let page = try String(contentsOf: Fixtures.root.appending(path: "docs/update-process.md"), encoding: .utf8)
    let table = try #require(page.components(separatedBy: "| key | where; LiveView |").dropFirst().first)
    return table.split(separator: "\n").dropFirst(2).prefix { $0.hasPrefix("|") }.map { row in
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      return Row(name: cells[0].replacing("`", with: ""), place: cells[1])
    }
  }

  /// The name of a key, without what the first cell says of its value.
  private func key(_ row: Row) -> String { String(row.name.prefix { $0.isLetter || $0.isNumber }) }

  @Test func `the table of keys in the documentation has the same keys`() throws {
    let documented = Set(try rows().map(key))
    #expect(documented == Set(DiffKey.allCases.map(\.name) + ["0"]))
    #expect(Set(DiffGrammar.rules.compactMap(\.key)) == Set(DiffKey.allCases))
  }

  @Test(arguments: DiffKey.allCases) func `the documentation names the versions of a key`(key: DiffKey) throws {
    let places = try rows().filter { self.key($0) == key.name }.map(\.place).joined(separator: "; ")
    for rule in DiffGrammar.rules where rule.key == key {
      let versions = rule.versions
      if versions.lowerBound > 0 { #expect(places.contains("≥ 1.\(versions.lowerBound)")) }
      if versions.upperBound < DiffGrammar.versions.upperBound { #expect(places.contains("1.\(versions.upperBound)")) }
      if rule.objects == [.update] { #expect(places.contains("top")) }
      if rule.objects == [.component] { #expect(places.contains("component")) }
    }
  }

  @Test func `only objects of the grammar have keys, and each of them has some`() {
    let objects = Set(DiffGrammar.rules.flatMap(\.objects))
    #expect(objects == Set(DiffPart.allCases.filter(\.hasKeys)))
  }

  @Test func `a name is a key, an index, or unknown`() {
    for key in DiffKey.allCases { #expect(DiffName(key.name) == .key(key)) }
    for (name, index) in [("0", 0), ("7", 7), ("10", 10), ("999999999", 999_999_999)] {
      #expect(DiffName(name) == .index(index))
    }
    for name in ["", "\0s", "00", "01", "-1", "1000000000", "x", "sk", "kd", "streams", "strea", "é", "rendered"] {
      #expect(DiffName(name) == .unknown)
    }
  }

  @Test func `the meaning of a key depends on its object and its value`() {
    func part(_ name: String, isNumber: Bool = false, in object: DiffPart) -> DiffPart {
      DiffGrammar.part(of: DiffName(name), isNumber: isNumber, in: object)
    }
    #expect(part("s", isNumber: true, in: .component) == .clone && part("s", in: .component) == .statics)
    #expect(part("s", isNumber: true, in: .slot) == .statics)
    #expect(part("r", isNumber: true, in: .update) == .root && part("r", in: .update) == .reply)
    #expect(part("r", in: .slot) == .root && part("c", in: .slot) == .unknown && part("c", in: .update) == .components)
    #expect(part("0", in: .keyed) == .keyedEntry && part("0", in: .components) == .component)
    #expect(part("kc", in: .keyed) == .count && part("kc", in: .slot) == .unknown && part("s", in: .keyed) == .unknown)
    #expect(part("0", in: .reply) == .unknown && part("x", in: .update) == .unknown)
  }
}
