internal import CMicrohttpd

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Watch {
  func add(_ client: Client) {
    let now = ContinuousClock.now
    let isNews = state.withLock { state in
      state.arriving.remove(client.descriptor)
      state.lastClient += 1
      state.clients[client.descriptor] = (client, ClientRecord(number: state.lastClient, at: now))
      // The thread sleeps while there is nobody; and does not wait for its next look when there are too many.
      return state.clients.count == 1 || isCrowded(state)
    }
    if isNews { events.interrupt() }
  }

  /// Before the socket is closed.
  func remove(_ client: Client) {
    let isAwaited = state.withLock { state in
      if state.clients[client.descriptor]?.client === client { state.clients[client.descriptor] = nil }
      return state.isFull
    }
    if isAwaited { events.interrupt() }
  }

  var connections: Int { state.withLock { $0.clients.count } }

  /// Whether there is hardly room for more. Those who are not accepted hear nothing; so idle ones have to go before.
  var isCrowded: Bool { state.withLock { isCrowded($0) } }

  private func isCrowded(_ state: State) -> Bool { state.clients.count > maximumConnections - maximumConnections / 8 }

  /// Looks at every connection, and ends those that are too slow, or idle while there are too many.
  ///
  /// O(*n*); about a microsecond for each that is not in the middle of something.
  func look(at now: ContinuousClock.Instant) {
    // Before the lock is taken, under which a stream must not be asked.
    let unsent = Set(
      state.withLock { Array($0.streams.values) }.filter { $0.stream.hasUnsent }.map(\.descriptor))
    let stuck = state.withLock { state -> [HTTPStream] in
      var stuck: [HTTPStream] = []
      for descriptor in state.clients.keys {
        guard let client = state.clients[descriptor]?.client else { continue }
        let progress = client.progress
        let verdict = state.clients[descriptor]?.record.judge(
          progress, received: client.received, socket: { SocketProgress(of: descriptor) },
          hasUnsent: unsent.contains(descriptor), at: now,
          limits: limits)
        switch verdict {
        case .finished: _ = Self.nudge(descriptor)
        case .late where client.cutOff(at: progress):
          Self.sayLate(descriptor)
          _ = shutdown(descriptor, Int32(SHUT_RDWR))
        case .useless:
          if let stream = state.streams.values.first(where: { $0.descriptor == descriptor })?.stream {
            stuck.append(stream)
          } else if client.cutOff(at: progress) {
            _ = shutdown(descriptor, Int32(SHUT_RDWR))
          }
        default: break
        }
      }
      makeRoom(&state)
      return stuck
    }
    for stream in stuck { stream.close(.stuck) }
  }

  /// Ends idle connections, the oldest first, until a quarter is free.
  private func makeRoom(_ state: inout State) {
    guard isCrowded(state) else { return }
    let surplus = state.clients.count - (maximumConnections - maximumConnections / 4)
    let idle = state.clients.filter { $0.value.record.isIdle }
      .sorted { ($0.value.record.since, $0.value.record.number) < ($1.value.record.since, $1.value.record.number) }
    for (descriptor, entry) in idle.prefix(surplus) {
      let progress = entry.client.progress
      guard progress.phase == .idle, entry.client.cutOff(at: progress) else { continue }
      _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }
  }

  /// Written past the daemon, which cannot answer a request that it has not got yet. Nothing else is on its way: the
  /// client has been cut off, so the daemon does not begin an answer.
  private static func sayLate(_ descriptor: Int32) {
    _ = late.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | noSignal) }
  }

  private static let late: [UInt8] = {
    let problem = ProblemDetails(status: .requestTimeout, detail: "The request took too long to arrive.")
    let head = """
      HTTP/1.1 408 Request Timeout\r
      Connection: close\r
      Content-Type: \(ProblemDetails.mediaType)\r
      Content-Length: \(problem.json.count)\r
      \r

      """
    return Array(head.utf8) + problem.json
  }()

  /// Wakes the daemon for a connection whose client has closed, and all of whose bytes have been read.
  ///
  /// Where the last bytes and the end come together, libmicrohttpd (0.9.75, edge-triggered) reads the bytes and waits for an
  /// event that has been; to close the reading side, at whose end it is anyway, makes another one. An answer that is on
  /// its way is not disturbed by it.
  ///
  /// - Returns: whether there are bytes that nobody has read.
  private static func nudge(_ descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    if count == 0 { _ = shutdown(descriptor, Int32(SHUT_RD)) }
    return count > 0
  }

  /// Whether some client has sent what nobody has read yet; wakes the daemon for those that have gone.
  func findUnread() -> Bool {
    state.withLock { state in
      var polls = state.arriving.union(state.clients.keys).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&polls, nfds_t(polls.count), 0) > 0 else { return false }
      var hasUnread = false
      for readable in polls where readable.revents & Int16(POLLIN) != 0 {
        if Self.nudge(readable.fd) { hasUnread = true }
      }
      return hasUnread
    }
  }
}

#if canImport(Darwin)
  private let noSignal: Int32 = 0
#else
  private let noSignal = Int32(MSG_NOSIGNAL)
#endif
