import Foundation
import RecordingFixtures
import Testing

@testable import MirrorChecks

extension CommandSuite {
  /// The action of GitHub, with an archive of this machine instead of that of a release.
  @Suite struct ActionTests {
    /// The scripts of the action's steps, in order.
    private static func scripts() throws -> [String] {
      let bytes = [UInt8](try Data(contentsOf: Fixtures.root.appending(path: "action.yml")))
      let root = try YAMLNode(of: bytes, name: "action.yml", expecting: "an action")
      let steps = root["runs"]?["steps"]?.sequence ?? []
      return steps.compactMap { $0["run"]?.text }
    }

    /// An archive with a link to the built program.
    private func archive() throws -> TemporaryFolder {
      let folder = try TemporaryFolder([:])
      try FileManager.default.createDirectory(atPath: "\(folder.path)/mirror", withIntermediateDirectories: true)
      try folder.link("mirror/liveview-mirror", to: try Fixtures.program)
      let made = try folder.shell(
        "tar -czf mirror.tar.gz mirror; sha256sum mirror.tar.gz >mirror.tar.gz.sha256", environment: [:], path: "/")
      try #require(made.code == 0)
      return folder
    }

    @Test func `the action fetches an archive, checks strictly, and writes a summary`() throws {
      let scripts = try Self.scripts()
      try #require(scripts.count == 2)
      let archive = try archive()
      let work = try TemporaryFolder([
        "a.ndjson": #"{"rendered":{"0":"0","s":["<p>","</p>"]}}"# + "\n" + #"{"diff":{"0":"1"}}"# + "\n",
        "mirror.yml": "bytes: 8\n",
      ])
      var variables = [
        "ARCHIVE": "file://\(archive.path)/mirror.tar.gz", "REPOSITORY": "a/b", "REF": "v1", "RUNNER_TEMP": work.path,
        "GITHUB_OUTPUT": "\(work.path)/output", "GITHUB_STEP_SUMMARY": "\(work.path)/summary.md", "JUNIT": "a.xml",
      ]
      let fetched = try work.shell(scripts[0], environment: variables, path: "/")
      #expect((fetched.errors, fetched.code) == ("", 0), "\(fetched.output)")
      variables["PROGRAM"] = try work.text("output").split(separator: "=").last.map { $0.split(separator: "\n")[0] }
        .map(String.init)
      variables["ARGUMENTS"] = "a.ndjson --nodes '1'"
      let check = try work.shell(scripts[1], environment: variables, path: "/")
      #expect(check.code == 1)
      #expect(check.output.contains("::error file=mirror.yml,line=1,title=bytes of a diff::9 B, at most 8 B"))
      #expect(try work.text("summary.md").hasPrefix("## LiveView diffs: ❌ 1 of "))
      #expect(try work.text("a.xml").contains(#"name="bytes">"#))
      // Another archive than the checksum's, and none.
      try archive.write("mirror.tar.gz.sha256", String(repeating: "0", count: 64) + "  mirror.tar.gz\n")
      #expect(try work.shell(scripts[0], environment: variables, path: "/").code != 0)
      variables["ARCHIVE"] = "file:///nowhere/mirror.tar.gz"
      let missing = try work.shell(scripts[0], environment: variables, path: "/")
      #expect(missing.code == 1)
      #expect(missing.output.contains("::error title=liveview-mirror::cannot fetch file:///nowhere/mirror.tar.gz: set"))
    }
  }
}

extension YAMLNode {
  fileprivate subscript(name: String) -> YAMLNode? { mapping?.first { $0.key.text == name }?.value }
}
