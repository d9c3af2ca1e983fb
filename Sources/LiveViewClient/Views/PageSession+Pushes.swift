internal import LiveViewMirror

/// Pushes to the server and their answers. ``LivePage`` pushes for the program, and the session for
/// removed components. Each push of the program gets one answer.
extension PageSession {
  static let pushTimeout = Duration.seconds(30)

  /// Sends a frame on the channel of a view. The server answers the frame.
  ///
  /// - Returns: the token of the push.
  @discardableResult
  mutating func push(_ event: String, _ payload: String, to view: MountedView, for purpose: SessionPush) -> Int {
    let token = nextToken()
    pushes[token] = purpose
    socket.push(
      PhoenixChannel.Push(token: token, event: event, payload: payload, timeout: Self.pushTimeout), to: view.channel)
    return token
  }

  /// Sends a frame for the program. The answer is the action ``PageAction/answer(token:_:)``.
  ///
  /// A push before the first join of its view waits for that join. While a view is joined again,
  /// this method throws an error, because otherwise the server would get the event long after its
  /// cause.
  ///
  /// - Returns: the token of the push, and the actions that send it.
  mutating func push(
    _ event: String, _ payload: String, toView name: String
  ) throws(ClientError) -> (token: Int, [PageAction]) {
    guard !hasEnded, let view = view(named: name), socket[view.channel] != nil else { throw .unknownView(name) }
    if view.isJoinPending, view.document.isMounted {
      throw .unanswered(event: payload.eventName ?? event, reason: "the view is being joined again")
    }
    let token =
      if event == "live_patch", let url = JSONSlice(Array(payload.utf8))["url"]?.string {
        patch(to: url)
      } else {
        push(event, payload, to: view, for: .event(payload.eventName ?? event))
      }
    return (token, finish())
  }

  mutating func didReply(_ key: Int?, _ token: Int, _ status: String, _ response: JSONSlice) {
    guard let purpose = pushes.removeValue(forKey: token) else { return }
    guard status == "ok" else {
      answer(purpose, token, .failure(.unanswered(event: purpose.name, reason: response.text)))
      if case .patch = purpose { load(PageRequest(location, because: .failure)) }
      return
    }
    // The client may have left the view before the answer arrived.
    if let key, let view = self[key] {
      if response["diff"] != nil || response["cids"] != nil, let record = apply(received, to: view) {
        didUpdate(key, record)
      } else if case .destroyed = purpose {
        apply(received, to: view)
      }
      let isAnswer = purpose.isOfProgram
      if let to = response["redirect"] { redirect(to, isAnswer: isAnswer) }
      if let to = response["live_patch"] { patch(to, of: key) }
      if let to = response["live_redirect"] { navigate(to, isAnswer: isAnswer) }
      if case .willDestroy(let components) = purpose { didAnnounce(components, of: view) }
      if case .patch(let url, let link) = purpose { didPatch(to: url, link, response) }
    }
    answer(purpose, token, .success(response))
  }

  /// Passes an answer to the program, if the program has sent the push.
  private mutating func answer(_ purpose: SessionPush, _ token: Int, _ result: Result<JSONSlice, ClientError>) {
    if purpose.isOfProgram { act(.answer(token: token, result)) }
  }

  /// Loads the page again, because the server has not answered a push. LiveView's client does the
  /// same.
  mutating func pushTimedOut(_ key: Int?, _ token: Int) {
    guard let purpose = pushes.removeValue(forKey: token) else { return }
    let reason = "no answer within 30 s"
    answer(purpose, token, .failure(.unanswered(event: purpose.name, reason: reason)))
    if key != nil { recover(from: PageRequest(pendingLink ?? location, because: .failure)) }
  }

  mutating func abandon(_ token: Int) {
    guard let purpose = pushes.removeValue(forKey: token) else { return }
    answer(purpose, token, .failure(.unanswered(event: purpose.name, reason: "the view was left, or has crashed")))
  }
}

extension String {
  /// The name of the LiveView's event in the payload of an `event` frame.
  fileprivate var eventName: String? { JSONSlice(Array(utf8))["event"]?.string }
}

extension SessionPush {
  fileprivate var isOfProgram: Bool {
    switch self {
    case .event, .patch: true
    case .willDestroy, .destroyed: false
    }
  }

  var name: String {
    switch self {
    case .event(let name): name
    case .patch: "live_patch"
    case .willDestroy: "cids_will_destroy"
    case .destroyed: "cids_destroyed"
    }
  }
}
