import Foundation
import RecordingFixtures
import Testing

/// A page of the documentation with its checkable parts.
struct Article: CustomStringConvertible {
  let name: String
  let text: String
  let blocks: [Block]

  /// The content of a fenced block.
  struct Block {
    let language: String
    let text: String
  }

  init(name: String, text: String) {
    self.name = name
    self.text = text
    blocks = Self.blocks(of: text)
  }

  var description: String { name }

  /// The code of the page.
  var examples: [String] { blocks.filter { $0.language == "swift" && !$0.isManifest }.map(\.text) }

  /// The output of the code, as the page states it.
  var output: String { blocks.filter { $0.language.isEmpty }.map(\.text).joined(separator: "\n") }

  /// The articles that the page links to.
  var links: [String] { text.matches(of: /<doc:([^>]+)>/).map { String($0.output.1) } }

  private static func blocks(of text: String) -> [Block] {
    var blocks: [Block] = []
    var open: (language: String, lines: [String])?
    for line in text.components(separatedBy: "\n") {
      if let language = line.suffix(after: "```") {
        if let block = open {
          blocks.append(Block(language: block.language, text: block.lines.joined(separator: "\n")))
          open = nil
        } else {
          open = (language, [])
        }
      } else {
        open?.lines.append(line)
      }
    }
    return blocks
  }
}

extension Article.Block {
  /// Whether a block is a part of `Package.swift`, which an example cannot run.
  var isManifest: Bool { text.contains(".package(") }
}

// MARK: - Finding pages

extension Article {
  /// A catalogue of DocC in `Sources`.
  struct Catalogue: CustomStringConvertible {
    let module: String
    let articles: [Article]

    var description: String { module }

    /// The page that has the module's name.
    var landingPage: Article? { articles.first { $0.name == module } }

    static func all() throws -> [Catalogue] {
      let sources = Fixtures.root.appending(path: "Sources")
      return try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted().compactMap { module in
        let folder = sources.appending(path: "\(module)/\(module).docc")
        guard FileManager.default.fileExists(atPath: folder.path) else { return nil }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let articles = try files.filter { $0.hasSuffix(".md") }.map { file in
          Article(
            name: String(file.dropLast(3)),
            text: try String(contentsOf: folder.appending(path: file), encoding: .utf8))
        }
        return Catalogue(module: module, articles: articles)
      }
    }
  }

  /// The section of docs/library.md for a package that uses the libraries.
  static func library() throws -> Article {
    let page = try String(contentsOf: Fixtures.root.appending(path: "docs/library.md"), encoding: .utf8)
    let section = page.components(separatedBy: "\n## ").first { $0.hasPrefix("In your package\n") } ?? ""
    return Article(name: "library", text: section)
  }

  /// One of the pairs of lines for `Package.swift`: a dependency of the package, and one of the
  /// target.
  static func manifest(_ place: Int) throws -> [String] {
    let manifests = try library().blocks.filter(\.isManifest)
    try #require(manifests.count == 2)
    let lines = manifests[place].text.split(separator: "\n").map(String.init)
    try #require(lines.count == 2)
    return lines
  }

  /// All pages with code.
  static func all() throws -> [Article] { try Catalogue.all().flatMap(\.articles) + [library()] }
}

extension Region {
  /// The regions of all examples.
  static func all() throws -> [Region] {
    let folder = Fixtures.root.appending(path: "Tests/DocumentationTests/Examples")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().flatMap { file in
      file == "Example.swift"
        ? [] : Region.all(in: try String(contentsOf: folder.appending(path: file), encoding: .utf8))
    }
  }
}
