import CLibrary
internal import CMicrohttpd
internal import MirrorSupport

/// The open connections and their checks. `noteConnection`, a callback of libmicrohttpd, adds and
/// removes each connection. The monitor's thread calls ``checkClients(at:)``.
extension ConnectionMonitor {
  func add(_ client: Client) {
    let now = ContinuousClock.now
    let mustWake = state.withLock { state in
      state.arriving.remove(client.descriptor)
      state.lastClient += 1
      state.clients[client.descriptor] = (client, ClientRecord(number: state.lastClient, at: now))
      // The monitor's thread sleeps while there are no connections, and must check at once when
      // there are too many.
      return state.clients.count == 1 || isCrowded(state)
    }
    if mustWake { events.interrupt() }
  }

  /// To be called before the socket is closed.
  func remove(_ client: Client) {
    let isAwaited = state.withLock { state in
      if state.clients[client.descriptor]?.client === client { state.clients[client.descriptor] = nil }
      return state.isFull
    }
    if isAwaited { events.interrupt() }
  }

  var connections: Int { state.withLock { $0.clients.count } }

  /// Whether more than 7/8 of the maximum are open. Clients in the backlog get no response, so idle
  /// connections are closed before the maximum is reached.
  var isCrowded: Bool { state.withLock { isCrowded($0) } }

  private func isCrowded(_ state: State) -> Bool { state.clients.count > maximumConnections - maximumConnections / 8 }

  /// Checks all connections. Closes those that exceed a time limit, and idle ones when there are
  /// too many.
  ///
  /// - Complexity: O(*connections*), with a system call of about 1 µs for each without progress.
  func checkClients(at now: ContinuousClock.Instant) {
    // A stream's lock must not be taken under the monitor's lock.
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
        case .finished: _ = Self.wakeAtEnd(descriptor)
        case .late where client.cutOff(at: progress):
          Self.sendRequestTimeout(descriptor)
          _ = shutdown(descriptor, Int32(SHUT_RDWR))
        case .expired:
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
    for stream in stuck { stream.close(.stalled) }
  }

  /// Closes idle connections, the longest idle first, until a quarter of the maximum is free.
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

  /// Writes a 408 directly to the socket: libmicrohttpd cannot respond to an incomplete request.
  /// The client was cut off before, so the event loop does not begin a response.
  private static func sendRequestTimeout(_ descriptor: Int32) {
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

  /// Makes libmicrohttpd notice that a client has closed its side, once all bytes have been read.
  ///
  /// libmicrohttpd (0.9.75) uses edge-triggered events. When the last bytes and the end of the
  /// stream arrive together, it reads the bytes and waits for an event that has already occurred.
  /// `SHUT_RD` causes another event, and does not affect a response that is being sent.
  ///
  /// - Returns: whether the socket has unread bytes.
  private static func wakeAtEnd(_ descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    if count == 0 { _ = shutdown(descriptor, Int32(SHUT_RD)) }
    return count > 0
  }

  /// Whether any socket has unread bytes. ``Daemon`` asks while it stops. Wakes libmicrohttpd for
  /// the clients that have closed their side.
  func hasUnreadBytes() -> Bool {
    state.withLock { state in
      var polls = state.arriving.union(state.clients.keys).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&polls, nfds_t(polls.count), 0) > 0 else { return false }
      var hasUnread = false
      for readable in polls where readable.revents & Int16(POLLIN) != 0 {
        if Self.wakeAtEnd(readable.fd) { hasUnread = true }
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
