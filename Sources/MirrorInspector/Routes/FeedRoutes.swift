public import LiveViewMirror
internal import MarkupDocument
internal import MicroHTTP
internal import MirrorSupport

/// The routes that feed a view: mounts, diffs, frames and deletion. Every `Content-Type` is accepted, including curl's default.
struct FeedRoutes {
  let views: LiveViews
  let bodies: ViewBodies

  /// From this number of bytes on, a body may take so much memory that cached response bodies are evicted first.
  private static let largeBody = 1 << 20

  func add(to router: inout Router) {
    router.on(.post, "/views/{view}/rendered", makingRoom(for: mount))
    router.on(.post, "/views/{view}/diffs", makingRoom(for: update))
    router.on(.post, "/frames", makingRoom(for: receiveFrames))
    router.on(.delete, "/views/{view}", remove)
  }

  private func makingRoom(
    for handler: @escaping @Sendable (HTTPRequest) throws -> HTTPResponse
  ) -> @Sendable (HTTPRequest) throws -> HTTPResponse {
    { request in
      if request.body.count >= Self.largeBody { bodies.dropAll() }
      return try handler(request)
    }
  }

  private func mount(_ request: HTTPRequest) throws -> HTTPResponse {
    let id = try request.parameter("view")
    let (dialect, container) = (try request.dialect(), try request.container())
    let client = try request.client()
    return try views.keeping(for: request) { receipts in
      let (record, isFirst) = try answering { () throws(UpdateError) in
        try views.mountNoting(
          id, request.body, dialect: dialect, container: container, client: client, receipts: receipts)
      }
      var response = HTTPResponse.changeSet(record, for: request)
      response.status = isFirst ? .created : .ok
      response.headers["Location"] = "/views/\(id)"
      return response
    }
  }

  private func update(_ request: HTTPRequest) throws -> HTTPResponse {
    let id = try request.parameter("view")
    guard views.hasJournal, request.mayDefer else { return try updateWaiting(id, request) }
    // The thread does not wait while the journal writes the entry, and handles other requests.
    let receipts = JournalReceipts()
    do throws(UpdateError) {
      var response = HTTPResponse.changeSet(
        try views.update(id, request.body, receipts: receipts), for: request)
      response.deferred = views.deferred { views.whenSettled(receipts, $0) }
      return response
    } catch {
      var problem = error.asHTTP
      if error.kind == .outdated {
        problem.deferred = DeferredResponse(keepsBody: true)
        problem.deferred?.complete(.handleAgain)
      } else if !receipts.tickets.isEmpty {
        // A rejection is an entry, too.
        problem.deferred = views.deferred { views.whenSettled(receipts, $0) }
      }
      throw problem
    }
  }

  private func updateWaiting(_ id: String, _ request: HTTPRequest) throws -> HTTPResponse {
    .changeSet(try answering { () throws(UpdateError) in try views.update(id, request.body) }, for: request)
  }

  private func receiveFrames(_ request: HTTPRequest) throws -> HTTPResponse {
    let (dialect, container) = (try request.dialect(), try request.container())
    let (page, client) = (try request.pageFeed(), try request.client())
    let form = request.form(of: [.json, .text])
    return try views.keeping(for: request) { receipts in
      var lines: [String] = []
      let report = try answering { () throws(UpdateError) in
        try views.receive(
          frames: request.body, dialect: dialect, container: container, client: client, of: page, receipts: receipts
        ) { outcome in
          if form == .text { lines.append(outcome.text) }
        }
      }
      return form == .text ? .text(lines.joined()) : .json(report.json.bytes)
    }
  }

  private func remove(_ request: HTTPRequest) throws -> HTTPResponse {
    let id = try request.parameter("view")
    return try views.keeping(for: request) { _ in
      guard views.remove(id) else { throw views.missing(id) }
      return HTTPResponse(status: .noContent)
    }
  }

  private func answering<Result>(_ body: () throws(UpdateError) -> Result) throws(HTTPError) -> Result {
    do { return try body() } catch { throw error.asHTTP }
  }
}

