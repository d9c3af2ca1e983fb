internal import CMicrohttpd

// What the callbacks do for a request. All of it happens on the one thread of the daemon that has the connection.

extension Daemon {
  /// The first line is there.
  func begin(_ client: Client, target: UnsafeRawBufferPointer, on lane: Lane) {
    traffic.begin(on: lane.requests)
    client.move(to: .head)
    client.exchange.start(
      target: target, isStopping: traffic.isDraining, beginning: onRequest == nil ? nil : .now)
  }

  /// The headers are there, or a piece of the body.
  func follow(_ step: Exchange.Step, _ client: Client, _ connection: Connection, on lane: Lane) -> MHD_Result {
    guard client.move(to: .body) else { return .NO }
    client.noteReceived(client.exchange.received)
    switch step {
    case .readOn: return .YES
    case .refuse(let error): return send(error.response, to: client, connection, on: lane, isLast: true)
    case .hangUp:
      report(client, Connection.Sent(status: .contentTooLarge, count: 0))
      return .NO
    }
  }

  /// Everything is there. Called again, with nothing new, in every pass until there is an answer.
  func answer(_ client: Client, _ connection: Connection, on lane: Lane) -> MHD_Result {
    lane.round.ask(about: client)
    if client.exchange.isComplete { return answerInRound(client, connection, on: lane) }
    guard client.move(to: .answering) else { return .NO }
    switch client.exchange.end() {
    case .answer(let settled): return send(settled, to: client, connection, on: lane, isLast: client.exchange.isLast)
    case .handle(let request):
      if lane.round.postpones(request, of: client) { return .YES }
      return respond(to: request, of: client, connection, on: lane, isFirst: true)
    }
  }

  private func answerInRound(_ client: Client, _ connection: Connection, on lane: Lane) -> MHD_Result {
    if let job = client.job.take() {
      guard let response = job.take() else { return .NO }
      return send(response, to: client, connection, on: lane)
    }
    if lane.round.holdsBack(client) { return .YES }
    // Answered already: a daemon that is being stopped takes the answer and forgets it.
    guard let request = lane.round.take(from: client) else { return .NO }
    return respond(to: request, of: client, connection, on: lane)
  }

  /// Answers on this thread, or has a worker do so: then the connection is suspended, and the daemon asks again once the
  /// answer is there.
  ///
  /// - Parameter isFirst: whether this is the first time that the daemon asks. A connection is suspended at the second time only:
  ///   libmicrohttpd (0.9.75) reads again from one that is suspended at the first, once it is resumed, and gives up a client that has
  ///   closed its writing side.
  private func respond(
    to request: HTTPRequest, of client: Client, _ connection: Connection, on lane: Lane, isFirst: Bool = false
  ) -> MHD_Result {
    let response = lane.run { () -> HTTPResponse? in
      guard let workers else { return handle(request) }
      let known = client.workerKey.take().map { Workers.Place.worker(key: $0) }
      switch known ?? workers.place(of: request) {
      case .light: return handle(request)
      case .here:
        let beginning = lane.computing.begin()
        let response = handle(request)
        if lane.computing.exceeds(Workers.slow, since: beginning) { workers.noteSlow(request) }
        return response
      case .worker(let key) where isFirst:
        client.workerKey = key
        lane.round.postpone(request, of: client)
        return nil
      case .worker(let key):
        let job = Job(request, on: connection, from: client) { [self] request in
          answers.isFull ? answers.exceeded.response : handle(request)
        }
        client.job = job
        connection.suspend()
        if !workers.submit(job, for: request, key: key) { job.finish(HTTPError.stopping.response) }
        return nil
      }
    }
    guard let response else { return .YES }
    return send(response, to: client, connection, on: lane)
  }

  private func handle(_ request: HTTPRequest) -> HTTPResponse {
    handler.respond(to: request) { error in log("\(request.method) \(request.path): \(error)") }
  }

  /// - Parameter status: that of the answer that was sent; 0 if there was none.
  func complete(_ client: Client, status: UInt32, on lane: Lane) {
    if client.isCutOff { report(client, Connection.Sent(status: .requestTimeout, count: 0)) }
    if status != 0 { report(client, Connection.Sent(status: HTTPStatus(code: Int(status)), count: 0)) }
    lane.round.forget(client)
    (client.job, client.workerKey) = (nil, nil)
    client.exchange.finish()
    if let answer = client.answer.take() { lane.answers.putBack(answer) }
    client.move(to: .idle)
    traffic.end(on: lane.requests)
  }

  private func send(
    _ response: HTTPResponse, to client: Client, _ connection: Connection, on lane: Lane, isLast: Bool = false
  ) -> MHD_Result {
    let isStream = if case .stream = response.body { true } else { false }
    guard client.move(to: isStream ? .streaming : .sending) else { return .NO }
    let delivery = Connection.Delivery(
      isClosing: isLast || traffic.isDraining, isToHead: client.exchange.method == .head, client: client, lane: lane)
    guard let sent = connection.send(response, delivery) else { return .NO }
    report(client, sent, route: response.route)
    return .YES
  }

  // MARK: - Reports

  private func report(_ client: Client, _ sent: Connection.Sent, route: String? = nil) {
    guard let beginning = client.exchange.takeBeginning() else { return }
    onRequest?(
      RequestReport(
        method: client.exchange.method, path: client.exchange.path,
        route: route, status: sent.status, duration: beginning.duration(to: .now), received: client.exchange.received,
        sent: sent.count))
  }
}

extension HTTPError {
  /// What everybody gets while the daemon stops.
  static var stopping: HTTPError {
    HTTPError(.serviceUnavailable, "The server is stopping.", headers: ["Retry-After": "1"])
  }
}
