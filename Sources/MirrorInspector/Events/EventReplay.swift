internal import LiveViewMirror
internal import MarkupDocument
internal import NodeObservation

/// What a client missed, written as fast as it takes it: first what came before the last mount, then the log, page by
/// page, up to the place where the client was registered.
///
/// It holds the log and not the view: whoever held that would make every update copy it. When all is written it holds
/// nothing.
final class EventReplay: Sendable {
  fileprivate struct Rest {
    /// Bytes that come first.
    var first: [UInt8]
    var earlier: ArraySlice<Event> = []
    var log: ChangeLog?
    /// The last entry that the client has seen; `nil` for none.
    var seen: ChangeLog.Cursor?
    /// The last one that is written: what follows comes by itself.
    var last: EventID
    var node: NodeRef?
  }

  /// A piece is as long as this, or one event longer.
  fileprivate static let pieceSize = 64 << 10

  private let rest = Guarded<Rest?>(nil)

  /// Finds what there is to replay.
  ///
  /// - Parameters:
  ///   - asked: the last event that the client has seen, `nil` for one that begins now.
  ///   - place: how far the events were when it was registered.
  ///   - log: the view's log, as it is now: at that place or behind it.
  ///   - isSeen: whether `asked` stands in the log of that epoch, published or not.
  ///   - earlier: the last events before the mount of that epoch.
  ///   - node: of events that tell others, the client hears nothing.
  func begin(
    after asked: EventID?, upTo place: EventID, in log: ChangeLog, isSeen: Bool, earlier: EventTail?, node: NodeRef?
  ) {
    let found = Self.rest(after: asked, upTo: place, in: log, isSeen: isSeen, earlier: earlier, node: node)
    rest.withLock { $0 = found }
  }

  private static func rest(
    after asked: EventID?, upTo place: EventID, in log: ChangeLog, isSeen: Bool, earlier: EventTail?, node: NodeRef?
  ) -> Rest {
    var rest = Rest(first: Event.greeting(at: asked == nil ? place : nil), last: place, node: node)
    guard let asked, let last = log.last(1).first else { return rest }
    let epoch = EventID(last.entry, at: last.cursor).epoch
    let oldest = epoch == place.epoch ? log.page(after: nil, limit: 1).entries.first?.cursor : nil
    func resetting(_ reason: String) -> Rest {
      var rest = rest
      rest.log = nil
      rest.first +=
        Event.reset(reason, from: asked, oldest: oldest.map { EventID(epoch: epoch, cursor: $0) }, now: place)
      return rest
    }
    if asked > place { return isSeen ? rest : resetting("no such event yet") }
    guard epoch == place.epoch else {
      // It was mounted anew just now: the log of the epoch is gone, and the mount comes as the next event.
      return asked == place ? rest : resetting("mounted anew")
    }
    rest.log = log
    if asked == .beginning { return rest }
    if asked.epoch == place.epoch {
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

  /// The next bytes; `nil` when there are no more.
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
  /// Nothing at the end. What does not concern the client is passed over, so that a piece is never empty before.
  fileprivate mutating func next() -> [UInt8] {
    var bytes = first
    first = []
    while bytes.count < EventReplay.pieceSize {
      if let event = earlier.popFirst() {
        if event.concerns(node) { bytes += event.bytes }
      } else if let (cursor, entry) = nextEntry() {
        seen = cursor
        if entry.audience.contains(watcherOf: node) { bytes += Event(entry, at: cursor).bytes }
      } else {
        break
      }
    }
    return bytes
  }

  private mutating func nextEntry() -> (cursor: ChangeLog.Cursor, entry: ChangeLog.Entry)? {
    if let next = log?.page(after: seen, limit: 1).entries.first, next.cursor <= last.cursor { return next }
    log = nil
    return nil
  }
}
