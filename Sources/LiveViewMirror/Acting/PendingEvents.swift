internal import MirrorSupport
internal import RenderedTree

/// The client's events that the server has not answered yet, by their `ref`.
///
/// ``LiveViewCoordinator`` adds an event when its frame arrives, and takes it when a reply with the
/// same `ref` arrives. The events are part of a view's row in the journal.
struct PendingEvents: Sendable {
  struct Pending: Sendable {
    let event: ClientEvent
    let ref: String
    let time: FrameTime
  }

  /// The events in the order of their arrival. LiveView's client locks an element until its event
  /// is answered, so there are few.
  var events: [Pending] = []
  static let limit = 64

  /// Adds an event, in place of an earlier event with the same `ref`. If there are then more than
  /// ``limit`` events, the oldest one is evicted.
  mutating func add(_ event: ClientEvent, ref: String, at time: FrameTime) {
    events.removeAll { $0.ref == ref }
    events.append(Pending(event: event, ref: ref, time: time))
    if events.count > Self.limit { events.removeFirst() }
  }

  /// Removes the event that a reply answers.
  ///
  /// - Returns: `nil` if there is no such event.
  mutating func take(answeredBy ref: String, at time: FrameTime) -> UpdateCause? {
    guard let index = events.firstIndex(where: { $0.ref == ref }) else { return nil }
    let pending = events.remove(at: index)
    return UpdateCause(pending.event, ref: ref, latency: pending.time.milliseconds(until: time))
  }

  /// Removes all events. Called when a new join begins: after a lost connection, the client numbers
  /// its frames from the start, so an old `ref` could match a new reply.
  mutating func removeAll() { events.removeAll() }
}

/// When a frame was sent or received. The latency of an ``UpdateCause`` is the time between two
/// frames.
struct FrameTime: Sendable {
  /// The client's time in milliseconds since 1970; `nil` if the feed does not state it.
  var stated: Double?
  /// The arrival at this mirror. Frames of one input have the same time. `nil` for an event that
  /// was read from a journal: the clock begins anew at each boot, and each mirror has its own.
  var arrival: MonotonicTime?

  /// The time until a later frame in milliseconds, to a tenth; `nil` if it is not known. Times of
  /// different clocks are not compared, and neither are two arrivals in the same input.
  func milliseconds(until later: FrameTime) -> Double? {
    switch (stated, later.stated) {
    case (let start?, let end?): Self.tenths(end - start)
    case (nil, nil):
      if let arrival, let end = later.arrival, arrival != end {
        Self.tenths(Double(end.nanoseconds - arrival.nanoseconds) / 1e6)
      } else {
        nil
      }
    default: nil
    }
  }

  private static func tenths(_ milliseconds: Double) -> Double { (max(0, milliseconds) * 10).rounded() / 10 }
}
