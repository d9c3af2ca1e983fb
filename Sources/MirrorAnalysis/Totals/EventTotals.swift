package import LiveViewMirror
internal import MarkupDocument
package import MirrorSupport
package import RenderedTree

/// What the answers to each of the client's events have cost in an epoch, and the diffs that the server has pushed by itself.
///
/// Not one of ``UpdateOptions/withAnalyses``: earlier releases that share the journal cannot read a snapshot that has it.
package struct EventTotals: Projection {
  package static let name = "event-totals"
  /// The maximum number of ``rows``.
  static let maximumRows = 500
  /// The maximum length of an event's name in bytes.
  private static let longestName = 200

  /// What causes a diff.
  package struct Cause: Hashable, Sendable {
    /// The name of the client's event; `nil` for diffs that the server has pushed by itself.
    package let event: String?
    /// The component that handled the event; `nil` for the view.
    package let target: Int?
  }

  /// The sums of one cause.
  package struct Row: Hashable, Sendable {
    package private(set) var diffs = 0
    package private(set) var bytes = 0
    /// The number of changes of the document.
    package private(set) var changes = 0
    /// As ``ChangeRecord/Waste/bytes``.
    package private(set) var wastedBytes = 0

    fileprivate mutating func add(_ record: ChangeRecord) {
      diffs += 1
      bytes += record.bytes
      changes += record.changeSet.changes.count
      wastedBytes += record.waste.bytes
    }
  }

  package private(set) var rows: [Cause: Row] = [:]
  /// The sums of all causes beyond the first 500.
  package private(set) var others = Row()

  package init() {}

  package var memory: Int { rows.count * (MemoryLayout<(Cause, Row)>.stride + Self.longestName / 2) }

  /// - Complexity: O(1).
  package mutating func add(_ record: ChangeRecord) {
    if record.version == 0 { return }
    let cause = Cause(event: record.cause?.event.beginning(Self.longestName), target: record.cause?.target)
    if rows.count < Self.maximumRows || rows[cause] != nil {
      rows[cause, default: Row()].add(record)
    } else {
      others.add(record)
    }
  }
}

// MARK: - Snapshot

extension EventTotals {
  package func write(to writer: inout SnapshotWriter, _ statics: inout StaticsWriter) {
    writer.write(all: rows.sorted { $0.key < $1.key }) { row, writer in
      writer.write(row.key.event)
      writer.write(signed: row.key.target)
      row.value.write(to: &writer)
    }
    others.write(to: &writer)
  }

  package init(from reader: inout SnapshotReader, _ statics: inout StaticsReader) throws(SnapshotError) {
    for _ in 0..<(try reader.count(upTo: Self.maximumRows)) {
      let cause = Cause(event: try reader.optionalString(), target: try reader.optionalSigned())
      let isNew = rows.updateValue(try Row(from: &reader), forKey: cause) == nil
      try reader.require(isNew, "an event must have one row")
    }
    others = try Row(from: &reader)
  }
}

extension EventTotals.Cause: Comparable {
  /// Server pushes first, then by the name of the event and the component.
  package static func < (a: Self, b: Self) -> Bool {
    let (left, right) = (a.event ?? "", b.event ?? "")
    if left != right { return left.utf8.lexicographicallyPrecedes(right.utf8) }
    return (a.event == nil ? 0 : 1, a.target ?? .min) < (b.event == nil ? 0 : 1, b.target ?? .min)
  }
}

extension EventTotals.Row {
  fileprivate func write(to writer: inout SnapshotWriter) {
    for count in [diffs, bytes, changes, wastedBytes] { writer.write(count: count) }
  }

  fileprivate init(from reader: inout SnapshotReader) throws(SnapshotError) {
    diffs = try reader.count()
    bytes = try reader.count()
    changes = try reader.count()
    wastedBytes = try reader.count()
  }
}
