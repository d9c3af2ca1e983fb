internal import CMicrohttpd
internal import MirrorSupport

// The steps of a request, from its first line to its report. The callbacks of libmicrohttpd call
// them in the order `begin`, `follow`, `answer`, `complete`, on the event loop that has the
// connection.

extension Daemon {
  /// Begins a request whose first line has been read.
  func begin(_ client: Client, target: UnsafeRawBufferPointer, on loop: EventLoop) {
    requests.begin(on: loop.requests)
    client.move(to: .head)
    client.exchange.start(
      target: target, isStopping: requests.isDraining, beginning: options.onRequest == nil ? nil : .now)
  }

  /// Takes the next step after the headers or a part of the body have been read.
  func follow(_ step: Exchange.Step, _ client: Client, _ connection: Connection, on loop: EventLoop) -> MHD_Result {
    guard client.move(to: .body) else { return .NO }
    client.noteReceived(client.exchange.received)
    switch step {
    case .readOn: return .YES
    case .refuse(let error):
      return send(refusal(error, of: client, on: loop), to: client, connection, on: loop, isLast: true)
    case .hangUp:
      report(client, Connection.Sent(status: .contentTooLarge, count: 0))
      return .NO
    }
  }

  /// Answers a complete request. libmicrohttpd calls this in each of its passes over the
  /// connections, until there is a response.
  func answer(_ client: Client, _ connection: Connection, on loop: EventLoop) -> MHD_Result {
    if client.exchange.isComplete { return continueDelegated(client, connection, on: loop) }
    guard client.move(to: .answering) else { return .NO }
    switch client.exchange.end() {
    case .answer(let settled): return send(settled, to: client, connection, on: loop, isLast: client.exchange.isLast)
    case .refuse(let error):
      return send(
        refusal(error, of: client, on: loop), to: client, connection, on: loop, isLast: client.exchange.isLast)
    case .handle(let request): return respond(to: request, of: client, connection, on: loop)
    }
  }

  /// The response to a request that the server refuses. The error passes through the middleware,
  /// which may refuse the request for another reason first.
  private func refusal(_ error: HTTPError, of client: Client, on loop: EventLoop) -> HTTPResponse {
    guard let request = client.exchange.refused else { return error.response }
    return loop.run { respond(to: request, by: options.middleware(ClosureHandler { _ in throw error })) }
  }

  /// Runs the handler on this thread, or leaves it to a worker.
  private func respond(
    to request: HTTPRequest, of client: Client, _ connection: Connection, on loop: EventLoop
  ) -> MHD_Result {
    let response = loop.run { () -> HTTPResponse? in
      guard let workers else { return handle(request) }
      switch workers.assignment(of: request) {
      case .light: return handle(request)
      case .here:
        let beginning = loop.computing.begin()
        var request = request
        request.mayDefer = true
        let response = handle(request)
        if loop.computing.exceeds(Workers.slow, since: beginning) { workers.noteSlow(request) }
        if response.deferred == nil { return response }
        client.delegated = .postponed(job(for: request, on: connection, of: client), response)
        return nil
      case .worker:
        // libmicrohttpd (0.9.75) reads again from a connection that was suspended in the first call
        // for a request, and then drops a client that has closed its writing side. So the
        // connection is suspended in the second call.
        client.delegated = .postponed(job(for: request, on: connection, of: client), nil)
        return nil
      }
    }
    guard let response else { return .YES }
    return send(response, to: client, connection, on: loop)
  }

  /// Submits a postponed request to the workers, or sends the response that a worker has made.
  private func continueDelegated(_ client: Client, _ connection: Connection, on loop: EventLoop) -> MHD_Result {
    // In the case `nil`, the response has already been queued: a stopping libmicrohttpd accepts a
    // response, discards it, and calls `answerRequest` again.
    switch client.delegated.take() {
    case .postponed(let job, let response):
      client.delegated = .submitted(job)
      connection.suspend()
      if let response { job.finish(response) } else { job.submit() }
    case .submitted(let job):
      guard let response = job.take() else { return .NO }
      return send(response, to: client, connection, on: loop)
    case nil: return .NO
    }
    return .YES
  }

  private func job(for request: HTTPRequest, on connection: Connection, of client: Client) -> Job {
    Job(request, on: connection, from: client, by: workers, deferredJobs: deferredJobs) { [self] request in
      // A request with a continuation may have changed something, so it gets its response.
      request.continuation == nil && responseBudget.isFull ? responseBudget.exceeded.response : handle(request)
    }
  }

  private func handle(_ request: HTTPRequest) -> HTTPResponse { respond(to: request, by: handler) }

  private func respond(to request: HTTPRequest, by handler: any HTTPHandler) -> HTTPResponse {
    handler.respond(to: request) { error in options.log("\(request.method) \(request.path): \(error)") }
  }

  /// Ends a request, with or without a response: reports it and makes the client idle.
  ///
  /// - Parameter status: the status of the response that was sent; 0 without a response.
  func complete(_ client: Client, status: UInt32, on loop: EventLoop) {
    if client.isCutOff { report(client, Connection.Sent(status: .requestTimeout, count: 0)) }
    if status != 0 { report(client, Connection.Sent(status: HTTPStatus(code: Int(status)), count: 0)) }
    client.delegated = nil
    client.exchange.finish()
    if let response = client.response.take() { loop.responses.putBack(response) }
    client.move(to: .idle)
    requests.end(on: loop.requests)
  }

  private func send(
    _ response: HTTPResponse, to client: Client, _ connection: Connection, on loop: EventLoop, isLast: Bool = false
  ) -> MHD_Result {
    let isStream = if case .stream = response.body { true } else { false }
    guard client.move(to: isStream ? .streaming : .sending) else { return .NO }
    let delivery = Connection.Delivery(
      isClosing: isLast || requests.isDraining, isToHead: client.exchange.method == .head, client: client, loop: loop)
    guard let sent = connection.send(response, delivery) else { return .NO }
    report(client, sent, route: response.route)
    return .YES
  }

  // MARK: - Reports

  private func report(_ client: Client, _ sent: Connection.Sent, route: String? = nil) {
    guard let beginning = client.exchange.takeBeginning() else { return }
    options.onRequest?(
      RequestReport(
        method: client.exchange.method, path: client.exchange.path,
        route: route, status: sent.status, duration: beginning.duration(to: .now), received: client.exchange.received,
        sent: sent.count))
  }
}

extension HTTPError {
  /// The response to all new requests while the server stops.
  static var stopping: HTTPError {
    HTTPError(.serviceUnavailable, "The server is stopping.", headers: ["Retry-After": "1"])
  }
}
