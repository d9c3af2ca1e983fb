import Foundation
import RecordingFixtures
import Testing

/// The contents of the image have exact versions, so that a build can be repeated.
@Suite struct ImageTests {
  private func text(_ path: String) throws -> String {
    try String(contentsOf: Fixtures.root.appending(path: path), encoding: .utf8)
  }

  @Test func `the image begins with a patch version and a point release`() throws {
    let bases = try text("Dockerfile").matches(of: /(?m)^FROM ([^\s@]+)/).map { String($0.1) }
    // The stage of the archive has no base.
    #expect(bases.count == 4 && bases[1] == "scratch")
    #expect(bases.first?.wholeMatch(of: /swift:\d+\.\d+\.\d+-bookworm/) != nil)
    #expect(Set(bases.dropFirst(2)).count == 1 && bases.last?.wholeMatch(of: /debian:12\.\d+-slim/) != nil)
    #expect(try text("Dockerfile").contains("image.base.name=\"docker.io/library/\(bases.last ?? "")\""))
  }

  @Test func `every package of the manifest has one exact version for the image`() throws {
    struct Versions: Decodable {
      struct Pin: Decodable {
        struct State: Decodable {
          var revision: String
          var version: String
        }
        var location: String
        var state: State
      }
      var pins: [Pin]
    }
    let versions = try JSONDecoder().decode(Versions.self, from: Data(text("script/release.resolved").utf8))
    let packages = try text("Package.swift").matches(of: /\.package\(url: "([^"]+)"/).map { String($0.1) }
    #expect(!packages.isEmpty)
    #expect(Set(packages).isSubset(of: Set(versions.pins.map(\.location))))
    for pin in versions.pins {
      #expect(pin.state.version.wholeMatch(of: /\d+\.\d+\.\d+/) != nil)
      #expect(pin.state.revision.wholeMatch(of: /[0-9a-f]{40}/) != nil)
    }
    let dockerfile = try text("Dockerfile")
    #expect(dockerfile.contains("COPY script/release.resolved Package.resolved\n"))
    // A version that does not match the manifest stops the build instead of being replaced.
    #expect(dockerfile.matches(of: /--force-resolved-versions/).count == 2)
  }
}
