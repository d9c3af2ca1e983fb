internal import MarkupDocument
internal import MicroHTTP

/// What is known of one view's events: how far they are, who hears them, and the last of them.
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
  private(set) var recent: EventTail?
  private(set) var earlier: EventTail?
  /// How far the events were when the last client left.
  private var left: EventID?

  init(at place: EventID) { self.place = place }

  /// Whether the bytes of the next event are needed.
  var isHeard: Bool { recent != nil }

  /// Goes on to an event. Its bytes are given where ``isHeard``.
  mutating func advance(to id: EventID, _ event: Event?) {
    let isNewEpoch = id.epoch > place.epoch
    if isNewEpoch, let tail = recent {
      if earlier == nil { earlier = tail } else { earlier?.append(tail) }
      recent = EventTail(after: place)
    }
    place = id
    guard let event else { return }
    recent?.append(event)
    if clients.isEmpty, let left, let oldest = (earlier ?? recent)?.lost, oldest > left {
      // Nobody can go on from here any more but by the log.
      (recent, earlier) = (nil, nil)
    }
  }

  mutating func add(_ client: Client) {
    clients[client.id] = client
    left = nil
    if recent == nil { recent = EventTail(after: place) }
  }

  mutating func remove(_ id: ClientID) -> Client? {
    guard let client = clients.removeValue(forKey: id) else { return nil }
    if clients.isEmpty { left = place }
    return client
  }
}
