internal import LiveViewMirror
public import MicroHTTP

extension Inspector {
  /// What a request may wait for.
  ///
  /// Requests of one view take its lock, so they never run beside a long one of the same view on the daemon's threads. Long by
  /// themselves are mounts, and whatever looks at a whole page or log; a diff is so only where its body is long, or the last ones
  /// of its view were.
  @Sendable
  public static func demand(of request: HTTPRequest) -> RequestDemand {
    let (first, view, rest) = parts(of: request)
    switch first {
    case "views": return view.isEmpty ? .several(queue: "") : .of(view, isHeavy: isHeavy(request, rest))
    case "", "metrics": return .several(queue: "")
    // A page of a browser sends its frames in order, with its name in the query.
    case "frames": return .several(queue: "frames?\(request.query ?? "")")
    default: return .light
    }
  }

  /// About how many bytes of memory a request takes while it is handled.
  ///
  /// - A body counts 128 times its length: a diff that changes the rows of a list takes up to 150 times, a single text seven times.
  /// - A request of a view with a body counts the page twice, since the page may be rendered and parsed whole. One without
  ///   a body counts it once. `POST /frames` counts no page: the path does not name the view.
  ///
  /// - Complexity: O(*path*), without the lock of any view.
  @Sendable
  public func memory(of request: HTTPRequest) -> Int {
    let segments = request.segments
    let page = segments.count > 1 && segments[0] == "views" ? views.pageMemory(of: segments[1]) : 0
    return request.body.count * 128 + (request.body.isEmpty ? page : 2 * page)
  }

  /// The first two segments of the path, and what follows them. Escapes are decoded, since one view has one key, whatever the
  /// spelling of its path.
  private static func parts(of request: HTTPRequest) -> (first: Substring, view: Substring, rest: Substring) {
    // Most paths have no escapes, and are cut without a string for each segment.
    if request.path.utf8.contains(UInt8(ascii: "%")) {
      let segments = request.segments
      let rest = segments.dropFirst(2).joined(separator: "/")
      return (segments.first.map { $0[...] } ?? "", segments.dropFirst().first.map { $0[...] } ?? "", rest[...])
    }
    let (first, others) = cut(request.path.dropFirst())
    let (view, rest) = cut(others)
    return (first, view, rest)
  }

  /// The first segment of a path, and what follows its slash.
  private static func cut(_ path: Substring) -> (first: Substring, others: Substring) {
    guard let slash = path.utf8.firstIndex(of: UInt8(ascii: "/")) else { return (path, "") }
    return (path[..<slash], path[path.utf8.index(after: slash)...])
  }

  /// - Parameter rest: what follows the view in the path.
  private static func isHeavy(_ request: HTTPRequest, _ rest: Substring) -> Bool {
    switch rest {
    case "diffs", "events", "push": false
    case "": request.method != .delete && request.headers["Accept"]?.contains("html") == true
    case "subscriptions" where request.method == .get: false
    default: true
    }
  }
}
