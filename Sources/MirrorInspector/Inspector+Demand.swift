internal import LiveViewMirror
public import MicroHTTP

extension Inspector {
  /// Whether a request runs on a worker, and in which queue. The command `serve` passes this
  /// function to the HTTP server, which calls it for each request. A path that the switch in
  /// `ownDemand` does not name is ``RequestDemand/light``.
  ///
  /// Requests of one view take its lock, so a request must not run on an event loop while a long
  /// request of the same view runs. Mounts, and requests that read a whole page or log, always
  /// count as long. A diff counts as long if its body is long, or if the last diffs of its view
  /// took long.
  ///
  /// - Parameter isShared: whether mirrors share the journal. Then most requests read a database,
  ///   so they run on a worker. Only two kinds still run on an event loop: requests that read
  ///   nothing, and diffs. A diff that reads the journal first
  ///   (``LiveViews/readsJournal(beforeUpdating:)``) does not.
  @Sendable
  public static func demand(of request: HTTPRequest, isShared: Bool = false) -> RequestDemand {
    let demand = ownDemand(of: request)
    guard isShared else { return demand }
    switch demand {
    case .of(let queue, _) where !request.path.hasSuffix("/diffs"): return .waiting(queue: queue)
    case .several(let queue): return .waiting(queue: queue)
    default: return demand
    }
  }

  private static func ownDemand(of request: HTTPRequest) -> RequestDemand {
    let (first, view, rest) = parts(of: request)
    switch first {
    // An import waits for the journal.
    case "views" where view.isEmpty: return request.method == .post ? .waiting(queue: "") : .several(queue: "")
    case "views": return .of(view, isHeavy: isHeavy(request, rest))
    case "", "metrics": return .several(queue: "")
    // The document takes some milliseconds, during which an event loop would serve no other client.
    case "openapi.json": return .several(queue: "openapi.json")
    // The frames of one page must be handled in order.
    case "frames": return .several(queue: "frames \(request.queryItem("page") ?? "")")
    // The views of a page are found in their documents, under the locks of the views.
    case "pages": return .several(queue: "pages")
    default: return .light
    }
  }

  /// An estimate of the memory that a request takes while it is handled, in bytes.
  ///
  /// - A body counts 128 times its length: a diff that changes the rows of a list takes up to 150
  ///   times its length, a single text seven times.
  /// - A push only reads the page, so the page does not count.
  /// - For any other request of a view with a body, the page counts twice, because it may be
  ///   rendered and parsed whole. Without a body, it counts once, and four times if the steps of an
  ///   update are computed again. `POST /frames` counts no page, because its path does not name a
  ///   view.
  ///
  /// - Complexity: O(*path*), without the lock of a view.
  @Sendable
  public func memory(of request: HTTPRequest) -> Int {
    let segments = request.segments
    let page =
      segments.count > 1 && segments[0] == "views" && segments.last != "push" ? views.pageMemory(of: segments[1]) : 0
    let makesSteps = segments.contains("steps") || request.queryItem("tab") == "steps"
    return request.body.count * 128 + page * (makesSteps ? 4 : request.body.isEmpty ? 1 : 2)
  }

  /// The first two segments of the path, and the rest. Escapes are decoded, so that all spellings
  /// of a view's path lead to the same queue.
  private static func parts(of request: HTTPRequest) -> (first: Substring, view: Substring, rest: Substring) {
    // Most paths have no escapes and are split without a string for each segment.
    if request.path.utf8.contains(UInt8(ascii: "%")) {
      let segments = request.segments
      let rest = segments.dropFirst(2).joined(separator: "/")
      return (segments.first.map { $0[...] } ?? "", segments.dropFirst().first.map { $0[...] } ?? "", rest[...])
    }
    let (first, others) = cut(request.path.dropFirst())
    let (view, rest) = cut(others)
    return (first, view, rest)
  }

  /// The first segment of a path, and the part after its slash.
  private static func cut(_ path: Substring) -> (first: Substring, others: Substring) {
    guard let slash = path.utf8.firstIndex(of: UInt8(ascii: "/")) else { return (path, "") }
    return (path[..<slash], path[path.utf8.index(after: slash)...])
  }

  /// - Parameter rest: the part of the path after the view.
  private static func isHeavy(_ request: HTTPRequest, _ rest: Substring) -> Bool {
    switch rest {
    case "diffs", "events": false
    case "": request.method != .delete && request.headers["Accept"]?.contains("html") == true
    case "subscriptions" where request.method == .get: false
    default: true
    }
  }
}

extension Inspector {
  /// Reads the entries of other mirrors from the journal, for the views that the request may read.
  /// If mirrors share the journal, a response must not show an older state than an earlier response
  /// of another mirror. While the journal cannot be read, the response shows what this mirror has.
  ///
  /// Nothing is read for a diff. If this mirror applies a diff to an old version, the journal
  /// refuses the diff, and the mirror applies it again to the newer version.
  func catchUp(for request: HTTPRequest) {
    guard views.isShared else { return }
    let segments = request.segments
    switch segments.first {
    // Requests of one view, except for those that also read its page load, such as a push.
    case "views" where segments.count > 2 && segments[2] != "push":
      if segments[2] != "diffs" { try? views.catchUp(segments[1]) }
    case nil, "", "views", "pages", "frames", "metrics": views.catchUp()
    default: break
    }
  }
}
