import Foundation
import MirrorInspector
import RecordingFixtures
import Testing

/// The files of `Public/` as a whole.
@Suite struct AssetTests {
  private static let files: [URL] = {
    let root = Fixtures.root.appending(path: "Public")
    let found = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)?.allObjects as? [URL]
    return (found ?? []).filter { !$0.hasDirectoryPath }.map(\.standardizedFileURL)
  }()

  private static var scripts: [URL] { files.filter { $0.pathExtension == "js" } }

  /// Otherwise the short address of one of two files, such as `/assets/tap.js`, would be that of
  /// the other.
  @Test func `no name is in two of the folders`() {
    let inFolders = Self.files.filter {
      Inspector.assetFolders.contains($0.deletingLastPathComponent().lastPathComponent)
    }
    let names = Dictionary(grouping: inFolders, by: \.lastPathComponent)
    #expect(names.count > 20)
    for (name, files) in names { #expect(files.count == 1, "\(name)") }
  }

  @Test func `every file that a script or a style sheet imports exists`() throws {
    for file in Self.files where ["js", "css"].contains(file.pathExtension) {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /(?:from |import\(|@import )"([^"]+)"/) {
        let imported = URL(fileURLWithPath: String(match.1), relativeTo: file).standardizedFileURL
        #expect(Self.files.contains { $0.path == imported.path }, "\(file.lastPathComponent): \(match.1)")
      }
    }
  }

  /// The inspector uses the frame, and neither the frame nor the tap uses another folder.
  @Test func `scripts import only from their own folder, and the inspector from the frame`() throws {
    for file in Self.scripts {
      let folder = file.deletingLastPathComponent().lastPathComponent
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /from "\.\.\/(\w+)\//) {
        #expect(folder == "inspector" && match.1 == "frame", "\(file.lastPathComponent): \(match.0)")
      }
    }
  }

  @Test func `every script is checked by TypeScript`() throws {
    for file in Self.scripts {
      #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("// @ts-check\n"), "\(file.lastPathComponent)")
    }
  }
}
