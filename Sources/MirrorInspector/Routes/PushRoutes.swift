internal import LiveViewMirror
internal import MarkupDocument
internal import MicroHTTP
internal import NodeObservation
internal import RenderedTree

/// Events that are sent to a LiveView: `POST /views/{view}/push`, and the stream from which the
/// carrier of a page reads them. ``Inspector`` adds these routes to its router.
struct PushRoutes {
  let views: LiveViews
  let carriers: Carriers

  func add(to router: inout Router) {
    if views.isShared { SharedCarriers(views: views, carriers: carriers).connect() }
    router.on(.get, "/pages/{page}/pushes", listen)
    router.on(.post, "/views/{view}/push", push)
  }

  // MARK: - The carrier

  private func listen(_ request: HTTPRequest) throws -> HTTPResponse {
    let id = try request.page()
    guard views.page(id) != nil else { throw HTTPError.unknownPage(id) }
    // A `HEAD` request opens no stream.
    if request.method == .head { return HTTPResponse(headers: HTTPHeaders.eventStream) }
    guard let stream = carriers.open(id) else {
      throw HTTPError(
        .serviceUnavailable, "There are \(Carriers.limit) carriers, which is the limit, or the mirror is stopping.",
        headers: ["Retry-After": "5"])
    }
    return HTTPResponse(headers: HTTPHeaders.eventStream, body: .stream(stream))
  }

  // MARK: - Pushing

  private func push(_ request: HTTPRequest) throws -> HTTPResponse {
    let wait = try request.wait()
    return try push(request, wait, until: .now + wait)
  }

  private func push(
    _ request: HTTPRequest, _ wait: Duration, until deadline: ContinuousClock.Instant
  ) throws -> HTTPResponse {
    let body = try PushBody(request.body)
    let view = try request.currentView(of: views)
    let life = views.life(of: view.id)
    // In a native document, an action can change a control without sending anything. Such an
    // action needs no carrier.
    let early = view.document.dialect == .native ? try body.plan(for: view, of: views) : nil
    if let early, early.pushes.isEmpty {
      return UnchangedAnswer(view: view, evaluations: try enter(early, in: view)).response(for: request)
    }
    guard let page = life.page else {
      throw HTTPError(
        .noCarrier,
        "View \"\(view.id)\" has no page, so no carrier can send events to it. Feed it by the tap or by attach, or with "
          + "POST /frames?page=PAGE, and read GET /pages/PAGE/pushes.")
    }
    if life.status == .crashed || life.status == .joining {
      try checkJoin(of: view.id, life, until: deadline)
      guard carriers.beginWaiting() else {
        throw HTTPError(
          .serviceUnavailable, "\(Carriers.mostWaiting) pushes wait for the joins of their views, which is the limit.",
          headers: ["Retry-After": "1"])
      }
      let next = min(deadline, .now + Self.timeToJoin)
      let again: DeferredResponse.Completion = .make { request in
        carriers.endWaiting()
        return try push(request, wait, until: deadline)
      }
      return try DeferredResponse(until: next, keepsBody: true, orElse: again).response(for: request)
    }
    let plan = try early ?? body.plan(for: view, of: views)
    // A control may change only if the pushes can be sent. If mirrors share the journal, the
    // carrier may be connected to another mirror, so the control changes before that is known.
    let evaluations = carriers.isConnected(page) || views.isShared ? try enter(plan, in: view) : []
    // All pushes of an action are sent at once, as LiveView's client does.
    let sendings = plan.pushes.map { Push($0, in: page) }.map { ($0.sent, carriers.send($0, to: page)) }
    if sendings.contains(where: \.1.wasSent) { views.didSend(plan) }
    let answer: DeferredResponse.Completion = .make { request in
      let outcomes = sendings.map { ($0, carriers.outcome(of: $1)) }
      // The response is the last change, even if another push of the same action has no answer, so
      // that the client learns of the change.
      let changes = outcomes.lazy.compactMap { if case .changed(let record) = $1 { record } else { nil } }
      if let record = changes.last { return .changeSet(record, for: request) }
      let unchanged = try outcomes.compactMap { try self.answer($0, $1, from: page, after: wait) }
      var answer = unchanged.last ?? UnchangedAnswer(view: view)
      answer.evaluations = evaluations
      return answer.response(for: request)
    }
    let response = DeferredResponse(until: deadline, orElse: answer)
    carriers.whenSettled(sendings.map(\.1)) { response.complete(answer) }
    return try response.response(for: request)
  }

