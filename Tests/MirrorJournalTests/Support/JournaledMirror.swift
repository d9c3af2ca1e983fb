import Foundation
import LiveViewMirror
import MirrorAnalysis
import MirrorInspector
import MirrorJournal
import MirrorSupport
import RecordingFixtures

@testable import MicroHTTP

/// A mirror with a journal, read through its HTTP handler.
final class JournaledMirror: Sendable {
  let journal: Journal?
  let views: LiveViews
  private let inspector: Inspector
  let events = EventHub()
  private let requests = Guarded(0)

  /// - Parameter store: `nil` for a mirror without a journal.
  init(
    _ store: (any JournalStore)?, limits: MirrorLimits = MirrorLimits(),
    options: UpdateOptions = UpdateOptions(drawsPage: true)
  ) throws {
    journal = try store.map { try Journal($0) }
    if let journal {
      views = try LiveViews(options: options.withAnalyses, limits: limits, listener: events, journal: journal)
    } else {
      views = LiveViews(options: options.withAnalyses, limits: limits, listener: events)
    }
    inspector = Inspector(
      views: views, events: events,
      assets: try StaticFiles(directory: Fixtures.root.appending(path: "Public").path, folders: Inspector.assetFolders))
  }

  /// Ends as a stopped process does: what was answered is in the store.
  func stop() { journal?.stop() }

  /// - Parameter deferring: whether to return a deferred response as it is. Otherwise every second
  ///   request waits in its handler, and the responses of the others are completed as the server
  ///   does.
  func send(
    _ method: HTTPMethod, _ target: String, _ body: some Sequence<UInt8>, headers: [String: String] = [:],
    deferring: Bool = false
  ) throws -> HTTPResponse {
    var all: HTTPHeaders = ["Host": "localhost:8080", "Accept": "application/json"]
    for (name, value) in headers { all[name] = value }
    var request = try HTTPRequest(method: method, target: target, headers: all, body: Array(body))
    let handler = ProblemPageMiddleware(inspector)
    let number = requests.change { number in
      number += 1
      return number
    }
    request.mayDefer = deferring || number % 2 == 0
    var response = handler.respond(to: request)
    while !deferring, let deferred = response.deferred {
      let completion = Guarded<DeferredResponse.Completion?>(nil)
      deferred.whenCompleted { done in completion.change { $0 = done } }
      while !completion.wait(until: .now + .seconds(60), for: { $0 != nil }) {}
      switch completion.current {
      case .send, nil: return response
      case .make(let continuation): request.continuation = continuation
      case .handleAgain: request.mayDefer = false
      }
      response = handler.respond(to: request)
    }
    return response
  }

  /// - Returns: the status code.
  @discardableResult
  func post(_ target: String, _ body: String) throws -> Int {
    let response = try send(.post, target, body.utf8)
    if response.status.code == 503 { print("503 for \(target): \(String(decoding: response.bytes, as: UTF8.self))") }
    return response.status.code
  }

  func text(_ target: String) throws -> String { String(decoding: try send(.get, target, []).bytes, as: UTF8.self) }

  /// What a person can read of the mirror, byte for byte, by the address: lists, trees, logs,
  /// findings, waste, exports.
  func everything() throws -> [String: String] {
    var all: [String: String] = [:]
    func note(_ target: String) throws { all[target] = try text(target) }
    // Before the views are loaded: the list must not depend on that. The rest of the answer is
    // about the memory of the process.
    let views = try text("/views").components(separatedBy: #","limits":"#)[0]
    try note("/pages")
    for summary in self.views.all {
      let view = "/views/\(summary.id)"
      for path in ["", "/tree", "/html", "/rendered", "/subscribers", "/waste", "/diagnostics", "/export"] {
        try note(view + path)
      }
      for epoch in summary.epochs {
        var after = ""
        repeat {
          let target = "\(view)/log?epoch=\(epoch.epoch)&limit=200\(after)"
          try note(target)
          let page = try JSONSerialization.jsonObject(with: Data((all[target] ?? "").utf8)) as? [String: Any]
          after = (page?["next"] as? String).map { "&after=\($0)" } ?? ""
        } while !after.isEmpty
        for version in Set([epoch.firstVersion, (epoch.firstVersion + epoch.version) / 2]) {
          try note("\(view)/tree?epoch=\(epoch.epoch)&version=\(version)")
          try note("\(view)/rendered?epoch=\(epoch.epoch)&version=\(version)")
        }
      }
    }
    all["/views"] = views
    return all
  }
}

/// The first difference of two readings, for a message.
func difference(_ a: [String: String], _ b: [String: String]) -> String? {
  for target in Set(a.keys).union(b.keys).sorted() {
    let (left, right) = (a[target] ?? "(absent)", b[target] ?? "(absent)")
    if left == right { continue }
    let shared = zip(left.utf8, right.utf8).prefix { $0 == $1 }.count
    func part(_ text: String) -> String {
      String(decoding: text.utf8.dropFirst(max(0, shared - 60)).prefix(200), as: UTF8.self)
    }
    return "\(target):\n  \(part(left))\n  \(part(right))"
  }
  return nil
}
