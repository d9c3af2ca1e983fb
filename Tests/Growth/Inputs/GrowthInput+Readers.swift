import LiveViewMirror
import MirrorAnalysis
import MicroHTTP
import MirrorInspector

extension GrowthInput {
  /// Requests of readers, and clients that follow nodes or events.
  static var readers: [GrowthInput] {
    [
      .reading("readers/tree", size: 2_500, "/views/main/tree"),
      .reading("readers/html", size: 2_500, "/views/main/html"),
      .reading("readers/rendered", size: 2_500, "/views/main/rendered"),
      .reading("readers/page of the inspector", size: 500, "/views/main", accept: "text/html"),
      .reading("readers/subscribers", size: 2_500, "/views/main/subscribers"),
      .reading("readers/log", size: 60, "/views/main/log?limit=1000", diffs: { n in (0..<n).map(Self.title) }),
      .reading("readers/biography", size: 250, "/views/main/nodes/2", diffs: { n in (0..<n).map(Self.title) }),
      .reading("readers/old version", size: 250, "/views/main/tree?version=1", diffs: { n in (0..<n).map(Self.title) }),
      .reading(
        "readers/steps of a diff that changes all rows", size: 250, "/views/main/log/1/steps/8",
        diffs: { n in [#"{"1":\#(rows(n, "b", hasStatics: false))}"#] }),
      .reading("readers/steps of a mount", size: 250, "/views/main/log/0/steps/3"),
      .inspecting("readers/subscription with children", size: 2_500, before: { _, _ in }) { scene, _ in
        try scene.send(.post, "/views/main/subscriptions", #"{"node":3,"children":true}"#)
      },
      .inspecting(
        "readers/diff among many subscriptions", size: 50,
        before: { scene, n in
          for _ in 0..<n { try scene.send(.post, "/views/main/subscriptions", #"{"node":2}"#) }
        },
        work: { scene, n in try scene.send(.post, "/views/main/diffs", Self.title(n)) }),
      .inspecting(
        "readers/diff among many event clients", size: 50,
        before: { scene, n in for _ in 0..<n { try scene.send(.get, "/views/main/events?node=2") } },
        work: { scene, n in try scene.send(.post, "/views/main/diffs", Self.title(n)) }),
      .inspecting("readers/joins of many topics of a page", size: 600, before: { _, _ in }) { scene, n in
        try scene.send(
          .post, "/frames?page=p", frames(n) { number in #"["1","\#(number)","lv:\#(number)","phx_join",{}]"# })
      },
      .inspecting("readers/mounts of many views of a page", size: 60, before: { _, _ in }) { scene, n in
        try scene.send(.post, "/frames?page=p", frames(n, Self.reply))
      },
      .inspecting(
        "readers/index of many views of a page", size: 60,
        before: { scene, n in try scene.send(.post, "/frames?page=p", frames(n, Self.reply)) },
        work: { scene, _ in try scene.send(.get, "/", accept: "text/html") }),
      .view(
        "readers/names below nested fragments", size: 250,
        mount: { n in #"{"s":["<ul>","</ul>"],"0":\#(nested(rows(n, "a", hasStatics: true), hasStatics: true))}"# },
        diffs: { n in [#"{"0":\#(nested(rows(n, "b", hasStatics: false), hasStatics: false))}"#] }),
      // The scoped update is abandoned, and its merge is undone entry by entry.
      .view(
        "readers/names below nested fragments of a large page", size: 250,
        mount: { n in
          let list = nested(rows(n, "a", hasStatics: true), hasStatics: true)
          return #"{"s":["<ul>","</ul>\#(repeated("<br>", 40 * n))"],"0":\#(list)}"#
        },
        diffs: { n in [#"{"0":\#(nested(rows(n, "b", hasStatics: false), hasStatics: false))}"#] }),
      .view(
        "readers/waste below nested fragments", size: 250,
        mount: { n in #"{"s":["<ul>","</ul>"],"0":\#(nested(rows(n, "a", hasStatics: true), hasStatics: true))}"# },
        diffs: { n in [#"{"0":\#(nested(rows(n, "a", hasStatics: false), hasStatics: false))}"#] }),
    ]
  }

  private static func frames(_ n: Int, _ frame: (Int) -> String) -> String {
    (0..<n).map(frame).joined(separator: "\n")
  }

  private static func reply(_ number: Int) -> String {
    #"["1","1","lv:\#(number)","phx_reply",{"status":"ok","response":{"rendered":{"s":["<p>x</p>"]}}}]"#
  }

  private static func title(_ number: Int) -> String { #"{"0":"\#(number)"}"# }

  private static func rows(_ n: Int, _ value: String, hasStatics: Bool) -> String {
    JSON.keyed(statics: hasStatics ? ["<li>", "</li>"] : nil, 0..<n, count: n) { _ in #"{"0":"\#(value)"}"# }
  }

  /// 400 fragments around a slot.
  private static func nested(_ inner: String, hasStatics: Bool) -> String {
    let open = hasStatics ? #"{"s":["",""],"0":"# : #"{"0":"#
    return String(repeating: open, count: 400) + inner + String(repeating: "}", count: 400)
  }

  /// A mirror whose routes are called without a socket. Node 2 is a heading, node 3 is a list with
  /// `n` items.
  struct Scene {
    let inspector: Inspector
    private let streams = Streams()

    /// Retains the streams of clients. They end when they are released.
    private final class Streams { var held: [HTTPResponse] = [] }

    init(rows n: Int) throws {
      let events = EventHub(clients: .max)
      let views = LiveViews(
        options: UpdateOptions(drawsPage: true).withAnalyses, limits: MirrorLimits(), listener: events)
      inspector = Inspector(
        views: views, events: events, assets: ClosureHandler { _ in .text("") }, subscriptions: .max)
      let items = GrowthInput.rows(n, "a", hasStatics: true)
      try send(.post, "/views/main/rendered", #"{"s":["<h1>","</h1><ul>","</ul>"],"0":"","1":\#(items)}"#)
    }

    func send(_ method: HTTPMethod, _ target: String, _ body: String = "", accept: String? = nil) throws {
      var request = try HTTPRequest(method: method, target: target, body: Array(body.utf8))
      if let accept { request.headers["Accept"] = accept }
      let response = inspector.respond(to: request)
      guard (200..<300).contains(response.status.code) else {
        throw Failure(description: "\(target): \(response.status) \(String(decoding: response.bytes, as: UTF8.self))")
      }
      if case .stream = response.body { streams.held.append(response) }
    }

    struct Failure: Error, CustomStringConvertible { var description: String }
  }

  private static func inspecting(
    _ name: String, size: Int, before: @escaping (Scene, Int) throws -> Void,
    work: @escaping (Scene, Int) throws -> Void
  ) -> GrowthInput {
    .work(name, "inspector", size: size) { n in
      let scene = try Scene(rows: n)
      try before(scene, n)
      return { try work(scene, n) }
    }
  }

  /// One `GET` of a view with `n` rows.
  private static func reading(
    _ name: String, size: Int, _ target: String, accept: String? = nil,
    diffs: @escaping (Int) -> [String] = { _ in [] }
  ) -> GrowthInput {
    .inspecting(
      name, size: size,
      before: { scene, n in for diff in diffs(n) { try scene.send(.post, "/views/main/diffs", diff) } },
      work: { scene, _ in try scene.send(.get, target, accept: accept) })
  }
}
