internal import MirrorSupport
internal import RenderedTree

/// The client's events that the server has not answered yet, by their `ref`.
struct PendingEvents: Sendable {
  struct Pending: Sendable {
    let event: ClientEvent
    let ref: String
    let time: FrameTime
  }

  /// In the order of their arrival. LiveView's client locks an element until its event is answered, so there are few.
  var events: [Pending] = []
  static let limit = 64

  /// Adds an event. The oldest one is evicted if there are more than ``limit``.
  mutating func add(_ event: ClientEvent, ref: String, at time: FrameTime) {
    events.removeAll { $0.ref == ref }
    events.append(Pending(event: event, ref: ref, time: time))
    if events.count > Self.limit { events.removeFirst() }
  }

  /// Removes the event that a reply answers.
  ///
  /// - Returns: `nil` if there is no such event.
  mutating func answer(_ ref: String, at time: FrameTime) -> UpdateCause? {
    guard let index = events.firstIndex(where: { $0.ref == ref }) else { return nil }
    let pending = events.remove(at: index)
    return UpdateCause(pending.event, ref: ref, latency: pending.time.milliseconds(until: time))
  }

  /// Removes all events: a new join has begun, and numbers its frames afresh after a lost connection.
  mutating func removeAll() { events.removeAll() }
}

/// When a frame was sent or received.
struct FrameTime: Sendable {
  /// The client's time in milliseconds since 1970; `nil` if the feed does not say so.
  var stated: Double?
  /// The arrival at the mirror. Frames of one input have the same time.
  var arrival: MonotonicTime

  /// The time until a later frame in milliseconds, to a tenth; `nil` if it is not known. Times of different clocks are not compared.
  func milliseconds(until later: FrameTime) -> Double? {
    switch (stated, later.stated) {
    case (let start?, let end?): Self.tenths(end - start)
    case (nil, nil) where arrival != later.arrival:
      Self.tenths(Double(later.arrival.nanoseconds - arrival.nanoseconds) / 1e6)
    default: nil
    }
  }

  private static func tenths(_ milliseconds: Double) -> Double { (max(0, milliseconds) * 10).rounded() / 10 }
}
