internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// The state of a view's fields in a browser, derived from the actions since the view's mount.
///
/// The state of a ``LiveViewCoordinator`` has one, and the view's row in the journal stores it.
/// ``FormInput`` reads it for the next action, and `LiveViews.didSend(_:)` adds the changes of an
/// action that was sent. The caller removes secret values before it passes the changes, because
/// this type does not filter them.
///
/// At most 1,000 values are kept, each of at most 16 KiB.
struct FieldMemory: Sendable {
  /// A value that was entered, and the state of the field in the document at that time. Once the
  /// server has changed the field, the entry has no effect: a patch of LiveView's client also
  /// replaces an entered value.
  struct Entry: Sendable {
    let value: JSON
    let original: JSON
  }

  /// The fields that were changed or submitted. LiveView's client marks all others as unused.
  private(set) var used: Set<NodeRef> = []
  /// The entered values, without secret ones.
  private(set) var entries: [NodeRef: Entry] = [:]

  private static let mostEntries = 1_000
  private static let longestValue = 16 << 10

  /// The changes that an action makes. They are added to the memory once the action was sent.
  struct Changes {
    var used: Set<NodeRef> = []
    var entered: [NodeRef: Entry] = [:]
    /// The fields of a form that was reset.
    var reset: Set<NodeRef> = []
  }

  /// The value that was entered into a field. `nil` if no value was entered, or if the document has
  /// changed the field since.
  func value(of field: ActingElement) -> JSON? {
    guard let entry = entries[field.node], entry.original == field.state else { return nil }
    return entry.value
  }

  mutating func restore(used: [NodeRef]) { self.used = Set(used) }

  mutating func restore(_ entry: Entry, of node: NodeRef) { entries[node] = entry }

  /// Adds the changes of an action. Fields that have left the document are forgotten.
  mutating func remember(_ changes: Changes, in document: Document) {
    used = used.subtracting(changes.reset).union(changes.used).filter(document.contains)
    for field in changes.reset { entries[field] = nil }
    for (field, entry) in changes.entered
    where [entry.value, entry.original].allSatisfy({ $0.encoded.utf8.count <= Self.longestValue }) {
      entries[field] = entry
    }
    entries = entries.filter { document.contains($0.key) }
    guard entries.count > Self.mostEntries else { return }
    let oldest = entries.keys.sorted { $0.number < $1.number }.prefix(entries.count - Self.mostEntries)
    for field in oldest { entries[field] = nil }
  }
}

extension ActingElement {
  /// The state of a field in the document: whether it is checked, the selected values, or the
  /// value.
  var state: JSON {
    if isCheckable { return .bool(element["checked"] != nil) }
    return isHTML("select") ? .array(selected.map { .string($0) }) : .string(ownValue)
  }
}

/// The binary form of the fields, for the row of a view in a journal. ``JournalRow`` writes and
/// reads it.
extension FieldMemory {
  /// The maximum size of all stored values, in bytes. The row is written with each diff, so values
  /// are stored in the order of their nodes only up to this size.
  private static let longestStored = 32 << 10

  /// - Parameter epoch: the epoch of the nodes that are written. Nodes of other epochs have left
  ///   the document.
  /// - Complexity: O(*fields* log *fields* + *bytes*).
  func write(ofEpoch epoch: Int, to writer: inout SnapshotWriter) {
    writer.write(all: used.filter { $0.epoch == epoch }.map(\.number).sorted()) { $1.write(count: $0) }
    var room = Self.longestStored
    let texts = entries.filter { $0.key.epoch == epoch }.sorted { $0.key.number < $1.key.number }.map { node, entry in
      (node: node.number, value: entry.value.encoded, original: entry.original.encoded)
    }
    let kept = texts.prefix { text in
      room -= text.value.utf8.count + text.original.utf8.count
      return room >= 0
    }
    writer.write(all: Array(kept)) { text, writer in
      writer.write(count: text.node)
      writer.write(text.value)
      writer.write(text.original)
    }
  }

  /// - Parameter epoch: the epoch of the nodes.
  init(ofEpoch epoch: Int, from reader: inout SnapshotReader) throws(SnapshotError) {
    let used = try reader.all { reader throws(SnapshotError) in try reader.count() }
    let entries = try reader.all { reader throws(SnapshotError) in
      (node: try reader.count(), value: try reader.string(), original: try reader.string())
    }
    self.init()
    restore(used: used.map { NodeRef(epoch: epoch, number: $0) })
    for entry in entries {
      guard let value = JSON(parsing: entry.value), let original = JSON(parsing: entry.original) else { continue }
      restore(Entry(value: value, original: original), of: NodeRef(epoch: epoch, number: entry.node))
    }
  }
}
