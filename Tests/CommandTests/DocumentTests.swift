import Foundation
import RecordingFixtures
import Testing

extension CommandSuite {
  /// The documents as a reader gets them: their commands work, their links lead somewhere, and they
  /// stay short.
  @Suite struct DocumentTests {
    private static let pages: [String] = {
      let names =
        (try? FileManager.default.contentsOfDirectory(atPath: Fixtures.root.appending(path: "docs").path)) ?? []
      return names.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" } + ["README.md", "CONTRIBUTING.md"]
    }()

    private func text(_ page: String) throws -> String {
      try String(contentsOf: Fixtures.root.appending(path: page), encoding: .utf8)
    }

    /// The shell blocks of a page, each with the line before it.
    private func blocks(_ page: String) throws -> [(before: Substring, script: String)] {
      let lines = try text(page).split(separator: "\n", omittingEmptySubsequences: false)
      return lines.indices.filter { lines[$0].drop { $0 == " " } == "```sh" }.map { begin in
        let script = lines[(begin + 1)...].prefix { !$0.drop { $0 == " " }.hasPrefix("```") }
        return (lines[..<begin].last { !$0.isEmpty } ?? "", script.joined(separator: "\n"))
      }
    }

    @Test func `every command of a page runs, or has the reason why not before it`() throws {
      let bin = try TemporaryFolder([:])
      try bin.link("liveview-mirror", to: try Fixtures.program)
      var count = 0
      for page in Self.pages {
        let scripts = try blocks(page).filter { block in !block.before.contains(/^ *<!-- not run: .{8,} -->$/) }
        if scripts.isEmpty { continue }
        let server = try Server()
        let folder = try TemporaryFolder([:])
        for (_, script) in scripts {
          let script = script.replacing("localhost:8080", with: server.host)
          let result = try folder.shell(
            script, environment: ["MIRROR_PORT": String(server.port), "HOME": folder.path], path: bin.path)
          #expect(result.code == 0, "\(page): \(script)\n\(result.errors)")
          // A server that refuses a request reports a problem.
          #expect(!result.output.contains(#""title":"Bad Request""#), "\(page): \(script)\n\(result.output)")
          count += 1
        }
      }
      #expect(count > 15)
    }

    @Test func `relative links lead to files and headings`() throws {
      var anchors: [String: Set<String>] = [:]
      for page in Self.pages {
        let folder = page.hasPrefix("docs/") ? "docs/" : ""
        for match in try text(page).matches(of: #/\]\(([^)\s]+)\)/#) where !match.1.hasPrefix("http") {
          let parts = match.1.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
          let path = parts[0].isEmpty ? page : folder + parts[0]
          let file = Fixtures.root.appending(path: path).standardizedFileURL
          #expect(FileManager.default.fileExists(atPath: file.path), "\(page): \(match.1)")
          guard parts.count == 2, file.pathExtension == "md" else { continue }
          if anchors[file.path] == nil {
            anchors[file.path] = Self.anchors(try String(contentsOf: file, encoding: .utf8))
          }
          #expect(anchors[file.path]?.contains(String(parts[1])) == true, "\(page): \(match.1)")
        }
      }
    }

    /// The anchors that GitHub gives the headings of a page.
    private static func anchors(_ text: String) -> Set<String> {
      let outside = text.components(separatedBy: "```").enumerated().filter { $0.offset.isMultiple(of: 2) }.map(
        \.element)
      return Set(
        outside.joined().split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
          line.drop { $0 == "#" }.dropFirst().lowercased().filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
            .replacing(" ", with: "-")
        })
    }

    /// `script/trace` writes the list again when the way has changed.
    @Test func `every function on the way of a posted diff exists`() throws {
      let items = try text("docs/architecture.md").matches(of: /(?m)^  - `([\w-]+)`: (`.+`)$/)
      #expect(items.count > 20)
      var sources: [Substring: String] = [:]
      for item in items {
        let module = item.output.1
        if sources[module] == nil { sources[module] = try Self.sources(of: module) }
        for function in item.output.2.matches(of: /`([\w.]+)\.(\w+)`/) {
          let isKnown = sources[module]?.contains("func \(function.output.2)") == true
          #expect(isKnown, "script/trace: \(module) has no \(function.output.0)")
        }
      }
    }

    private static func sources(of module: Substring) throws -> String {
      try Fixtures.files(in: Fixtures.root.appending(path: "Sources/\(module)"), withExtension: "swift")
        .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    }

    /// Guides answer a question and stop. A page that becomes longer makes another one shorter.
    @Test func `all pages together have at most 31,000 words, and no cell of a table more than 60`() throws {
      let words = try Self.pages.reduce(0) { $0 + (try text($1).split(whereSeparator: \.isWhitespace).count) }
      #expect(words <= 31_000)
      for page in Self.pages {
        for line in try text(page).split(separator: "\n") where line.hasPrefix("|") {
          for cell in line.replacing("\\|", with: " ").split(separator: "|") {
            #expect(cell.split(separator: " ").count <= 60, "\(page): \(cell)")
          }
        }
      }
    }
  }
}
