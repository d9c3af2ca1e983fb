import Foundation
import RecordingFixtures
import Testing

/// The code of each article, as printed, is the program of a package that depends only on the
/// products whose modules it imports.
@Suite(.serialized, .enabled(if: TestEffort.isAll, "each package is built")) struct PackageTests {
  @Test(arguments: try Article.all().filter { !$0.examples.isEmpty }) func `a package of its own builds and runs`(
    article: Article
  ) throws {
    var sources = ["main.swift": try article.program()]
    if article.name == "UpdateStreams" {
      // `clock` is any scheduler in the article.
      let clock = Fixtures.root.appending(path: "Tests/TestSupport/HandClock.swift")
      sources["HandClock.swift"] = try String(contentsOf: clock, encoding: .utf8)
      sources["main.swift"]?.replace("let settled", with: "let clock = HandClock()\nlet settled")
    }
    let imported = sources.values.joined(separator: "\n").matches(of: /import (\w+)/).map { String($0.output.1) }
    var targetDependencies = Set(imported).intersection(try Self.products()).map {
      ".product(name: \"\($0)\", package: \"liveview-mirror\")"
    }
    var dependencies = [".package(name: \"liveview-mirror\", path: \"\(Fixtures.root.path)\", traits: [])"]
    if imported.contains("OpenCombine") {
      let lines = try Article.manifest(1)
      dependencies.append(lines[0])
      targetDependencies.append(lines[1])
    }
    let package = try UserPackage(
      dependencies: dependencies.joined(separator: ", "),
      targetDependencies: targetDependencies.joined(separator: ", "),
      sources: sources)
    let printed = try package.output(products: Fixtures.root.appending(path: ".build-examples"))
    // The time of this clock does not pass, so its operators print nothing.
    if article.name != "UpdateStreams" { #expect(printed == article.output + "\n") }
  }

  private static func products() throws -> Set<String> {
    let own = try String(contentsOf: Fixtures.root.appending(path: "Package.swift"), encoding: .utf8)
    return Set(own.replacing(/\s+/, with: "").matches(of: /\.library\(name:"(\w+)"/).map { String($0.output.1) })
  }
}

extension Article {
  /// The printed code, with the imports of its tested example unless it prints them.
  fileprivate func program() throws -> String {
    let code = examples.joined(separator: "\n\n") + "\n"
    if code.hasPrefix("import ") { return code }
    let file = Fixtures.root.appending(path: "Tests/DocumentationTests/Examples/\(name)Example.swift")
    let imports = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n").filter { line in
      ["import ", "  import ", "#"].contains(where: line.hasPrefix) && line != "import TestSupport"
    }
    return imports.joined(separator: "\n") + "\n\n" + code
  }
}
