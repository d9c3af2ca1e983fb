import Foundation
import LiveViewMirror
import MirrorAnalysis
import MicroHTTP
import MirrorInspector
import RecordingFixtures

/// The OpenAPI document as clients see it. Every response that a test receives through ``Client``
/// is compared with it.
struct Description: @unchecked Sendable {
  private let document: [String: Any]

  init(_ document: Any) { self.document = document as? [String: Any] ?? [:] }

  /// That of an inspector with all routes.
  static let shared: Description = {
    let events = EventHub()
    let views = LiveViews(options: UpdateOptions().withAnalyses, limits: MirrorLimits(), listener: events)
    guard
      let assets = try? StaticFiles(
        directory: Fixtures.root.appending(path: "Public").path, folders: Inspector.assetFolders),
      let request = try? HTTPRequest(target: "/openapi.json")
    else { return Description([:]) }
    let inspector = Inspector(
      views: views, events: events, assets: assets, metrics: Metrics(version: "1.2.3"), asksForToken: true)
    let bytes = inspector.respond(to: request).bytes
    return Description((try? JSONSerialization.jsonObject(with: Data(bytes))) ?? [:])
  }()

  /// Longer responses are not compared, because that would take most of the time of a test.
  private static let longest = 1 << 15

  /// How a response differs from the description of its route. Empty for a response that no route
  /// has made.
  func faults(of response: HTTPResponse, to method: HTTPMethod) -> [String] {
    guard let pattern = response.route, method == .get || method == .post || method == .delete else { return [] }
    let path = pattern.replacing("...}", with: "}")
    guard let operation = self["paths", path, method.rawValue.lowercased()] as? [String: Any] else {
      return ["\(method) \(pattern) is not described"]
    }
    let status = String(response.status.code)
    guard let described = resolved((operation["responses"] as? [String: Any])?[status]) else {
      return ["\(method) \(pattern) does not describe \(status)"]
    }
    let headers = (described["headers"] as? [String: [String: Any]] ?? [:]).filter {
      $0.value["required"] as? Bool == true
    }
    return headers.keys.sorted().filter { response.headers[$0] == nil }.map {
      "\(method) \(pattern) lacks the header \($0)"
    }
      + contentFaults(of: response, described["content"] as? [String: Any] ?? [:]).map {
        "\(method) \(pattern) \(status) \($0)"
      }
  }

  private func contentFaults(of response: HTTPResponse, _ content: [String: Any]) -> [String] {
    guard let type = response.headers["Content-Type"]?.prefix(while: { $0 != ";" }) else {
      return content.isEmpty ? [] : ["has no content"]
    }
    guard let form = (content[String(type)] ?? content["*/*"]) as? [String: Any] else {
      return ["does not describe \(type)"]
    }
    guard type.hasSuffix("json"), type != "application/x-ndjson", response.bytes.count <= Self.longest,
      let json = try? JSONSerialization.jsonObject(with: Data(response.bytes), options: .fragmentsAllowed)
    else { return [] }
    return check.faults(of: json, form["schema"] ?? true)
  }

  /// Compares a value with a schema of the document.
  func faults(of text: String, named name: String) -> [String] {
    let json = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    return json.map { check.faults(of: $0, ["$ref": "#/components/schemas/\(name)"]) } ?? ["\(text) is not JSON"]
  }

  private var check: SchemaCheck { SchemaCheck(schemas: self["components", "schemas"] as? [String: Any] ?? [:]) }

  private func resolved(_ value: Any?) -> [String: Any]? {
    guard let object = value as? [String: Any], let reference = object["$ref"] as? String else {
      return value as? [String: Any]
    }
    return self[reference.split(separator: "/").dropFirst().map(String.init)] as? [String: Any]
  }

  subscript(path: String...) -> Any? { self[path] }

  private subscript(path: [String]) -> Any? {
    path.reduce(document as Any?) { value, name in (value as? [String: Any])?[name] }
  }
}
