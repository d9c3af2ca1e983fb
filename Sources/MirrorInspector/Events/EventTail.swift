/// The last events of a view, for clients that reconnect after a remount, when the log of the
/// former epoch is no longer available.
///
/// ``EventChannel`` has one for the current epoch, and one for the events before its mount. Events
/// must be appended in ascending order of their ids. A tail is bounded in events and bytes: the
/// oldest events are evicted.
struct EventTail: Sendable {
  /// The maximum number of events.
  static let largestCount = 256
  /// The maximum size of the events in bytes.
  let limit: Int

  private(set) var events: [Event] = []
  private var size = 0
  /// The last evicted event, or the event before the first one if none was evicted. A client that
  /// has received it can resume without a gap.
  private(set) var lost: EventID

  /// - Parameters:
  ///   - lost: the event before the first one that will be appended.
  ///   - bytes: the maximum size of the events.
  init(after lost: EventID, keeping bytes: Int) { (self.lost, limit) = (lost, bytes) }

  mutating func append(_ event: Event) {
    events.append(event)
    size += event.bytes.count
    while let first = events.first, events.count > Self.largestCount || size > limit {
      lost = first.id
      size -= first.bytes.count
      events.removeFirst()
    }
  }

  /// Appends the events of another tail, which begins at the end of this one or later. If it begins
  /// later, events between the two are missing, so it replaces this tail.
  mutating func append(_ next: EventTail) {
    guard next.lost <= events.last?.id ?? lost else {
      self = next
      return
    }
    for event in next.events { append(event) }
  }

  /// The events after an event; `nil` if some of them were evicted.
  func events(after id: EventID) -> ArraySlice<Event>? {
    guard id >= lost else { return nil }
    return events[(events.firstIndex { $0.id > id } ?? events.endIndex)...]
  }
}
