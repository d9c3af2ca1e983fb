// Requests that are handled one after another, once all that lie ready have been read.
//
// Libmicrohttpd reads a request and asks for its answer, sends that, and goes on to the next connection. Between two handlers
// the kernel's reading and sending would push the handler's code out of the caches: under load a diff takes twice as long
// for that. So a request with a body, which changes something, has to wait: libmicrohttpd asks again about each that got no
// answer, as soon as it has looked at all the others. Who is asked about first has all of them handled, and each is sent its
// answer when its own turn comes. Nobody waits for the sake of it: a request that comes alone is asked about at once.

extension Client {
  /// A request of a round, in its steps.
  enum Turn {
    /// Nothing waits.
    case none
    case waiting(HTTPRequest)
    case handled(HTTPResponse)

    /// The step, and from now on there is none.
    mutating func take() -> Turn {
      defer { self = .none }
      return self
    }
  }
}

extension Daemon {
  /// What is longer takes long by itself, and others would wait for it.
  private static let longestBody = 16 << 10
  /// Answers that are there wait no longer than this, and one handler, for others.
  private static let longestRound = Duration.microseconds(500)

  func isForRounds(_ request: HTTPRequest) -> Bool { (1...Self.longestBody).contains(request.body.count) }

  /// Until the daemon asks again.
  func wait(_ client: Client, with request: HTTPRequest, on lane: Lane) {
    client.turn = .waiting(request)
    lane.waiting.append(client)
  }

  /// The daemon asks again.
  func responseInTurn(to client: Client, on lane: Lane) -> HTTPResponse {
    switch client.turn.take() {
    case .none: return HTTPError(.internalServerError).response
    case .handled(let response): return response
    case .waiting(let request):
      let beginning = Monotonic.now
      let response = handle(request, on: lane)
      handleOthers(since: beginning, on: lane)
      return response
    }
  }

  private func handleOthers(since beginning: Monotonic, on lane: Lane) {
    var count = 0
    while count < lane.waiting.count, beginning.duration(to: .now) < Self.longestRound {
      let other = lane.waiting[count]
      if case .waiting(let request) = other.turn { other.turn = .handled(handle(request, on: lane)) }
      count += 1
    }
    lane.waiting.removeFirst(count)
  }

  /// The request ends, answered or not. One that nobody waits for any more was accepted all the same.
  func endTurn(of client: Client, on lane: Lane) {
    switch client.turn.take() {
    case .none: break
    case .handled(let response): discard(response, of: client)
    case .waiting(let request):
      lane.waiting.removeAll { $0 === client }
      discard(handle(request, on: lane), of: client)
    }
  }

  private func discard(_ response: HTTPResponse, of client: Client) {
    if case .stream(let stream) = response.body { stream.close(.gone) }
    report(client, Connection.Sent(status: response.status, count: 0), route: response.route)
  }
}
