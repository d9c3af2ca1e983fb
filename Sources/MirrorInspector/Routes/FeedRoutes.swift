public import LiveViewMirror
internal import MarkupDocument
internal import MicroHTTP
internal import MirrorSupport

/// The routes that feed a view: mounts, diffs, frames and deletion. Every `Content-Type` is
/// accepted, including curl's default.
///
/// ``Inspector`` adds them to its router. With a journal, a response to a change is sent only when
/// the journal has the change.
struct FeedRoutes {
  let views: LiveViews
  let bodies: ViewBodies

  /// A request body of at least this number of bytes may take so much memory that the cached
  /// response bodies are evicted first.
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
      let (record, isFirst) = try views.mountNoting(
        id, request.body, dialect: dialect, container: container, client: client, receipts: receipts)
      var response = HTTPResponse.changeSet(record, for: request)
      response.status = isFirst ? .created : .ok
      response.headers["Location"] = "/views/\(id)"
      return response
    }
  }

  private func update(_ request: HTTPRequest) throws -> HTTPResponse {
    let id = try request.parameter("view")
    return try views.keeping(for: request, withAll: false) { receipts in
      .changeSet(try views.update(id, request.body, receipts: receipts), for: request)
    }
  }

  private func receiveFrames(_ request: HTTPRequest) throws -> HTTPResponse {
    let (dialect, container) = (try request.dialect(), try request.container())
    let (page, client) = (try request.pageFeed(), try request.client())
    let form = request.form(of: [.json, .text])
    guard request.mayDefer else {
      var outcome = FramesOutcome(isText: form == .text)
      do throws(UpdateError) {
        let report = try views.receive(
          frames: request.body, dialect: dialect, container: container, client: client, of: page,
          each: { outcome.add($0) })
        return outcome.response(report)
      } catch {
        throw error.asHTTP
      }
    }
    let begin = { @Sendable (request: HTTPRequest, turn: PageTurn?) throws -> HTTPResponse in
      do throws(UpdateError) {
        let input = try views.begin(
          frames: request.body, dialect: dialect, container: container, client: client, of: page, turn: turn)
        return try advance(input, FramesOutcome(isText: form == .text))
      } catch {
        throw error.asHTTP
      }
    }
    guard let page else { return try begin(request, nil) }
    let later = DeferredResponse(keepsBody: true)
    if let turn = views.takeTurn(of: page, orLater: { turn in later.complete(.make { try begin($0, turn) }) }) {
      return try begin(request, turn)
    }
    return try later.response(for: request)
  }

  /// The outcomes of the frames of an input so far, if they are sent as text.
  private struct FramesOutcome {
    let isText: Bool
    private var lines: [String] = []

    init(isText: Bool) { self.isText = isText }

    mutating func add(_ outcome: LiveViews.FrameOutcome) { if isText { lines.append(outcome.text) } }

    func response(_ report: LiveViews.FramesReport) -> HTTPResponse {
      isText ? .text(lines.joined()) : .json(report.json.bytes)
    }
  }

  /// Applies the frames of an input. If the journal must keep a frame before the next one is
  /// applied, the response is deferred, and this function continues later.
  private func advance(
    _ input: LiveViews.FramesInput, _ outcome: FramesOutcome
  ) throws(UpdateError) -> HTTPResponse {
    var (input, outcome, receipts) = (input, outcome, JournalReceipts())
    let isPaused = views.advance(&input, collecting: receipts, each: { outcome.add($0) })
    if !isPaused {
      var response = outcome.response(try views.end(input))
      response.deferred = views.deferred(receipts, after: input.ticket, repeats: false)
      return response
    }
    var response = HTTPResponse()
    // The body counts as memory until the input has ended.
    let deferred = DeferredResponse(keepsBody: true)
    response.deferred = deferred
    views.whenKept(receipts, after: nil) { [input, outcome] error in
      deferred.complete(
        .make { _ in
          var input = input
          input.continue(after: error)
          do throws(UpdateError) { return try advance(input, outcome) } catch { throw error.asHTTP }
        })
    }
    return response
  }

  private func remove(_ request: HTTPRequest) throws -> HTTPResponse {
    let id = try request.parameter("view")
    return try views.keeping(for: request) { _ in
      guard views.remove(id) else { throw views.missing(id) }
      return HTTPResponse(status: .noContent)
    }
  }
}

