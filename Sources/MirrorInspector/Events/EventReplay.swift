internal import LiveViewMirror
internal import MarkupDocument
internal import MirrorSupport
internal import NodeObservation

/// The events that a client missed, written as fast as the client reads: first those before the
/// last mount, then the entries of the log, page by page, up to the position where the client was
/// registered.
///
/// ``EventHub`` makes one for each stream and calls ``begin(_:)`` before the stream is sent.
/// Without that call, ``next()`` would report the end.
///
/// A replay keeps the log but not the view's state, because a second reference to the state would
/// make every update copy the state. At the end, the replay releases the log.
final class EventReplay: Sendable {
  /// What is still to be sent.
  struct Rest {
    /// Bytes that are sent first.
    var first: [UInt8]
    var earlier: ArraySlice<Event> = []
    var log: ChangeLog?
    /// The newest entry that the client has seen; `nil` if it has seen none.
    var seen: ChangeLog.Cursor?
    /// The last entry to replay. Later ones are in the client's stream.
    var last: EventID
    var node: NodeRef?
  }

  /// The size in bytes at which ``next()`` returns; its last event may exceed this size.
  fileprivate static let pieceSize = 64 << 10

  private let rest = Guarded<Rest?>(nil)

  /// - Parameter rest: the events to replay.
  func begin(_ rest: Rest) { self.rest.withLock { $0 = rest } }

  /// The next bytes; `nil` at the end.
  func next() -> [UInt8]? {
    rest.withLock { rest in
      let bytes = rest?.next() ?? []
      guard bytes.isEmpty else { return bytes }
      rest = nil
      return nil
    }
  }
}

extension EventReplay.Rest {
  /// Determines the events to replay.
  ///
  /// - Parameters:
  ///   - asked: the last event that the client has seen, `nil` for a new client.
  ///   - position: the last published event when the client was registered.
  ///   - log: the current log of the view. Its last entry is the event at `position` or later.
  ///   - isSeen: whether the client has really seen `asked`, so that no `reset` is sent if `asked`
  ///     is not published yet.
  ///   - earlier: the last events before the mount of the epoch of `position`.
  ///   - node: the watched node; events that do not concern it are skipped.
  static func missed(
    after asked: EventID?, upTo position: EventID, in log: ChangeLog, isSeen: Bool, earlier: EventTail?, node: NodeRef?
  ) -> EventReplay.Rest {
    var rest = EventReplay.Rest(first: Event.greeting(at: asked == nil ? position : nil), last: position, node: node)
    guard let asked, let last = log.last(1).first else { return rest }
    let epoch = last.epoch
    let oldest = epoch == position.epoch ? log.slice(after: nil, limit: 1).entries.first?.cursor : nil
    func resetting(_ reason: String) -> EventReplay.Rest {
      var rest = rest
      rest.log = nil
      rest.first +=
        Event.reset(reason, from: asked, oldest: oldest.map { EventID(epoch: epoch, cursor: $0) }, now: position)
      return rest
    }
    if asked > position { return isSeen ? rest : resetting("no such event yet") }
    guard epoch == position.epoch else {
      // The view was just mounted again: the log of the former epoch is not available, and the
      // mount is the next event.
      return asked == position ? rest : resetting("mounted anew")
    }
    rest.log = log
    if asked == .beginning { return rest }
    if asked.epoch == position.epoch {
      rest.seen = asked.cursor
      if !log.keepsAll(after: asked.cursor) { return resetting("too far behind") }
      return rest
    }
    guard let missed = earlier?.events(after: asked), oldest == ChangeLog.Cursor(version: 0) else {
      return resetting("mounted anew")
    }
    rest.earlier = missed
    return rest
  }

  /// The next bytes. Entries that do not concern the client are skipped, so the result is empty
  /// only at the end.
  fileprivate mutating func next() -> [UInt8] {
    var bytes = first
    first = []
    while bytes.count < EventReplay.pieceSize {
      if let event = earlier.popFirst() {
        if event.concerns(node) { bytes += event.bytes }
      } else if let entry = nextEntry() {
        seen = entry.cursor
        if entry.concerns(node) { bytes += Event(entry).bytes }
      } else {
        break
      }
    }
    return bytes
  }

  private mutating func nextEntry() -> ChangeLog.Entry? {
    if let next = log?.slice(after: seen, limit: 1).entries.first, next.cursor <= last.cursor { return next }
    log = nil
    return nil
  }
}
