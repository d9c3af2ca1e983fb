internal import MarkupDocument
internal import MicroHTTP

/// The event clients of one view, with the view's most recent events, from which a disconnected
/// client can resume.
///
/// ``EventHub`` has one for each such view and guards all of them by one lock. Events must be
/// recorded in ascending order of their ids.
struct EventChannel: Sendable {
  typealias ClientID = Int

  /// A client that reads the events of a view.
  struct Client: Sendable {
    let id: ClientID
    /// The sender owns the stream. If the sender releases an unsent stream, the stream ends.
    weak let stream: HTTPStream?
    /// The node that the client watches; `nil` for the whole view.
    let watch: NodeWatch?
    /// The newest event that the client has seen. A client may have read an event in the log before
    /// the event is published, and must not receive this event again.
    let seen: EventID?

    func receives(_ event: Event) -> Bool {
      event.concerns(watch?.node) && (seen.map { event.id > $0 } ?? true)
    }
  }

  /// The last event that was published.
  private(set) var position: EventID
  private(set) var clients: [ClientID: Client] = [:]
  /// The last events of this epoch. ``earlier`` has the events before the mount of this epoch. Both
  /// are kept as long as a client may resume from one of them.
  private var recent: EventTail
  private(set) var earlier: EventTail?
  /// The last event at the time when the last client disconnected; `nil` while there are clients.
  private var left: EventID?

  /// - Parameter bytes: the maximum size of the last events of an epoch.
  init(at position: EventID, keeping bytes: Int) {
    self.position = position
    recent = EventTail(after: position, keeping: bytes)
  }

  /// Records a published event.
  ///
  /// - Returns: whether the channel is still needed, because it has clients, or because it has
  ///   every event that a disconnected client would have missed.
  mutating func advance(to event: Event) -> Bool {
    if event.id.epoch > position.epoch {
      if earlier == nil { earlier = recent } else { earlier?.append(recent) }
      recent = EventTail(after: position, keeping: recent.limit)
    }
    position = event.id
    recent.append(event)
    guard clients.isEmpty, let left else { return true }
    return (earlier ?? recent).lost <= left
  }

  mutating func add(_ client: Client) {
    clients[client.id] = client
    left = nil
  }

  mutating func remove(_ id: ClientID) -> Client? {
    guard let client = clients.removeValue(forKey: id) else { return nil }
    if clients.isEmpty { left = position }
    return client
  }
}
