/// The last events of a view, for who was away while it was mounted anew: the log of the epoch before is gone then.
///
/// Bounded in events and bytes; the oldest go first.
struct EventTail: Sendable {
  static let largestCount = 256
  static let largestSize = 128 << 10

  private(set) var events: [Event] = []
  private var size = 0
  /// The last event that is not here any more: who has seen it has all that is needed to go on.
  private(set) var lost: EventID

  /// - Parameter lost: the last event before the first that is going to be added.
  init(after lost: EventID) { self.lost = lost }

  mutating func append(_ event: Event) {
    events.append(event)
    size += event.bytes.count
    while let first = events.first, events.count > Self.largestCount || size > Self.largestSize {
      lost = first.id
      size -= first.bytes.count
      events.removeFirst()
    }
  }

  /// Goes on with another one, which begins where this one ends, or later.
  mutating func append(_ next: EventTail) {
    guard next.lost <= events.last?.id ?? lost else {
      self = next
      return
    }
    for event in next.events { append(event) }
  }

  /// What came after an event; `nil` where some of it is lost.
  func events(after id: EventID) -> ArraySlice<Event>? {
    guard id >= lost else { return nil }
    return events[(events.firstIndex { $0.id > id } ?? events.endIndex)...]
  }
}
