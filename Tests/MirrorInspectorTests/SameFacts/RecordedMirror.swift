import Foundation
import LiveViewMirror
import MicroHTTP
import MirrorSupport
import RecordingFixtures
import Testing

@testable import MirrorInspector

/// One epoch of a view in a mirror. The mirror has received a whole recording through `POST
/// /frames`, with the frames that the browser sent. Then its main view has received a diff that
/// does not fit, and a subscription.
///
/// A mirror is made once for each recording, because the tests only read from it.
struct RecordedMirror: @unchecked Sendable, CustomStringConvertible {
  private let client: Client
  let view: String
  /// `nil` for the current epoch.
  let epoch: Int?
  /// Whether the view is the main one of the recording, in its current epoch.
  let isMain: Bool
  /// `entries` of the whole log as JSON.
  private(set) var entries: [JSONValue] = []

  var description: String { "\(view)\(epoch.map { " in epoch \($0)" } ?? "")" }

  private final class Slot: Sendable {
    let mirrors = Guarded<[RecordedMirror]?>(nil)
  }

  /// The mirrors that were made. Each has its own lock, so that two recordings can be fed at the
  /// same time.
  private static let slots = Dictionary(uniqueKeysWithValues: Recording.committed.map { ($0.name, Slot()) })

  /// Every epoch of every view of a recording, the current epoch of the main view first.
  static func all(of recording: Recording) throws -> [RecordedMirror] {
    try #require(slots[recording.name]).mirrors.withLock { made in
      if let made { return made }
      let mirrors = try mirrors(of: recording)
      made = mirrors
      return mirrors
    }
  }

  /// The current epoch of the main view.
  static func main(of recording: Recording) throws -> RecordedMirror { try #require(try all(of: recording).first) }

  private static func mirrors(of recording: Recording) throws -> [RecordedMirror] {
    // As the server does by default.
    var client = try Client(options: UpdateOptions(drawsPage: true))
    // Other tests compare responses with their description, which takes long.
    client.comparesDescription = false
    let main = "lv:\(recording.rootID)~p1"
    let dialect = recording.isNative ? "native" : "html"
    let fed = try client.post(
      "/frames?page=p1&url=http://localhost:4000/app?a=1%262&dialect=\(dialect)", try TimedTraffic(recording).lines)
    #expect(
      fed.status == 200 && fed.json["rejected_frames"].int == 0 && fed.json["applied"].int ?? 0 > 1, "\(fed.text)")
    #expect(try client.post("/views/\(main)/diffs", #"{"0":{"c":{"99":"<x>"}},"987":"x"}"#).status == 422)
    let node = try #require(client.get("/views/\(main)/subscribers").json["nodes"][0]["node"].int)
    #expect(try client.post("/views/\(main)/subscriptions", #"{"node":\#(node)}"#).status == 201)
    var mirrors: [RecordedMirror] = []
    for view in try client.get("/views").json["views"].array {
      let id = try #require(view["view"].string)
      for epoch in view["epochs"].array.compactMap({ $0["epoch"].int }) {
        let isCurrent = epoch == view["epoch"].int
        var mirror = RecordedMirror(
          client: client, view: id, epoch: isCurrent ? nil : epoch, isMain: isCurrent && id == main)
        mirror.entries = try mirror.json("log?limit=1000")["entries"].array
        mirrors.insert(mirror, at: mirror.isMain ? 0 : mirrors.endIndex)
      }
    }
    return mirrors
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

  /// The page of the view, with white space and annotations. The timeline is short unless the query
  /// has a filter.
  func page(_ query: String) throws -> ParsedPage {
    let filter = query.contains("filter=") ? "" : "filter=is:rejected&"
    return ParsedPage(
      try client.get(addressed("/views/\(view)?blank=1&\(filter)\(query)"), accept: "text/html").response.bytes)
  }

  /// The list of views.
  func index() throws -> (json: JSONValue, page: ParsedPage) {
    (try client.get("/views").json, ParsedPage(try client.get("/", accept: "text/html").response.bytes))
  }

  private func answer(_ path: String?, _ type: String, of id: String? = nil) throws -> Client.Answer {
    let target = "/views/\(id ?? view)\(path.map { "/\($0)" } ?? "")"
    let answer = try client.get(id == nil ? addressed(target) : target, accept: type)
    #expect(answer.status == 200, "\(path ?? ""): \(answer.text.prefix(200))")
    return answer
  }

  /// The target with the epoch, unless it is the current one.
  private func addressed(_ target: String) -> String {
    epoch.map { "\(target)\(target.contains("?") ? "&" : "?")epoch=\($0)" } ?? target
  }

  // MARK: - Choosing

  /// The versions whose answers are compared, so that the suite takes less than a minute: every
  /// version up to 10; of a longer recording the mount, the first, the last and the largest diff,
  /// and every fourth one. A view with more than 1,000 nodes has no others than the first, the last
  /// and the largest.
  func versions() throws -> [Int] {
    let entries = entries.filter { $0["rejected"].isNull }
    let last = entries.count - 1
    if last <= 10, try json()["nodes"].int ?? 0 <= 1_000 { return Array(0...last) }
    let largest = entries.dropFirst().max { $0["bytes"].int ?? 0 < $1["bytes"].int ?? 0 }?["version"].int
    let others = try json()["nodes"].int ?? 0 <= 1_000 ? Array(stride(from: 4, to: last, by: 4)) : []
    return Set([0, min(1, last), largest ?? last, last] + others).sorted()
  }

  /// The root, a subscribed node, the parent with the most changes of texts, and the last node of
  /// each kind of change.
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
    let subscribed = epoch == nil ? try json("subscribers")["nodes"][0]["node"].int : nil
    return Set([1, busiest, subscribed].compactMap(\.self) + last.values).sorted()
  }
}
