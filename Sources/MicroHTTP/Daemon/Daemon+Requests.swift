internal import CMicrohttpd

// What the callbacks do for a request. All of it happens on the one thread of the daemon that has the connection.

extension Daemon {
  /// The first line is there.
  func begin(_ client: Client, target: String?, at place: Range<UInt>) {
    traffic.begin()
    client.move(to: .head)
    client.exchange = Exchange(
      target: target, place: place, limits: limits, closure: traffic.isDraining ? .stopping : nil,
      beginning: onRequest == nil ? nil : .now)
  }

  /// The headers are there, or a piece of the body.
  func follow(_ step: Exchange.Step, _ client: Client, _ connection: Connection) -> MHD_Result {
    guard client.move(to: .body) else { return .NO }
    client.noteReceived(client.exchange.received)
    switch step {
    case .readOn: return .YES
    case .refuse(let error): return send(error.response, to: client, connection, closing: true)
    case .hangUp:
      report(client, .contentTooLarge)
      return .NO
    }
  }

  /// Everything is there.
  func answer(_ client: Client, _ connection: Connection, on lane: Lane) -> MHD_Result {
    guard client.move(to: .answering) else { return .NO }
    let response: HTTPResponse
    switch client.exchange.end() {
    case .handle(let request):
      response = lane.run {
        handler.respond(to: request) { [log] error in log("\(request.method) \(request.path): \(error)") }
      }
    case .answer(let settled): response = settled
    }
    return send(response, to: client, connection, closing: traffic.isDraining)
  }

  /// - Parameter status: that of the answer that was sent; 0 if there was none.
  func complete(_ client: Client, status: UInt32) {
    if client.isCutOff { report(client, .requestTimeout) }
    if status != 0 { report(client, HTTPStatus(code: Int(status))) }
    client.exchange.finish()
    client.move(to: .idle)
    traffic.end()
  }

  private func send(
    _ response: HTTPResponse, to client: Client, _ connection: Connection, closing: Bool
  ) -> MHD_Result {
    let isStream = if case .stream = response.body { true } else { false }
    guard client.move(to: isStream ? .streaming : .sending) else { return .NO }
    let delivery = Connection.Delivery(
      isClosing: closing, isToHead: client.exchange.method == .head, watch: watch)
    guard let sent = connection.send(response, delivery) else { return .NO }
    report(client, sent.status, of: sent, route: response.route, toHead: delivery.isToHead)
    return .YES
  }

  // MARK: - Reports

  private func report(
    _ client: Client, _ status: HTTPStatus, of response: HTTPResponse? = nil, route: String? = nil, toHead: Bool = false
  ) {
    guard let onRequest, let beginning = client.exchange.takeBeginning() else { return }
    let exchange = client.exchange
    let hasBody = !toHead && status != .noContent && status != .notModified
    onRequest(
      RequestReport(
        method: exchange.method, path: exchange.path,
        route: route, status: status, duration: beginning.duration(to: .now), received: exchange.received,
        sent: hasBody ? response?.bytes.count ?? 0 : 0))
  }
}

extension HTTPError {
  /// What everybody gets while the daemon stops.
  static var stopping: HTTPError {
    HTTPError(.serviceUnavailable, "The server is stopping.", headers: ["Retry-After": "1"])
  }
}
