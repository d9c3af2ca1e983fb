public import MarkupDocument
internal import MirrorSupport
internal import NodeObservation
internal import RenderedTree

/// The applied and rejected updates of one view in its current epoch, oldest first. Each
/// `ViewState` has one: a commit adds an entry to the log, and the end of the publication
/// completes that entry. Readers get a copy of the state.
///
/// A log is bounded by ``MirrorLimits``: the oldest entries are evicted. The sums ``diffCount``,
/// ``rejectionCount``, ``isolation`` and ``bytes`` include evicted entries.
public struct ChangeLog: Sendable {
  /// One entry of the log: an input, and its outcome.
  ///
  /// The entry of an update joins the log with the commit of its version. Only the last entry can
  /// change: its record is replaced when the publication has ended, and components may be destroyed
  /// after it.
  public struct Entry: Sendable {
    /// The outcome of an input.
    public enum Outcome: Sendable {
      /// A mount or diff that was applied.
      case applied(ChangeRecord)
      /// An input that was rejected.
      case rejected(Rejection)
    }

    /// The position in the log.
    public let cursor: Cursor
    /// The outcome of the input.
    public fileprivate(set) var outcome: Outcome
    /// The components that the server has destroyed after this input, and before the next one. The
    /// page did not show them, so they make no entry of their own.
    package fileprivate(set) var destroyed: [Int] = []
    /// The estimated memory in bytes; 0 until the entry is complete.
    package fileprivate(set) var memory: Int

    /// The epoch of the view.
    public var epoch: Int {
      switch outcome {
      case .applied(let record): record.epoch
      case .rejected(let rejection): rejection.epoch
      }
    }

    /// The time of the input, in milliseconds since 1970.
    public var at: Int64 {
      switch outcome {
      case .applied(let record): record.at
      case .rejected(let rejection): rejection.at
      }
    }

    /// The size of the input as JSON.
    public var bytes: Int {
      switch outcome {
      case .applied(let record): record.bytes
      case .rejected(let rejection): rejection.bytes
      }
    }

    /// The update that was applied; `nil` for a rejected input.
    public var record: ChangeRecord? { if case .applied(let record) = outcome { record } else { nil } }
  }

  /// A position in the log: after the change set of `version`, and after `rejections` rejected
  /// inputs that follow it.
  public struct Cursor: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The version.
    public var version: Int
    /// The number of rejected inputs after the version.
    public var rejections: Int

    /// The position after a version and the given number of rejected inputs.
    public init(version: Int, rejections: Int = 0) {
      self.version = version
      self.rejections = rejections
    }

    /// Reads the form of ``description``; `nil` for other texts.
    public init?(_ text: String) {
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      guard let version = parts.first.flatMap({ Int($0) }), parts.count <= 2 else { return nil }
      let rejections = parts.count == 2 ? Int(parts[1]) : 0
      guard let rejections, version >= 0, rejections >= 0 else { return nil }
      self.init(version: version, rejections: rejections)
    }

    /// `7`, or `7.2` after two rejected inputs.
    public var description: String { rejections == 0 ? "\(version)" : "\(version).\(rejections)" }

