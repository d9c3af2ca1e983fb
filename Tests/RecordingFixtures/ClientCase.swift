import Foundation

/// A Rendered with diffs, and the DOM that a LiveView client makes of them: a line of
/// `Tests/Fixtures/client/*.jsonl`. New lines become test cases without a change of code.
package struct ClientCase: Sendable, CustomStringConvertible {
  package struct Step: Sendable {
    package var isMount: Bool
    /// The update as JSON text.
    package var payload: [UInt8]
    /// The content of the view's element after the step; `nil` if the client threw an error or did
    /// not terminate.
    package var dom: [ClientNode]?
    /// The rest of `body` after the step, if the case has markup around the view.
    package var outside: [ClientNode]?
    /// The error with which the client stopped; `nil` if it did not.
    package var error: String?
    /// The nodes that the client has changed, by the kind of change, if the case states them. See
    /// the README of the fixtures.
    package var touched: [String: [String]]?
  }

  package var file: String
  package var name: String
  package var category: String
  /// The version of LiveView's client.
  package var client: String
  /// The content of the view's element before the join: `dead` (the dead render) or `empty`.
  package var container: String
  package var steps: [Step]

  /// Identifies the case.
  package var description: String { "\(file)/\(client)/\(container)/\(category)/\(name)" }
}

/// A node of a browser's DOM.
package indirect enum ClientNode: Sendable, Hashable {
  case text(String)
  case comment(String)
  case element(tag: String, namespace: String?, attributes: [String: String], children: [ClientNode])

  init?(_ json: Any) {
    switch json {
    case let text as String: self = .text(text)
    case let node as [String: Any]:
      if let comment = node["comment"] as? String {
        self = .comment(comment)
      } else {
        self = .element(
          tag: node["tag"] as? String ?? "", namespace: node["ns"] as? String,
          attributes: node["attrs"] as? [String: String] ?? [:],
          children: (node["children"] as? [Any] ?? []).compactMap(ClientNode.init))
      }
    default: return nil
    }
  }
}

extension ClientCase {
  /// All cases of the repository.
  package static let all: [ClientCase] = Fixtures.files(in: Fixtures.folder("client"), withExtension: "jsonl").flatMap {
    file in
    let lines = (try? Data(contentsOf: file))?.split(separator: UInt8(ascii: "\n")) ?? []
    return lines.compactMap { ClientCase(Data($0), in: file.deletingPathExtension().lastPathComponent) }
  }

  init?(_ line: Data, in file: String) {
    guard let json = try? JSONSerialization.jsonObject(with: line) as? [String: Any],
      let steps = json["steps"] as? [[String: Any]]
    else { return nil }
    self.init(
      file: file, name: json["name"] as? String ?? "", category: json["category"] as? String ?? "",
      client: json["client"] as? String ?? "",
      container: (json["container"] as? String)?.split(separator: " ").first.map(String.init) ?? "",
      steps: steps.map { step in
        Step(
          isMount: step["kind"] as? String == "mount",
          payload: step["payload"].flatMap { try? JSONSerialization.data(withJSONObject: $0) }.map(Array.init) ?? [],
          dom: (step["dom"] as? [Any])?.compactMap(ClientNode.init),
          outside: (step["outside"] as? [Any])?.compactMap(ClientNode.init), error: step["error"] as? String,
          touched: step["touched"] as? [String: [String]])
      })
  }
}
