package import Foundation

/// A recording of real traffic: `Tests/Fixtures/wire/VERSION/NAME.json`. New files become test
/// cases without a change of code.
package struct Recording: Sendable, CustomStringConvertible {
  package struct Step: Sendable {
    package var index: Int
    package var kind: String
    package var topic: String
    package var action: String
    /// The frame as JSON text.
    package var frame: [UInt8]
    package var html: String?
    package var dom: String?
    package var tree: RecordedNode?
    package var isUpdate: Bool { kind == "mount" || kind == "diff" }
  }

  package var name: String
  package var isNative: Bool
  package var rootID: String
  package var steps: [Step]
  package var url: URL

  package var description: String { name }
}

/// A node of the tree that liveview-native-core builds.
package indirect enum RecordedNode: Sendable, Hashable {
  case text(String)
  case element(tag: String, attributes: [String: String], children: [RecordedNode])
  case list([RecordedNode])

  init?(_ json: Any?) {
    switch json {
    case let text as String: self = .text(text)
    case let nodes as [Any]: self = .list(nodes.compactMap(RecordedNode.init))
    case let node as [String: Any]:
      self = .element(
        tag: node["tag"] as? String ?? "", attributes: node["attrs"] as? [String: String] ?? [:],
        children: (node["children"] as? [Any] ?? []).compactMap(RecordedNode.init))
    default: return nil
    }
  }
}

extension Recording {
  /// The recordings of the repository and, if the folder exists beside the checkout, those in
  /// `../shared/wire`.
  package static let all: [Recording] = {
    var seen: Set<String> = []
    var recordings: [Recording] = []
    for folder in [Fixtures.folder("wire"), Fixtures.shared("wire")] {
      for url in Fixtures.files(in: folder, withExtension: "json") {
        let name =
          url.deletingLastPathComponent().lastPathComponent + "/" + url.deletingPathExtension().lastPathComponent
        guard seen.insert(name).inserted else { continue }
        do { recordings.append(try Recording(name: name, url: url)) } catch {
          // An unreadable file must fail the tests instead of being skipped.
          recordings.append(Recording(name: "\(name): \(error)", isNative: false, rootID: "", steps: [], url: url))
        }
      }
    }
    return recordings
  }()

  /// The recordings of the repository only.
  package static let committed = all.filter { $0.url.path.hasPrefix(Fixtures.folder("wire").path) }

  init(name: String, url: URL) throws {
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
    guard let recording = json as? [String: Any], let steps = recording["steps"] as? [[String: Any]] else {
      throw CocoaError(.fileReadCorruptFile)
    }
    self.init(
      name: name, isNative: recording["format"] as? String != "html", rootID: recording["root_id"] as? String ?? "",
      steps: try steps.enumerated().map { index, step in
        Step(
          index: index, kind: step["kind"] as? String ?? "", topic: step["topic"] as? String ?? "",
          action: step["action"] as? String ?? "",
          frame: Array(try JSONSerialization.data(withJSONObject: step["frame"] ?? [], options: .sortedKeys)),
          html: step["html"] as? String, dom: step["dom"] as? String, tree: RecordedNode(step["tree"]))
      }, url: url)
  }
}

/// The test files, found by their path in the checkout, so that no resource bundle is needed.
package enum Fixtures {
  package static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  package static func folder(_ name: String) -> URL { root.appending(path: "Tests/Fixtures/\(name)") }

  package static func shared(_ name: String) -> URL {
    root.deletingLastPathComponent().appending(path: "shared/\(name)")
  }

  package static func files(in folder: URL, withExtension suffix: String) -> [URL] {
    let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects as? [URL] ?? []
    return all.filter { $0.pathExtension == suffix }.sorted { $0.path < $1.path }
  }
}