extension LiveViews {
  /// The view with an id.
  ///
  /// - Throws: 404 if it is not mounted, 410 if it was evicted; 503 or 500, if the journal cannot return it.
  func mounted(_ id: String) throws(HTTPError) -> LiveViewCoordinator {
    let view: LiveViewCoordinator?
    do throws(UpdateError) { view = try self.view(id) } catch {
      if error.kind == .damaged { throw error.asHTTP }
      throw HTTPError(.serviceUnavailable, "\(error.reason).", headers: ["Retry-After": "1"])
    }
    guard let view else { throw missing(id) }
    return view
  }

  /// The error of a view that is not mounted: 410 if it was evicted, otherwise 404.
  func missing(_ id: String) -> HTTPError {
    var error = absence(of: id)
    if error.kind == .unknownView { error.reason = "there is no view \"\(id)\"; GET /views lists all views" }
    return error.asHTTP
  }

  /// A snapshot of a view in its current epoch.
  ///
  /// - Throws: as ``mounted(_:)``.
  func state(of view: LiveViewCoordinator) throws(HTTPError) -> ViewState {
    guard let state = view.view else { throw missing(view.id) }
    return state
  }

  /// Answers a request that changes something, when the journal has the change. If other mirrors share the journal, the thread waits for it;
  /// otherwise the response is deferred, and the thread handles other requests.
  ///
  /// - Parameter change: gets what collects the items that it must not wait for; `nil` if it must wait.
  /// - Throws: the error of `change`; or 503, if the journal does not accept it.
  func keeping(
    for request: HTTPRequest, _ change: (JournalReceipts?) throws -> HTTPResponse
  ) throws -> HTTPResponse {
    do throws(UpdateError) { try checkJournal() } catch { throw error.asHTTP }
    // An earlier request may have changed what this one finds changed already, such as frames that are sent again.
    let (place, end) = (isShared ? journalEnd : journalSettled, journalEnd)
    guard hasJournal, !isShared, request.mayDefer else {
      let response = try change(nil)
      do throws(UpdateError) { try settle(after: place) } catch { throw error.asHTTP }
      return response
    }
    do {
      var response = try change(JournalReceipts())
      response.deferred = deferred { whenSettled(after: place, $0) }
      return response
    } catch var error as HTTPError {
      // A rejection is an entry, too.
      if journalEnd > end { error.deferred = deferred { whenSettled(after: place, $0) } }
      throw error
    }
  }

  /// Defers a response until the journal has what it is about.
  ///
  /// - Parameter settle: calls its argument once, with the error if the journal does not have it.
  fileprivate func deferred(
    _ settle: (@escaping @Sendable (UpdateError?) -> Void) -> Void
  ) -> DeferredResponse {
    let deferred = DeferredResponse(keepsBody: isShared)
    settle { deferred.complete(after: $0) }
    return deferred
  }
}

extension LiveViews.FramesReport {
  fileprivate var json: JSON {
    [
      "all_rejected": .bool(isAllRejected),
      "frames": .integer(frames), "applied": .integer(applied), "ignored": .integer(ignored),
      "known_frames": .integer(known), "missing_frames": .integer(missing),
      "destroyed_components": .integer(destroyedComponents),
      "stale_frames": .integer(staleFrames), "rejected_frames": .integer(rejectedFrames),
      "rejected": .array(rejected.map(\.json)), "client_throws": .array(clientStops.map(\.json)),
    ]
  }
}

extension LiveViews.FramesReport.Stop {
  /// `{"frame", "view", "version", "message"}`.
  fileprivate var json: JSON {
    ["frame": .integer(index), "view": .string(view), "version": .integer(version), "message": .string(reason)]
  }
}

extension LiveViews.FramesReport.Rejected {
  /// `{"frame", "view", "problem"}`.
  var json: JSON { ["frame": .integer(index), "view": JSON(view), "problem": problem] }

  private var problem: JSON { .text(String(decoding: error.problem.json, as: UTF8.self)) }

  /// `{"rejected": problem, "frame": …, "view": …}` on one line, for NDJSON.
  public var jsonLine: String {
    let json: JSON = ["rejected": problem, "frame": .integer(index), "view": JSON(view)]
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

extension DeferredResponse {
  /// - Parameter error: why the journal does not have what the response is about.
  fileprivate func complete(after error: UpdateError?) {
    switch error {
    case nil: complete(.send)
    // Another mirror has changed the view first: the diff is applied again.
    case let error? where error.kind == .outdated: complete(.handleAgain)
    case let error?: complete(.make { _ in throw error.asHTTP })
    }
  }
}
