import Foundation
import LiveViewMirror
import MirrorAnalysis
import MicroHTTP
import MirrorInspector
import RecordingFixtures
import Testing

/// A client that calls the inspector's handler directly. The tests of `MicroHTTP` cover sockets.
///
/// A response that differs from its description in the OpenAPI document fails the test.
struct Client {
  let views: LiveViews
  let events: EventHub
  let inspector: Inspector
  /// Whether responses are compared with their description.
  var comparesDescription = true

  init(
    options: UpdateOptions = UpdateOptions(), limits: MirrorLimits = MirrorLimits(), events: EventHub = EventHub(),
    subscriptions: Int = 1_000, followedNodes: Int = 262_144, metrics: Metrics? = nil, images: ImagePolicy = .none,
    app: AppStyles? = nil, templates: TemplateFiles? = nil, refusedOrigins: RefusedOrigins = RefusedOrigins()
  ) throws {
    self.events = events
    views = LiveViews(options: options.withAnalyses, limits: limits, listener: events)
    inspector = Inspector(
      views: views, events: events,
      assets: try StaticFiles(directory: Fixtures.root.appending(path: "Public").path, folders: Inspector.assetFolders),
      metrics: metrics, subscriptions: subscriptions, followedNodes: followedNodes, images: images,
      app: app, templates: templates, refusedOrigins: refusedOrigins)
  }

  struct Answer {
    var response: HTTPResponse
    var status: Int { response.status.code }
    var text: String { String(decoding: response.bytes, as: UTF8.self) }
    var type: String? { response.headers["Content-Type"] }
    var json: JSONValue {
      JSONValue((try? JSONSerialization.jsonObject(with: Data(response.bytes), options: .fragmentsAllowed)) ?? NSNull())
    }
  }

  func get(_ target: String, accept: String? = nil) throws -> Answer { try send(.get, target, "", accept: accept) }

  func post(_ target: String, _ body: String, accept: String? = nil) throws -> Answer {
    try send(.post, target, body, accept: accept)
  }

  func post(_ target: String, bytes: [UInt8]) throws -> Answer { try send(.post, target, bytes: bytes) }

  func send(
    _ method: HTTPMethod, _ target: String, _ body: String, accept: String? = nil, headers more: HTTPHeaders = [:]
  ) throws -> Answer {
    try send(method, target, bytes: Array(body.utf8), accept: accept, headers: more)
  }

  private func send(
    _ method: HTTPMethod, _ target: String, bytes: [UInt8], accept: String? = nil, headers more: HTTPHeaders = [:]
  ) throws -> Answer {
    var headers: HTTPHeaders = ["Host": "localhost:8080"]
    if let accept { headers["Accept"] = accept }
    for field in more.fields { headers[field.name] = field.value }
    let response = ProblemPageMiddleware(inspector).respond(
      to: try HTTPRequest(method: method, target: target, headers: headers, body: bytes))
    // A schema cannot say that a parameter leaves required members out.
    let faults =
      comparesDescription && !target.contains("fields=") ? Description.shared.faults(of: response, to: method) : []
    for fault in faults.prefix(3) {
      Issue.record("\(target): \(fault). See CONTRIBUTING.md, \"Add a route\".")
    }
    return Answer(response: response)
  }
}

/// A decoded JSON value. Members that do not exist are `null`.
struct JSONValue: Equatable, CustomStringConvertible {
  private let value: Any

  init(_ value: Any) { self.value = value }

  subscript(name: String) -> JSONValue { JSONValue((value as? [String: Any])?[name] ?? NSNull()) }
  subscript(index: Int) -> JSONValue {
    let array = value as? [Any] ?? []
    return JSONValue(array.indices.contains(index) ? array[index] : NSNull())
  }
  var int: Int? { (value as? NSNumber)?.intValue }
  var string: String? { value as? String }
  var bool: Bool? { (value as? NSNumber)?.boolValue }
  var array: [JSONValue] { (value as? [Any] ?? []).map(JSONValue.init) }
  var keys: Set<String> { Set((value as? [String: Any] ?? [:]).keys) }
  var isNull: Bool { value is NSNull }

  /// Canonical text, for comparing whole values.
  var description: String {
    let data = try? JSONSerialization.data(
      withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed, .withoutEscapingSlashes])
    return data.map { String(decoding: $0, as: UTF8.self) } ?? "\(value)"
  }

  static func == (a: JSONValue, b: JSONValue) -> Bool { a.description == b.description }
}
