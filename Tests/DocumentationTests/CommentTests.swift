import Foundation
import RecordingFixtures
import Testing

/// Comments are narrow enough to be read beside another file.
@Suite struct CommentTests {
  private static let columns = 100

  /// The package, its sources and its tests.
  private static var files: [URL] {
    [Fixtures.root.appending(path: "Package.swift")]
      + ["Sources", "Tests"].flatMap { Fixtures.files(in: Fixtures.root.appending(path: $0), withExtension: "swift") }
  }

  /// The lines that are too long. Code, tables and drawings may have the width that they need.
  private func longLines(of file: URL) throws -> [String] {
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    var isCode = false
    return lines.indices.compactMap { index in
      let text = lines[index].drop { $0 == " " }
      guard text.hasPrefix("//") else { return nil }
      let words = text.drop { $0 == "/" }
      if words.hasPrefix(" ```") { isCode.toggle() }
      let isAsWideAsItMustBe = isCode || words.hasPrefix("     ") || words.hasPrefix(" |")
      if isAsWideAsItMustBe || lines[index].count <= Self.columns { return nil }
      return "\(file.lastPathComponent):\(index + 1)"
    }
  }

  @Test func `a line of a comment has at most 100 columns`() throws {
    #expect(try Self.files.flatMap(longLines) == [])
  }
}
