internal import LiveViewMirror
internal import MicroHTTP
internal import MirrorSupport
internal import RenderedTree

/// Events that are sent to a LiveView: `POST /views/{view}/push`, and the stream from which the carrier of a page reads them.
struct PushRoutes {
  let views: LiveViews
  let carriers: Carriers

  func add(to router: inout Router) {
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
    let view = try request.view(of: views)
    let wait = try request.wait()
    let page = views.life(of: view.id).page
    let push = try PushRequest(request.body).push(to: view.id, in: page)
    guard let page else {
      throw HTTPError(
        .conflict,
        "View \"\(view.id)\" has no page, so no carrier can send events to it. Feed it by the tap or by attach, or with "
          + "POST /frames?page=PAGE, and read GET /pages/PAGE/pushes.")
    }
    switch carriers.send(push, to: page, waiting: wait) {
    case .changed(let record): return .changeSet(record, for: request)
    case .unchanged(let cause): return .json(Self.unchanged(view, cause))
    case .noCarrier:
      throw HTTPError(
        .conflict,
        "No carrier is connected to page \"\(page)\": open the page in a browser with the tap, or attach to it; a carrier "
          + "reads GET /pages/\(page)/pushes.")
    case .disconnected:
      throw HTTPError(
        .gatewayTimeout,
        "The carrier of page \"\(page)\" has disconnected before an answer came. The LiveView may have received the event."
      )
    case .unanswered:
      let status = views.life(of: view.id).status
      throw HTTPError(
        .gatewayTimeout,
        "No answer to \"\(push.event.name)\" came within \(wait.inSeconds) s; the view is \(status.rawValue). A carrier "
          + "must also feed the frame that it sends. Wait longer with ?wait=SECONDS.")
    case .stopping: throw HTTPError(.serviceUnavailable, "The mirror is stopping.", headers: ["Retry-After": "1"])
    }
  }

  /// The answer to an event that has changed nothing. The view has no new version.
  private static func unchanged(_ view: ViewState, _ cause: UpdateCause) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("view", view.id)
      json.member("epoch", view.epoch)
      json.member("version", view.version)
      json.array("changes", EmptyCollection<Int>()) { $0.value($1) }
      json.array("notified", EmptyCollection<Int>()) { $0.value($1) }
      json.member("observers", 0)
      Optional(cause).write(to: &json)
    }
    return json.bytes
  }
}

/// The body of `POST /views/{view}/push`: the event to send.
private struct PushRequest {
  private let body: JSONBody

  private static let longestName = 200

  init(_ bytes: [UInt8]) throws(HTTPError) {
    body = try JSONBody(bytes, of: ["event", "type", "value", "target"])
  }

  func push(to view: String, in page: String?) throws(HTTPError) -> Push {
    guard let name = try body.text("event", longest: Self.longestName), !name.isEmpty else {
      throw JSONBody.wrong("/event", "event is missing: the name of the event to send, such as inc")
    }
    let value = body.json("value") ?? "{}"
    let type = try body.text("type", longest: Self.longestName) ?? (value.hasPrefix("\"") ? "form" : "click")
    let target = try body.number("target", of: "a component", from: 1)
    let json: JSON = .object(
      [("type", .string(type)), ("event", .string(name)), ("value", .text(value))]
        + (target.map { [("cid", .integer($0))] } ?? []))
    return Push(
      view: view, topic: LiveViews.topic(of: view, in: page), frame: "event", payload: json.text,
      event: ClientEvent(name: name, type: type, value: JSONText(value), target: target))
  }
}

extension HTTPRequest {
  /// `?wait=`: seconds, with a fraction; 5 if it is absent.
  fileprivate func wait() throws(HTTPError) -> Duration {
    guard let text = queryItem("wait") else { return .seconds(5) }
    guard let seconds = Double(text), (0...60).contains(seconds) else {
      throw HTTPError(.badRequest, "wait must be a number of seconds from 0 to 60, not \"\(text)\".")
    }
    return .milliseconds(Int(seconds * 1_000))
  }
}

extension Duration {
  fileprivate var inSeconds: String { Milliseconds.text(self / .seconds(1)) }
}
