package import LiveViewMirror
internal import MicroHTTP
internal import MirrorSupport
internal import NodeObservation

/// Sends the log entries of views to the clients that read their events. The command `serve` makes
/// one as a listener of ``LiveViews``, and ``EventRoutes`` opens its streams.
///
/// An entry is encoded once, and only if its view has clients; they share the bytes. A client is
/// registered under the lock that also protects the position of the last event: earlier entries are
/// replayed from the log (``EventReplay``), later ones wait in the client's stream. Streams are
/// written outside of the lock, because a write may end the stream, which calls this hub. The order
/// in a stream is still that of the log, because a view publishes one entry at a time.
///
/// A view that has no clients, and had none recently, has no channel. Its next client then starts
/// after the last published entry.
package final class EventHub: LogListener {
  private struct State {
    /// The channels of the views that have, or recently had, clients.
    var channels: [String: EventChannel] = [:]
    /// The number of clients of all channels.
    var clientCount = 0
    var nextClient: EventChannel.ClientID = 0
    var isClosed = false
  }

  /// The maximum number of clients.
  package let limit: Int
  /// The cached bodies of current versions. A new entry removes the bodies of its view.
  let bodies: ViewBodies
  /// The carriers of pages, which wait for the entries that answer their events.
  let carriers = Carriers()
  private let state = Guarded(State())
  private let removals = Guarded<(@Sendable (String) -> Void)?>(nil)

  /// The budget for the bytes that wait for all clients.
  private let waiting: StreamBudget
  /// The maximum size of a view's last events in one epoch, in bytes.
  private let tail: Int

  /// - Parameters:
  ///   - limit: the maximum number of clients.
  ///   - waiting: how many bytes may wait for all clients together.
  ///   - recent: the bytes of the last events of all views with clients.
  ///   - cached: the bytes of the cached bodies of current versions.
  package init(
    clients limit: Int = 500, waiting: Int = 32 << 20, recent: Int = 16 << 20, cached: Int = 32 << 20
  ) {
    self.limit = limit
    bodies = ViewBodies(limit: cached)
    self.waiting = StreamBudget(limit: waiting)
    // A channel has the events of two epochs.
    tail = recent / max(1, limit) / 2
  }

  /// The number of clients.
  package var clientCount: Int { state.withLock { $0.clientCount } }

  /// The number of clients of a view, including those that watch one node.
  func clientCount(of view: String) -> Int { state.withLock { $0.channels[view]?.clients.count ?? 0 } }

  /// The number of clients of each view.
  var clientCountByView: [String: Int] { state.withLock { $0.channels.mapValues(\.clients.count) } }

  /// Whether the mirror is stopping.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  // MARK: - Publishing

  package func wrote(_ entry: ChangeLog.Entry, of view: String) {
    if let record = entry.record {
      bodies.drop(view)
      carriers.didApply(record)
    }
    // A client that registers after this check finds the entry in the log.
    guard isHeard(view) else { return }
    let event = Event(entry)
    for client in advance(view, to: event) {
      if let watch = client.watch, watch.isNodeGone {
        removeClient(client.id, of: view)
        finish(client, Event.close("node removed"))
      } else if client.receives(event) {
        client.stream?.write(event.bytes)
      }
    }
  }

  private func isHeard(_ view: String) -> Bool {
    state.withLock { !$0.channels.isEmpty && $0.channels[view] != nil }
  }

  /// - Returns: the clients to which the event is sent.
  private func advance(_ view: String, to event: Event) -> [EventChannel.Client] {
    state.withLock { state in
      // If two threads mount a view for the first time at once, one of the two views is discarded.
      // The event of the discarded view may arrive after that of the other view.
      guard let position = state.channels[view]?.position, event.id > position else { return [] }
      // Changed in place: a copy of the channel would copy its clients and its last events for
      // every event.
      guard state.channels[view]?.advance(to: event) == true else {
        state.channels[view] = nil
        return []
      }
      return state.channels[view].map { Array($0.clients.values) } ?? []
    }
  }

  /// A view with clients must stay in memory.
  package func isListening(to view: String) -> Bool { clientCount(of: view) > 0 }

  package var listened: [String] { clientCountByView.filter { $0.value > 0 }.map(\.key) }

  /// Ends the streams of the view's nodes, because their subscriptions belong to the object of the
  /// view that is replaced. If entries may be missing (`isGap`), ends all streams of the view. Each
  /// client connects again with the id of its last event, and receives what it has missed, or a
  /// `reset`.
  package func reloads(_ view: String, isGap: Bool) {
    bodies.drop(view)
    let clients = state.withLock { state in
      let clients = (state.channels[view]?.clients ?? [:]).values.filter { isGap || $0.watch != nil }
      for client in clients { _ = state.channels[view]?.remove(client.id) }
      state.clientCount -= clients.count
      // The next channel begins with the last event that the view then has.
      if isGap { state.channels[view] = nil }
      return clients
    }
    for client in clients {
      client.watch?.end()
      client.stream?.end()
    }
  }

  package func answered(_ cause: UpdateCause, of view: String) { carriers.didAnswer(cause, of: view) }

  package func crashed(_ view: String) { carriers.didCrash(view) }

  package func removed(_ view: String, because reason: RemovalReason) {
    bodies.drop(view)
    let clients = state.withLock { state in
      let clients = state.channels.removeValue(forKey: view)?.clients ?? [:]
      state.clientCount -= clients.count
      return clients
    }
    for client in clients.values { finish(client, Event.close(reason.rawValue)) }
    removals.current?(view)
  }

  /// - Parameter body: called with the id of each view that was removed.
  func whenRemoved(_ body: @escaping @Sendable (String) -> Void) { removals.withLock { $0 = body } }

  /// Ends all streams and refuses new ones. Requests that wait for a carrier are answered.
  package func close() {
    let channels = state.withLock { state in
      state.isClosed = true
      state.clientCount = 0
      defer { state.channels = [:] }
      return state.channels
    }
    for client in channels.values.flatMap(\.clients.values) {
      finish(client, Event.close("stopping", forgettingID: false))
    }
    carriers.close()
  }

  private func finish(_ client: EventChannel.Client, _ last: [UInt8]) {
    client.watch?.end()
    client.stream?.write(last)
    client.stream?.end()
  }

  // MARK: - Clients

  enum Refusal: Error, Hashable {
    /// The server stops.
    case closed
    /// The maximum number of clients is reached.
    case full
    /// The view was removed in the meantime.
    case removed
    /// The object of the view was replaced in the meantime by one that is loaded from the journal.
    case replaced
  }

  /// The stream of the events of a view: first the replayed ones, then those published from now on.
  ///
  /// - Parameters:
  ///   - watch: the node that the client watches, `nil` for the whole view. The watch ends with the
  ///     stream, or when this function throws.
  ///   - asked: the last event that the client has seen; `nil` for a new client.
  ///   - isCurrent: whether the view has all events that a client can have seen. Otherwise `asked`
  ///     may be later than the view's last entry, and the events up to `asked` are not sent again.
  ///   - pace: see `HTTPStream`.
  func open(
    _ view: LiveViewCoordinator, watching watch: NodeWatch?, after asked: EventID?, isCurrent: Bool = true,
    pace: Duration = .zero
  ) throws(Refusal) -> HTTPStream {
    let id = state.withLock { state in
      state.nextClient += 1
      return state.nextClient
    }
    let replay = EventReplay()
    let name = view.id
    let stream = HTTPStream(
      budget: waiting, heartbeat: HTTPStream.Heartbeat(every: .seconds(15), bytes: Event.heartbeat), pace: pace,
      prelude: { replay.next() }
    ) { [weak self] _ in
      watch?.end()
      self?.removeClient(id, of: name)
    }
    do throws(Refusal) {
      let (client, position, earlier) = try register(id, stream, watch, of: view, after: asked, isCurrent)
      // The log is read after the registration, so it contains every entry that was published
      // before it.
      replay.begin(
        .missed(
          after: asked, upTo: position, in: view.log, isSeen: client.seen != nil, earlier: earlier, node: watch?.node))
    } catch {
      watch?.end()
      throw error
    }
    return stream
  }

  /// - Returns: the client, the last published event, and the last events before the mount of this
  ///   epoch.
  private func register(
    _ id: EventChannel.ClientID, _ stream: HTTPStream, _ watch: NodeWatch?, of view: LiveViewCoordinator,
    after asked: EventID?, _ isCurrent: Bool
  ) throws(Refusal) -> (client: EventChannel.Client, position: EventID, earlier: EventTail?) {
    try state.withLock { state throws(Refusal) in
      if state.isClosed { throw .closed }
      guard state.clientCount < limit else { throw .full }
      // Checked under the lock: a removal after this point ends the client. Without the check, a
      // client of a view that is already removed would wait forever.
      if view.isRemoved { throw .removed }
      // The log of a replaced object may have entries that the journal does not have, and may lack
      // entries of the journal.
      if view.isReplaced { throw .replaced }
      // An entry is in the log before it is published, so the client may have seen it already.
      let now = view.log.last(1).first.map { EventID($0) }
      let seen = asked.flatMap { asked in
        now.flatMap { $0.epoch == asked.epoch && asked <= $0 || !isCurrent && asked > $0 ? asked : nil }
      }
      let client = EventChannel.Client(id: id, stream: stream, watch: watch, seen: seen)
      state.clientCount += 1
      // No channel yet: start at the last published entry. Later entries are published while the
      // client is registered.
      let published = view.published.map { EventID(epoch: $0.epoch, cursor: $0.cursor) }
      if state.channels.count >= limit { state.channels = state.channels.filter { !$0.value.clients.isEmpty } }
      var channel =
        state.channels.removeValue(forKey: view.id) ?? EventChannel(at: published ?? .beginning, keeping: tail)
      channel.add(client)
      state.channels[view.id] = channel
      return (client, channel.position, channel.earlier)
    }
  }

  private func removeClient(_ id: EventChannel.ClientID, of view: String) {
    let client = state.withLock { state in
      let client = state.channels[view]?.remove(id)
      if client != nil { state.clientCount -= 1 }
      return client
    }
    withExtendedLifetime(client) {}
  }
}
