package import LiveViewMirror
internal import MicroHTTP
internal import NodeObservation

/// Brings what is written into the logs of views to the clients that read their events.
///
/// Every entry is encoded once, and only if somebody reads; its bytes are shared. A client is registered under the lock
/// that says how far the events are: what came before is replayed from the log (``EventReplay``), what comes after waits
/// in its stream. Streams are written outside of the lock, since they tell of their end while they are written to. The
/// order in a stream is that of the log all the same: a view tells of one entry at a time.
///
/// A view that nobody reads is not known here: its first client begins behind what had been published by then.
package final class EventHub: LogListener {
  private struct State {
    /// Of the views that somebody reads, or did not long ago.
    var channels: [String: EventChannel] = [:]
    /// How many clients there are, in all channels.
    var clients = 0
    var nextClient: EventChannel.ClientID = 0
    var isClosed = false
  }

  /// How many clients may read at the same time.
  package let limit: Int
  /// What was made of the last versions, dropped with the entry that makes another one.
  let bodies = ViewBodies()
  private let state = Guarded(State())

  package init(clients limit: Int = 500) { self.limit = limit }

  /// How many clients read.
  package var clients: Int { state.withLock { $0.clients } }

  /// How many clients read the events of a view, and of a node of it.
  func clients(of view: String) -> Int { state.withLock { $0.channels[view]?.clients.count ?? 0 } }

  /// How many clients read the events of every view.
  var clientsByView: [String: Int] { state.withLock { $0.channels.mapValues(\.clients.count) } }

  // MARK: - Publishing

  package func wrote(_ entry: ChangeLog.Entry, at cursor: ChangeLog.Cursor, of view: String) {
    if case .applied = entry { bodies.drop(view) }
    // Who begins to listen from here on finds the entry in the log.
    guard isHeard(view) else { return }
    let event = Event(entry, at: cursor)
    for client in advance(view, to: event) {
      if let watch = client.watch, watch.isNodeGone {
        leave(client.id, of: view)
        finish(client, .nodeRemoved)
      } else if client.hears(event) {
        client.stream?.write(event.bytes)
      }
    }
  }

  private func isHeard(_ view: String) -> Bool {
    state.withLock { !$0.channels.isEmpty && $0.channels[view] != nil }
  }

  /// - Returns: those that are to hear of the event.
  private func advance(_ view: String, to event: Event) -> [EventChannel.Client] {
    state.withLock { state in
      // Of two first mounts at the same time, one never was: it may say so when the other one has gone on.
      guard let place = state.channels[view]?.place, event.id > place else { return [] }
      // In its place: a copy of the channel would make it copy its clients and the last events, for every event.
      guard state.channels[view]?.advance(to: event) == true else {
        state.channels[view] = nil
        return []
      }
      return state.channels[view].map { Array($0.clients.values) } ?? []
    }
  }

  package func removed(_ view: String, because reason: RemovalReason) {
    bodies.drop(view)
    let clients = state.withLock { state in
      let clients = state.channels.removeValue(forKey: view)?.clients ?? [:]
      state.clients -= clients.count
      return clients
    }
    for client in clients.values { finish(client, CloseReason(reason)) }
  }

  /// Ends all streams; there will be no others.
  package func close() {
    let channels = state.withLock { state in
      state.isClosed = true
      state.clients = 0
      defer { state.channels = [:] }
      return state.channels
    }
    for client in channels.values.flatMap(\.clients.values) { finish(client, .stopping) }
  }

  private func finish(_ client: EventChannel.Client, _ reason: CloseReason) {
    client.watch?.end()
    client.stream?.write(Event.close(reason))
    client.stream?.end()
  }

  // MARK: - Clients

  enum Refusal: Error, Hashable {
    /// There are no streams any more.
    case closed
    /// As many clients read as may.
    case full
    /// The view was removed meanwhile.
    case gone
  }

  /// A stream of what happens to a view from now on, behind what is replayed.
  ///
  /// - Parameters:
  ///   - watch: the node that the client looks at, `nil` for the whole view. It ends with the stream, and where there is none.
  ///   - asked: the last event that the client has seen; `nil` for one that begins now.
  func open(
    _ view: LiveViewCoordinator, watching watch: NodeWatch?, after asked: EventID?
  ) throws(Refusal) -> HTTPStream {
    let id = state.withLock { state in
      state.nextClient += 1
      return state.nextClient
    }
    let replay = EventReplay()
    let name = view.id
    let stream = HTTPStream(
      heartbeat: HTTPStream.Heartbeat(every: .seconds(15), bytes: Event.heartbeat), prelude: { replay.next() }
    ) { [weak self] _ in
      watch?.end()
      self?.leave(id, of: name)
    }
    do throws(Refusal) {
      let (client, place, earlier) = try register(id, stream, watch, of: view, after: asked)
      // The log is looked at afterwards: all that was published by then stands in it, complete.
      replay.begin(
        after: asked, upTo: place, in: view.log, isSeen: client.seen != nil, earlier: earlier, node: watch?.node)
    } catch {
      watch?.end()
      throw error
    }
    return stream
  }

  /// - Returns: the client, how far the events are, and the last ones before the mount of this epoch.
  private func register(
    _ id: EventChannel.ClientID, _ stream: HTTPStream, _ watch: NodeWatch?, of view: LiveViewCoordinator,
    after asked: EventID?
  ) throws(Refusal) -> (client: EventChannel.Client, place: EventID, earlier: EventTail?) {
    try state.withLock { state throws(Refusal) in
      if state.isClosed { throw .closed }
      guard state.clients < limit else { throw .full }
      // Under the lock: what is not removed by now is told of later, and ends the client. Without this one that comes too
      // late would wait for ever.
      if view.isRemoved { throw .gone }
      // An entry stands in the log a moment before it is published, so a client may know it already.
      let now = view.log.last(1).first.map { EventID($0.entry, at: $0.cursor) }
      let seen = asked.flatMap { asked in now.flatMap { $0.epoch == asked.epoch && asked <= $0 ? asked : nil } }
      let client = EventChannel.Client(id: id, stream: stream, watch: watch, seen: seen)
      state.clients += 1
      // Where nobody heard the view until now: what is published later than this is told of later than now.
      let published = view.published.map { EventID(epoch: $0.epoch, cursor: $0.cursor) }
      var channel = state.channels.removeValue(forKey: view.id) ?? EventChannel(at: published ?? .beginning)
      channel.add(client)
      state.channels[view.id] = channel
      return (client, channel.place, channel.earlier)
    }
  }

  private func leave(_ id: EventChannel.ClientID, of view: String) {
    let client = state.withLock { state in
      let client = state.channels[view]?.remove(id)
      if client != nil { state.clients -= 1 }
      return client
    }
    withExtendedLifetime(client) {}
  }
}
