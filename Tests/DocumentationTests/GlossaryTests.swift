import Foundation
import RecordingFixtures
import Testing

/// The glossary names a declaration for each of its words, and the declaration exists.
@Suite struct GlossaryTests {
  /// The rows of all tables of `docs/glossary.md`: a word, its meaning, its name in code.
  private func rows() throws -> [[Substring]] {
    let page = try String(contentsOf: Fixtures.root.appending(path: "docs/glossary.md"), encoding: .utf8)
    return page.split(separator: "\n").filter { $0.hasPrefix("|**") }.map { row in
      row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map { $0 }
    }
  }

  /// The names of all types, functions, properties and cases that the sources declare.
  private func declarations() throws -> Set<Substring> {
    let sources = Fixtures.files(in: Fixtures.root.appending(path: "Sources"), withExtension: "swift")
    let keywords: Set<Substring> = [
      "struct", "class", "enum", "actor", "protocol", "typealias", "func", "var", "let", "case",
    ]
    var names: Set<Substring> = []
    for source in sources {
      for line in try String(contentsOf: source, encoding: .utf8).split(separator: "\n") {
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "/" }
        if words.first?.hasPrefix("/") == true { continue }
        for (keyword, name) in zip(words, words.dropFirst()) where keywords.contains(keyword) { names.insert(name) }
      }
    }
    return names
  }

  @Test func `every word has a name in code, and each name is declared in the sources`() throws {
    let (rows, declared) = (try rows(), try declarations())
    #expect(rows.count > 50)
    for row in rows {
      try #require(row.count == 3, "\(row)")
      let code = row[2].drop { $0 == "`" }.prefix { $0 != "`" }
      #expect(!code.isEmpty, "\(row[0]) has no name in code")
      for name in code.split(separator: ".") {
        #expect(declared.contains(name), "\(row[0]): \(code) is not declared in Sources")
      }
    }
  }
}
