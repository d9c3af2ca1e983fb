internal import MarkupDocument
internal import MicroHTTP

/// What is known of the events of a view that is heard: how far they are, who hears them, and the last of them.
struct EventChannel: Sendable {
  typealias ClientID = Int

  /// Who reads the events of a view.
  struct Client: Sendable {
    let id: ClientID
    /// Held by who sends it: one that nobody sends tells of its end.
    weak let stream: HTTPStream?
    /// The one node that it looks at.
    let watch: NodeWatch?
    /// An event that it has seen in the log, perhaps before it was published.
    let seen: EventID?

    func hears(_ event: Event) -> Bool {
      event.concerns(watch?.node) && (seen.map { event.id > $0 } ?? true)
    }
  }

  /// The last event that was published.
  private(set) var place: EventID
  private(set) var clients: [ClientID: Client] = [:]
  /// The last events of this epoch, and those before its mount. Kept while there is somebody to whom they can be of
  /// use: who reads now, or did when they began.
  private var recent: EventTail
  private(set) var earlier: EventTail?
  /// How far the events were when the last client left.
  private var left: EventID?

  init(at place: EventID) {
    self.place = place
    recent = EventTail(after: place)
  }

  /// Goes on to an event.
  ///
  /// - Returns: whether anybody reads, or can still go on from where it stopped other than by the log.
  mutating func advance(to event: Event) -> Bool {
    if event.id.epoch > place.epoch {
      if earlier == nil { earlier = recent } else { earlier?.append(recent) }
      recent = EventTail(after: place)
    }
    place = event.id
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
    if clients.isEmpty { left = place }
    return client
  }
}
