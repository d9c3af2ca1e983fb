import Foundation
import RecordingFixtures

/// A page of the documentation, as far as it can be checked.
struct Article: CustomStringConvertible {
  let name: String
  let text: String
  let blocks: [Block]

  /// What stands between two fences.
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

  /// The code that it shows.
  var examples: [String] { blocks.filter { $0.language == "swift" && !$0.isManifest }.map(\.text) }

  /// What it says that its code prints.
  var output: String { blocks.filter { $0.language.isEmpty }.map(\.text).joined(separator: "\n") }

  /// The articles that it links to.
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
  /// What goes into a `Package.swift` is no code that an example could run.
  var isManifest: Bool { text.contains(".package(") }
}

// MARK: - Where they are

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

  /// The library section of the README.
  static func readme() throws -> Article {
    let readme = try String(contentsOf: Fixtures.root.appending(path: "README.md"), encoding: .utf8)
    let section = readme.components(separatedBy: "\n## ").first { $0.hasPrefix("Library\n") } ?? ""
    return Article(name: "README", text: section)
  }

  /// Everything that shows code.
  static func all() throws -> [Article] { try Catalogue.all().flatMap(\.articles) + [readme()] }
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