extension LiveViews {
  /// The view with an id.
  ///
  /// - Throws: 404 if it is not mounted, 410 if it was evicted; 503 or 500, if the journal cannot
  ///   return it.
  func mounted(_ id: String) throws(HTTPError) -> LiveViewCoordinator {
    let view: LiveViewCoordinator?
    do throws(UpdateError) { view = try self.view(id) } catch {
      if error.kind == .damaged { throw error.asHTTP }
      throw HTTPError(.notKept, "\(error.reason).", headers: ["Retry-After": "1"])
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

  /// Answers a request that changes something, when the journal has the change: the response is
  /// deferred, and the thread handles other requests.
  ///
  /// - Parameters:
  ///   - withAll: whether to wait for everything that the journal was given so far, such as the
  ///     rows of pages, not only for the receipts.
  ///   - change: makes the change. It gets the receipts for what it writes, or `nil` if it must
  ///     wait for the journal itself. It throws an ``UpdateError`` of the kind `outdated` if the
  ///     request must be handled again.
  /// - Throws: the error of `change`; or 503, if the journal does not accept it.
  func keeping(
    for request: HTTPRequest, withAll: Bool = true, _ change: (JournalReceipts?) throws -> HTTPResponse
  ) throws -> HTTPResponse {
    let receipts = hasJournal && request.mayDefer ? JournalReceipts() : nil
    let ticket = withAll ? journalTicket : nil
    do {
      try checkJournal()
      var response = try change(receipts)
      if let receipts {
        response.deferred = deferred(receipts, after: ticket)
      } else if let ticket {
        try settle(after: ticket)
      }
      return response
    } catch {
      guard var problem = (error as? UpdateError)?.asHTTP ?? error as? HTTPError else { throw error }
      if let receipts {
        if (error as? UpdateError)?.kind == .outdated {
          problem.deferred = .repeated
        } else if !receipts.tickets.isEmpty {
          // A rejection is an entry of the log, too, so its response also waits for the journal.
          problem.deferred = deferred(receipts, after: ticket)
        }
      }
      throw problem
    }
  }

  /// Defers a response until the journal has the changes of its request. See
  /// ``whenKept(_:after:_:)``.
  ///
  /// - Parameter repeats: whether the request is handled again if another mirror has changed a view
  ///   first.
  fileprivate func deferred(_ receipts: JournalReceipts, after ticket: Int?, repeats: Bool = true) -> DeferredResponse {
    let deferred = DeferredResponse(keepsBody: repeats && isShared)
    whenKept(receipts, after: ticket) { error in
      switch error {
      case nil: deferred.complete(.send)
      case let error? where error.kind == .outdated && repeats: deferred.complete(.handleAgain)
      case let error?: deferred.complete(.make { _ in throw error.asHTTP })
      }
    }
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
      "stale_frames": .integer(staleFrameCount), "rejected_frames": .integer(rejectedFrameCount),
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

  private var problem: JSON { .json(error.problem.jsonText) }

  /// `{"rejected": problem, "frame": …, "view": …}` on one line, for NDJSON.
  public var jsonLine: String {
    let json: JSON = ["rejected": problem, "frame": .integer(index), "view": JSON(view)]
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

extension DeferredResponse {
  /// A deferred response that makes the server handle the request again.
  fileprivate static var repeated: DeferredResponse {
    let deferred = DeferredResponse(keepsBody: true)
    deferred.complete(.handleAgain)
    return deferred
  }
}