  private func enter(_ plan: ActionPlan, in view: ViewState) throws -> [Evaluation] {
    do throws(ActionError) { return try views.enter(plan, in: view.id) } catch {
      throw JSONBody.wrong(error.pointer, error.reason)
    }
  }

  /// The time after which a push to a view that is not joined is tried again.
  private static let timeToJoin = Duration.milliseconds(20)

  /// An event that is sent after a view has crashed, and before its client has joined again, gets
  /// no answer. So the push waits.
  ///
  /// - Throws: 504 with the reason, if the join was refused, or has not come in time.
  private func checkJoin(
    of view: String, _ life: ViewLife, until deadline: ContinuousClock.Instant
  ) throws(HTTPError) {
    if let refusal = life.refusal {
      throw HTTPError(
        .notJoined, "The server has refused the join of view \"\(view)\": \(refusal). Nothing was sent.")
    }
    guard ContinuousClock.now < deadline, !carriers.isClosed else {
      let state =
        life.status == .crashed ? "has crashed, and its client has not joined it again" : "is not joined yet"
      throw HTTPError(
        .notJoined, "View \"\(view)\" \(state). Nothing was sent. Wait longer with ?wait=SECONDS.")
    }
  }

  /// The response to a push that has changed nothing; `nil` if the push has changed the view, or if
  /// the view does not exist any more.
  private func answer(
    _ push: Push, _ outcome: Carriers.Outcome, from page: String, after wait: Duration
  ) throws -> UnchangedAnswer? {
    switch outcome {
    case .changed: return nil
    case .unchanged(let cause): return views[push.view]?.view.map { UnchangedAnswer(view: $0, cause: cause) }
    case .sent: return views[push.view]?.view.map { UnchangedAnswer(view: $0, destination: push.destination) }
    case .noCarrier:
      throw HTTPError(
        .noCarrier,
        "No carrier is connected to page \"\(page)\": open the page in a browser with the tap, or attach to it; a carrier "
          + "reads GET /pages/\(page)/pushes.")
    case .crashed:
      throw HTTPError(
        .unanswered,
        "View \"\(push.view)\" crashed before it answered \"\(push.event.name)\". The log of the app's server has the reason; "
          + "LiveView's client joins the view again.")
    case .disconnected:
      throw HTTPError(
        .unanswered,
        "The carrier of page \"\(page)\" has disconnected before an answer came. The LiveView may have received the event."
      )
    case .unanswered:
      let status = views.life(of: push.view).status
      throw HTTPError(
        .unanswered,
        "No answer to \"\(push.event.name)\" came within \(wait.formattedSeconds) s; the view is \(status.rawValue). A carrier "
          + "must also feed the frame that it sends. Wait longer with ?wait=SECONDS, or --wait of liveview-mirror push."
      )
    case .stopping: throw HTTPError(.stopping, "The mirror is stopping.", headers: ["Retry-After": "1"])
    }
  }
}

extension HTTPRequest {
  /// `?wait=`: seconds, with a fraction; 5 if it is absent.
  fileprivate func wait() throws(HTTPError) -> Duration {
    guard let text = queryItem("wait") else { return .seconds(5) }
    guard let seconds = Double(text), (0...60).contains(seconds) else {
      throw HTTPError.invalid("wait", mustBe: "a number of seconds from 0 to 60", not: text)
    }
    return .milliseconds(Int(seconds * 1_000))
  }
}

extension Duration {
  fileprivate var formattedSeconds: String { Milliseconds.text(self / .seconds(1)) }
}
