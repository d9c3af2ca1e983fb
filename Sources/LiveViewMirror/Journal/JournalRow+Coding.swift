internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// The binary form of rows: ``JournalGroup`` writes them, and opening, loading and following read
/// them.
///
/// A journal can have rows that an earlier version of the mirror wrote. So a new value is written
/// last, and a row that ends before this value can be read.
extension JournalRow {
  /// - Complexity: O(*pending events* + *epochs*).
  var encoded: [UInt8] {
    var writer = SnapshotWriter()
    writer.write(count: lastEpoch)
    writer.write(count: number)
    writer.write(count: base)
    writer.write(join != nil)
    join?.write(to: &writer)
    pending.write(to: &writer)
    fields.write(ofEpoch: lastEpoch, to: &writer)
    writer.write(signed: frames)
    writer.write(all: nested) { nested, writer in
      writer.write(nested.id)
      writer.write(nested.isThere)
    }
    writer.write(all: kept) { kept, writer in
      writer.write(count: kept.epoch)
      writer.write(count: kept.evicted)
    }
    writer.write(count: pageMemory)
    writer.write(summary != nil)
    summary?.write(to: &writer)
    writer.write(removal?.rawValue)
    writer.write(count: origin)
    return writer.finish()
  }

  /// - Parameter view: the id of the view.
  init(_ bytes: [UInt8], of view: String) throws(SnapshotError) {
    var reader = try SnapshotReader(bytes)
    lastEpoch = try reader.count()
    number = try reader.count()
    base = try reader.count()
    join = try reader.flag() ? try TopicJoin(from: &reader) : nil
    pending = try PendingEvents(from: &reader)
    fields = try FieldMemory(ofEpoch: lastEpoch, from: &reader)
    frames = try reader.optionalSigned()
    nested = try reader.all { reader throws(SnapshotError) in (try reader.string(), try reader.flag()) }
    kept = try reader.all { reader throws(SnapshotError) in
      Kept(epoch: try reader.count(), evicted: try reader.count())
    }
    pageMemory = try reader.count()
    summary = try reader.flag() ? try ViewSummary(of: view, from: &reader) : nil
    removal = try reader.flag() ? try reader.choice(RemovalReason.self) : nil
    // A row that was written by a version without origins ends here.
    if !reader.isAtEnd { origin = try reader.count() }
    try reader.finish()
  }
}

extension TopicJoin {
  func write(to writer: inout SnapshotWriter) {
    writer.write(ref)
    writer.write(container?.rawValue)
    writer.write(dialect?.rawValue)
    writer.write(state.rawValue)
    writer.write(isPushed)
  }

  init(from reader: inout SnapshotReader) throws(SnapshotError) {
    self.init(
      ref: try reader.string(), container: try reader.flag() ? try reader.choice(ContainerContent.self) : nil,
      dialect: try reader.flag() ? try reader.choice(Dialect.self) : nil, state: try reader.choice(State.self),
      isPushed: try reader.flag())
  }
}

extension PendingEvents {
  fileprivate func write(to writer: inout SnapshotWriter) {
    writer.write(all: events) { pending, writer in
      pending.event.write(to: &writer)
      writer.write(pending.ref)
      writer.write(pending.time.stated != nil)
      if let stated = pending.time.stated { writer.write(word: stated.bitPattern) }
      writer.write(signed: Self.noArrival)
    }
  }

  fileprivate init(from reader: inout SnapshotReader) throws(SnapshotError) {
    events = try reader.all { reader throws(SnapshotError) in
      let (event, ref) = (try ClientEvent(from: &reader), try reader.string())
      let stated = try reader.flag() ? Double(bitPattern: try reader.word()) : nil
      _ = try reader.signed()
      return Pending(event: event, ref: ref, time: FrameTime(stated: stated, arrival: nil))
    }
  }

  /// The format has a number where earlier versions wrote the event's arrival by a monotonic clock.
  /// Readers ignore it.
  private static var noArrival: Int { 0 }
}

extension ViewSummary {
  fileprivate func write(to writer: inout SnapshotWriter) {
    writer.write(count: epoch)
    writer.write(count: version)
    writer.write(count: firstVersion)
    writer.write(dialect.rawValue)
    writer.write(count: nodes)
    writer.write(count: observers)
    writer.write(title)
    writer.write(versions.rawValue)
    writer.write(module)
    writer.write(count: findings)
    log.write(to: &writer)
    writer.write(signed: Int(mountedAt))
    writer.write(signed: Int(updatedAt))
    writer.write(all: epochs) { $0.write(to: &$1) }
  }

  fileprivate init(of view: String, from reader: inout SnapshotReader) throws(SnapshotError) {
    self.init(
      id: view, epoch: try reader.count(), version: try reader.count(), firstVersion: try reader.count(),
      dialect: try reader.choice(Dialect.self), nodes: try reader.count(), observers: try reader.count(),
      title: try reader.optionalString(), versions: try reader.choice(LiveViewVersions.self),
      module: try reader.optionalString(), findings: try reader.count(),
      log: try LogSummary(from: &reader),
      mountedAt: Int64(try reader.signed()), updatedAt: Int64(try reader.signed()),
      epochs: try reader.all { reader throws(SnapshotError) in try EpochSummary(from: &reader) })
  }
}

extension LogSummary {
  fileprivate func write(to writer: inout SnapshotWriter) {
    for count in [diffCount, rejectionCount, bytes] { writer.write(count: count) }
    isolation.write(to: &writer)
    for count in [keptEntryCount, keptBytes, evicted] { writer.write(count: count) }
    ChangeLog.Cursor.write(first, to: &writer)
  }

  fileprivate init(from reader: inout SnapshotReader) throws(SnapshotError) {
    let (diffCount, rejectionCount, bytes) = (try reader.count(), try reader.count(), try reader.count())
    let isolation = try ChangeLog.IsolationTotals(from: &reader)
    let (entries, keptBytes, evicted) = (try reader.count(), try reader.count(), try reader.count())
    self.init(
      diffCount: diffCount, rejectionCount: rejectionCount, bytes: bytes, isolation: isolation, keptEntryCount: entries,
      keptBytes: keptBytes,
      first: try ChangeLog.Cursor.read(from: &reader), evicted: evicted)
  }
}

extension EpochSummary {
  fileprivate func write(to writer: inout SnapshotWriter) {
    writer.write(count: epoch)
    writer.write(count: firstVersion)
    writer.write(count: version)
    writer.write(count: diffs)
    writer.write(signed: Int(mountedAt))
    writer.write(signed: endedAt.map { Int($0) })
    ChangeLog.Cursor.write(last, to: &writer)
  }

  fileprivate init(from reader: inout SnapshotReader) throws(SnapshotError) {
    self.init(
      epoch: try reader.count(), firstVersion: try reader.count(), version: try reader.count(),
      diffs: try reader.count(), mountedAt: Int64(try reader.signed()),
      endedAt: try reader.optionalSigned().map { Int64($0) }, last: try ChangeLog.Cursor.read(from: &reader))
  }
}

extension ChangeLog.Cursor {
  fileprivate static func write(_ cursor: Self?, to writer: inout SnapshotWriter) {
    writer.write(cursor != nil)
    guard let cursor else { return }
    writer.write(count: cursor.version)
    writer.write(count: cursor.rejections)
  }

  fileprivate static func read(from reader: inout SnapshotReader) throws(SnapshotError) -> Self? {
    guard try reader.flag() else { return nil }
    return Self(version: try reader.count(), rejections: try reader.count())
  }
}
