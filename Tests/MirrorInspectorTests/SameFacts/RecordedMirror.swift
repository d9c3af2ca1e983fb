import Foundation
import LiveViewMirror
import MicroHTTP
import MirrorSupport
import RecordingFixtures
import Testing

@testable import MirrorInspector

/// A mirror that has received a whole recording through `POST /frames`, with the frames that the browser sent, then a diff that fits no
/// view. The main view has a subscription.
///
/// A mirror is made once for each recording, because the tests only read from it.
struct RecordedMirror: @unchecked Sendable {
  private let client: Client
  /// The id of the main view.
  let view: String
  /// `entries` of the whole log as JSON.
  let entries: [JSONValue]

  private static let made = Guarded<[String: RecordedMirror]>([:])

  static func of(_ recording: Recording) throws -> RecordedMirror {
    try made.withLock { made in
      if let mirror = made[recording.name] { return mirror }
      let mirror = try RecordedMirror(recording)
      made[recording.name] = mirror
      return mirror
    }
  }

  private init(_ recording: Recording) throws {
    // As the server does by default.
    var client = try Client(options: UpdateOptions(drawsPage: true))
    // Other tests compare responses with their description, which takes long.
    client.comparesDescription = false
    self.client = client
    let view = "lv:\(recording.rootID)~p1"
    let dialect = recording.isNative ? "native" : "html"
    let fed = try client.post(
      "/frames?page=p1&url=http://localhost:4000/app?a=1%262&dialect=\(dialect)", try TimedTraffic(recording).lines)
    #expect(
      fed.status == 200 && fed.json["rejected_frames"].int == 0 && fed.json["applied"].int ?? 0 > 1, "\(fed.text)")
    #expect(try client.post("/views/\(view)/diffs", #"{"0":{"c":{"99":"<x>"}},"987":"x"}"#).status == 422)
    let node = try #require(client.get("/views/\(view)/subscribers").json["nodes"][0]["node"].int)
    #expect(try client.post("/views/\(view)/subscriptions", #"{"node":\#(node)}"#).status == 201)
    entries = try client.get("/views/\(view)/log?limit=1000").json["entries"].array
    self.view = view
  }

  /// The JSON at a path below a view; `nil` for the view itself.
  ///
  /// - Parameter id: another view than the main one.
  func json(_ path: String? = nil, of id: String? = nil) throws -> JSONValue {
    try answer(path, "application/json", of: id).json
  }

  /// The lines for a terminal.
  func text(_ path: String) throws -> [String] {
    let answer = try answer(path, "text/plain")
    #expect(answer.type == "text/plain; charset=utf-8")
    return answer.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The page of the view, with white space and annotations. The timeline is short unless the query has a filter.
  func page(_ query: String) throws -> ParsedPage {
    let filter = query.contains("filter=") ? "" : "filter=is:rejected&"
    return ParsedPage(
      try client.get("/views/\(view)?blank=1&\(filter)\(query)", accept: "text/html").response.bytes)
  }

  /// The list of views.
  func index() throws -> (json: JSONValue, page: ParsedPage) {
    (try client.get("/views").json, ParsedPage(try client.get("/", accept: "text/html").response.bytes))
  }

  private func answer(_ path: String?, _ type: String, of id: String? = nil) throws -> Client.Answer {
    let answer = try client.get("/views/\(id ?? view)\(path.map { "/\($0)" } ?? "")", accept: type)
    #expect(answer.status == 200, "\(path ?? ""): \(answer.text.prefix(200))")
    return answer
  }

  // MARK: - Choosing

  /// The versions whose answers are compared, so that the suite takes less than a minute: every version up to 12; of a longer recording the
  /// mount, the first, the last and the largest diff, and every third one. A view with more than 1,000 nodes has no others than the first,
  /// the last and the largest.
  func versions() throws -> [Int] {
    let entries = entries.filter { $0["rejected"].isNull }
    let last = entries.count - 1
    if last <= 12, try json()["nodes"].int ?? 0 <= 1_000 { return Array(0...last) }
    let largest = entries.dropFirst().max { $0["bytes"].int ?? 0 < $1["bytes"].int ?? 0 }?["version"].int
    let others = try json()["nodes"].int ?? 0 <= 1_000 ? Array(stride(from: 4, to: last, by: 3)) : []
    return Set([0, 1, largest ?? last, last] + others).sorted()
  }

  /// The root, a subscribed node, the parent with the most changes of texts, and the last node of each kind of change.
  func nodes() throws -> [Int] {
    var (last, texts) = ([:] as [String: Int], [:] as [Int: Int])
    for entry in entries where entry["version"].int != 0 {
      for change in entry["changes"].array {
        guard let op = change["op"].string, let node = change["node"].int else { continue }
        last[op] = node
        for parent in [change["parent"], change["to"]["parent"]].compactMap(\.int) {
          last["parent of \(op)"] = parent
          if op == "text" { texts[parent, default: 0] += 1 }
        }
      }
    }
    let busiest = texts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
    let subscribed = try json("subscribers")["nodes"][0]["node"].int
    return Set([1, busiest, subscribed].compactMap(\.self) + last.values).sorted()
  }
}