    /// The order of the log.
    public static func < (a: Cursor, b: Cursor) -> Bool { (a.version, a.rejections) < (b.version, b.rejections) }
  }

  /// The kept entries, oldest first.
  package private(set) var entries = Chunks<Entry>()

  /// The number of diffs that were applied.
  public private(set) var diffCount = 0
  /// The number of inputs that were rejected.
  public private(set) var rejectionCount = 0
  /// The sums of the isolation reports of all diffs.
  public var isolation: IsolationTotals { projections[IsolationTotals.self] ?? IsolationTotals() }
  /// The sizes of all inputs, in bytes.
  public private(set) var bytes = 0
  /// The sizes of the diffs that were applied, in bytes: ``bytes`` without the mount and the
  /// rejected inputs.
  package private(set) var diffBytes = 0

  /// Whether the publication of the last entry's update has ended, so that no record changes any
  /// more.
  package private(set) var isComplete = true

  /// What is derived from all entries.
  package internal(set) var projections: Projections

  /// The estimated memory of the kept entries in bytes.
  public private(set) var keptBytes = 0
  /// The number of entries that were evicted.
  public private(set) var evicted = 0
  private var lastEvicted: Cursor?

  init(_ projections: Projections = Projections()) { self.projections = projections }

  /// A log that has evicted all of its entries.
  ///
  /// - Parameter end: the position of the last entry; `nil` without entries.
  init(evicting entries: Int, through end: Cursor?, diffCount: Int, rejectionCount: Int, bytes: Int, diffBytes: Int) {
    self.init()
    (evicted, lastEvicted) = (entries, end)
    (self.diffCount, self.rejectionCount, self.bytes, self.diffBytes) = (diffCount, rejectionCount, bytes, diffBytes)
  }

  /// Whether the log keeps no entry.
  public var isEmpty: Bool { entries.isEmpty }
  /// The number of kept entries.
  public var keptEntryCount: Int { entries.count }
  /// The position of the oldest kept entry; `nil` if the log is empty.
  public var first: Cursor? { entries.first?.cursor }

  /// The position of the newest entry, also of an evicted one; `nil` if there was none.
  var end: Cursor? { entries.last?.cursor ?? lastEvicted }

  /// The record of a version; `nil` if it is not kept.
  ///
  /// - Complexity: O(log *entries*).
  public func record(of version: Int) -> ChangeRecord? {
    entryIndex(of: version).flatMap { entries[$0].record }
  }

  private func entryIndex(of version: Int) -> Int? {
    // The entry is nearly always the last one.
    let cursor = Cursor(version: version)
    let last = entries.endIndex - 1
    if last >= entries.startIndex, entries[last].cursor == cursor { return last }
    let position = entries.partitioningIndex { $0.cursor >= cursor }
    return position < entries.endIndex && entries[position].cursor == cursor ? position : nil
  }

  /// A part of the log.
  public struct Slice: Sendable {
    /// The entries, oldest first.
    public var entries: [Entry]
    /// The position after which the next slice begins. `nil` in the last slice.
    public var next: Cursor?
  }

  /// The entries after a position, oldest first. With a node, only the entries that concern it;
  /// with an event, only the diffs that answer this event.
  ///
  /// A slice has fewer than `limit` entries if `limit` entries would take more memory than
  /// `maximumSliceMemory`. It has at least one entry, if there is one.
  ///
  /// - Complexity: O(log *entries* + *limit*), with an event O(*entries*), with a node
  ///   O(*changes*).
  public func slice(after cursor: Cursor?, limit: Int, node: NodeRef? = nil, event: String? = nil) -> Slice {
    var position = cursor.map { cursor in entries.partitioningIndex { $0.cursor > cursor } } ?? entries.startIndex
    var listed: [Entry] = []
    var memory = 0
    while position < entries.endIndex {
      defer { position += 1 }
      if let event, entries[position].record?.cause?.event != event { continue }
      if let node, !entries[position].concerns(node) { continue }
      memory += entries[position].memory
      if listed.count == limit || !listed.isEmpty && memory > Self.maximumSliceMemory {
        return Slice(entries: listed, next: listed.last?.cursor ?? cursor)
      }
      listed.append(entries[position])
    }
    return Slice(entries: listed, next: nil)
  }

  /// The maximum memory of the entries of a slice, estimated, in bytes. The JSON of these entries
  /// takes about as much memory again.
  static let maximumSliceMemory = 8 << 20

  /// The records of all kept updates, oldest first.
  package var records: some Sequence<ChangeRecord> { entries.lazy.compactMap(\.record) }

  /// The sizes of the kept mounts and diffs of these versions as JSON in bytes, oldest first.
  ///
  /// - Complexity: O(*entries*). No record is copied.
  package func sizes(of versions: ClosedRange<Int>) -> [(version: Int, bytes: Int)] {
    entries.indices.compactMap { index in
      let cursor = entries[index].cursor
      return cursor.rejections == 0 && versions.contains(cursor.version) ? (cursor.version, entries[index].bytes) : nil
    }
  }

  /// The last entries, oldest first.
  public func last(_ count: Int) -> [Entry] { Array(entries.suffix(count)) }

  // MARK: - Writing

  /// Adds a committed update to the analyses.
  ///
  /// - Returns: the notes of the analyses for the update's record. The caller next calls
  ///   ``append(_:)`` with that record.
  mutating func analyse(
    _ update: PreparedUpdate, making version: Int, of rendered: Rendered, _ document: Document
  ) -> UpdateNotes {
    projections.add(update, making: version, of: rendered, document)
  }

  /// Adds the entry of an update that is committed. Its memory is counted when the entry is
  /// complete.
  mutating func append(_ record: ChangeRecord) {
    append(.applied(record), at: Cursor(version: record.version), memory: 0)
    if record.version > 0 {
      diffCount += 1
      diffBytes += record.bytes
    }
    bytes += record.bytes
    isComplete = false
  }

  /// Completes the last entry, whose update was published: the analyses contain the entry from now
  /// on.
  ///
  /// - Returns: the entry.
  @discardableResult
  mutating func complete(_ record: ChangeRecord) -> Entry? {
    isComplete = true
    guard let last = entries.indices.last else { return nil }
    (entries[last].outcome, entries[last].memory) = (.applied(record), record.memory)
    keptBytes += entries[last].memory
    projections.add(record)
    return entries[last]
  }

  /// Notes components that the server has destroyed after the last input.
  ///
  /// - Returns: `false` if the entry of that input was evicted.
  mutating func note(destroyed components: [Int]) -> Bool {
    projections.remove(components: components)
    guard let last = entries.indices.last else { return false }
    entries[last].destroyed += components
    return true
  }

  /// Adds a rejected input.
  ///
  /// - Returns: the entry.
  @discardableResult
  mutating func append(_ rejection: Rejection) -> Entry {
    let last = end ?? Cursor(version: rejection.version)
    let cursor = Cursor(version: last.version, rejections: last.rejections + 1)
    let entry = append(.rejected(rejection), at: cursor, memory: rejection.memory)
    rejectionCount += 1
    bytes += rejection.bytes
    projections.add(rejection)
    return entry
  }

  @discardableResult
  private mutating func append(_ outcome: Entry.Outcome, at cursor: Cursor, memory: Int) -> Entry {
    let entry = Entry(cursor: cursor, outcome: outcome, memory: memory)
    entries.append(entry)
    keptBytes += memory
    return entry
  }

  // MARK: - Eviction

  /// The number of the oldest entries to evict. If the log exceeds a bound, more entries are
  /// evicted than the bound requires, so that the next entry does not exceed the bound again. The
  /// newest entry is always kept.
  ///
  /// - Complexity: O(1) within the bounds, otherwise O(*evicted entries*).
  func excess(over bounds: LogBounds) -> Int {
    let tooMany = entries.count > bounds.entries
    guard tooMany || keptBytes > bounds.bytes else { return 0 }
    let most = tooMany ? bounds.entries - bounds.entrySlack : bounds.entries
    let bytes = keptBytes > bounds.bytes ? bounds.bytes - bounds.byteSlack : bounds.bytes
    var (count, left) = (0, keptBytes)
    while count < entries.count - 1, entries.count - count > most || left > bytes {
      left -= entries[entries.startIndex + count].memory
      count += 1
    }
    return count
  }

  /// The number of the oldest entries to evict in order to free memory. The newest entry is always
  /// kept.
  ///
  /// - Complexity: O(*evicted entries*).
  func entries(toFree bytes: Int) -> Int {
    var (count, freed) = (0, 0)
    while count < entries.count - 1, freed < bytes {
      freed += entries[entries.startIndex + count].memory
      count += 1
    }
    return count
  }

  /// Whether no entry after a position was evicted. If so, a reader that has read up to this
  /// position has missed no entry.
  package func keepsAll(after cursor: Cursor) -> Bool { lastEvicted.map { cursor >= $0 } ?? true }

  /// Evicts the oldest entries. The caller has applied them to the ``Checkpoint`` before.
  mutating func removeFirst(_ count: Int) {
    lastEvicted = entries.prefix(count).last?.cursor ?? lastEvicted
    keptBytes -= entries.prefix(count).reduce(0) { $0 + $1.memory }
    evicted += count
    entries.removeFirst(count)
  }
}

extension ChangeLog.Entry {
  /// Whether a node was added, changed, moved, removed or notified.
  func concerns(_ node: NodeRef) -> Bool {
    guard let record else { return false }
    return record.notified.contains(node) || record.changeSet.changes.contains { $0.concerns(node) }
  }
}

extension Change {
  /// Whether the change affects this node, on its own or in an added or removed subtree.
  public func concerns(_ node: NodeRef) -> Bool {
    switch self {
    case .text(let changed, _, _, _), .attributes(let changed, _, _), .move(let changed, _, _, _): changed == node
    case .add(let subtree, _): subtree.nodes.contains { $0.ref == node }
    case .remove(let nodes, _, _): nodes.contains(node)
    }
  }
}
