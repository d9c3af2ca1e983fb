internal import LiveViewMirror
internal import MarkupDocument
internal import MicroHTTP

/// `GET /views/{view}/events`: the events of a view, as Server-Sent Events. ``Inspector`` adds this
/// route to its router.
struct EventRoutes {
  let views: LiveViews
  let events: EventHub

  /// The maximum of `pace`, in milliseconds.
  static let slowestPace = 1_000

  func add(to router: inout Router) { router.on(.get, "/views/{view}/events", open) }

  private func open(_ request: HTTPRequest) throws -> HTTPResponse {
    // Another thread can replace the coordinator of a view after this one has found it. A later
    // attempt finds the new coordinator in the view directory.
    for _ in 0..<2_000 {
      if let response = try openOnce(request) { return response }
      UpdateAttempts.pause()
    }
    throw HTTPError(
      .outdated, "The view changes at several mirrors all the time: try again.", headers: ["Retry-After": "5"])
  }

  /// - Returns: `nil` if the coordinator of the view was replaced meanwhile.
  private func openOnce(_ request: HTTPRequest) throws -> HTTPResponse? {
    let id = try request.parameter("view")
    let view = try views.mounted(id)
    let epoch = try views.state(of: view).epoch
    try request.requireCurrent(epoch, of: id)
    let asked = try request.lastEvent(in: epoch)
    let pace = try request.pace()
    let watch = try request.queryItem("node").map { text throws(HTTPError) -> NodeWatch in
      let node = try request.node(text, in: views.state(of: view).document)
      return try self.watch(node, of: view, after: asked)
    }
    // A `HEAD` request opens no stream.
    if request.method == .head {
      watch?.end()
      return HTTPResponse(headers: HTTPHeaders.eventStream)
    }
    do throws(EventHub.Refusal) {
      // The client may already have seen newer events at another mirror. If the journal cannot be
      // read, this mirror may lack them, so `isCurrent` is `false`.
      let stream = try events.open(
        view, watching: watch, after: asked, isCurrent: asked == nil || views.catchUp(), pace: pace)
      return HTTPResponse(headers: HTTPHeaders.eventStream, body: .stream(stream))
    } catch {
      switch error {
      case .replaced: return nil
      case .closed: throw HTTPError(.stopping, "The mirror is stopping.", headers: ["Retry-After": "5"])
      case .removed: throw views.missing(id)
      case .full:
        throw HTTPError(
          .serviceUnavailable,
          "\(events.limit) clients read events, which is the limit: try again when one has disconnected.",
          headers: ["Retry-After": "5"])
      }
    }
  }

  private func watch(
    _ node: NodeRef, of view: LiveViewCoordinator, after asked: EventID?
  ) throws(HTTPError) -> NodeWatch {
    // In another epoch, the same number was another node.
    if let asked, asked != .beginning, asked.epoch != node.epoch {
      throw HTTPError(
        .unknownNode,
        "The nodes of epoch \(asked.epoch) send no more signals: view \"\(view.id)\" is in epoch \(node.epoch).")
    }
    guard let watch = NodeWatch(node, in: view) else {
      throw HTTPError(.unknownNode, "View \"\(view.id)\" has no node \(node) in epoch \(node.epoch) now.")
    }
    return watch
  }
}

extension HTTPRequest {
  /// The last event that the client has seen: `Last-Event-ID`, which a browser sends when it
  /// reconnects, or `?after=`.
  fileprivate func lastEvent(in epoch: Int) throws(HTTPError) -> EventID? {
    func eventID(_ text: String, of name: String) throws(HTTPError) -> EventID {
      text == "0" ? .beginning : try position(text, of: name, in: epoch)
    }
    let header = try headers["Last-Event-ID"].flatMap { text throws(HTTPError) in
      text.isEmpty ? nil : try eventID(text, of: "Last-Event-ID")
    }
    // Checked although the header takes precedence, so that a mistake in an address shows at once.
    let item = try queryItem("after").map { text throws(HTTPError) in try eventID(text, of: "after") }
    return header ?? item
  }

  /// How long the stream waits after it has sent all events.
  fileprivate func pace() throws(HTTPError) -> Duration {
    let pace = try number("pace") ?? 0
    guard pace <= EventRoutes.slowestPace else {
      throw HTTPError.invalid(
        "pace", mustBe: "a number of milliseconds from 0 to \(EventRoutes.slowestPace)", not: "\(pace)")
    }
    return .milliseconds(pace)
  }
}

extension HTTPHeaders {
  /// The headers of a stream of Server-Sent Events.
  static let eventStream: HTTPHeaders = [
    "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
    "X-Content-Type-Options": "nosniff",
  ]
}
