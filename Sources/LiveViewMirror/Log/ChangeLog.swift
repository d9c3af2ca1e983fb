public import MarkupDocument
internal import MirrorSupport
internal import NodeObservation

/// The applied and rejected updates of one view in its current epoch, oldest first.
///
/// A log is bounded by ``MirrorLimits``: the oldest entries are evicted. The sums ``diffs``, ``rejected``, ``isolation`` and
/// ``bytes`` include evicted entries.
public struct ChangeLog: Sendable {
  /// One entry of the log.
  public enum Entry: Sendable {
    /// A mount or diff that was applied.
    case applied(ChangeRecord)
    /// An input that was rejected.
    case rejected(Rejection)
  }

  /// A position in the log: after the change set of `version`, and after `rejections` rejected inputs that follow it.
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

  private struct Item: Sendable {
    var cursor: Cursor
    var entry: Entry
    /// The estimated memory of the entry in bytes.
    var memory: Int

    var listed: (cursor: Cursor, entry: Entry) { (cursor, entry) }
  }

  private var items = Chunks<Item>()

  /// The number of diffs that were applied.
  public private(set) var diffs = 0
  /// The number of inputs that were rejected.
  public private(set) var rejected = 0
  /// The sums of the isolation reports of all diffs.
  public private(set) var isolation = IsolationTotals()
  /// The sizes of all inputs, in bytes.
  public private(set) var bytes = 0
  /// The sizes of the diffs that were applied, in bytes: those of ``bytes`` without the mount and the rejected inputs.
  package private(set) var diffBytes = 0

  /// The findings of all entries.
  package private(set) var findings = Findings()

  /// The estimated memory of the kept entries in bytes.
  public private(set) var keptBytes = 0
  /// The number of entries that were evicted.
  public private(set) var evicted = 0
  private var lastEvicted: Cursor?

  init() {}

  /// A log that has evicted all of its entries.
  ///
  /// - Parameter end: the position of the last entry; `nil` without entries.
  init(
    evicting entries: Int, through end: Cursor?, diffs: Int, rejected: Int, isolation: IsolationTotals, bytes: Int,
    diffBytes: Int, findings: Findings
  ) {
    (evicted, lastEvicted) = (entries, end)
    (self.diffs, self.rejected, self.isolation) = (diffs, rejected, isolation)
    (self.bytes, self.diffBytes, self.findings) = (bytes, diffBytes, findings)
  }

  /// Whether the log keeps no entry.
  public var isEmpty: Bool { items.isEmpty }
  /// The number of kept entries.
  public var keptEntries: Int { items.count }
  /// The position of the oldest kept entry; `nil` if the log is empty.
  public var first: Cursor? { items.first?.cursor }

  /// The position of the newest entry, also of an evicted one; `nil` if there was none.
  var end: Cursor? { items.last?.cursor ?? lastEvicted }

  /// The record of a version; `nil` if it is not kept.
  ///
  /// - Complexity: O(log *entries*).
  public func record(of version: Int) -> ChangeRecord? {
    guard let position = position(of: version), case .applied(let record) = items[position].entry else { return nil }
    return record
  }

  /// The change sets from the oldest kept version up to `version`.
  func changeSets(through version: Int) -> [ChangeSet] {
    items.lazy.prefix { $0.cursor.version <= version }.compactMap {
      if case .applied(let record) = $0.entry { record.changeSet } else { nil }
    }
  }

  private func position(of version: Int) -> Int? {
    // The entry is nearly always the last one.
    let cursor = Cursor(version: version)
    let last = items.endIndex - 1
    if last >= items.startIndex, items[last].cursor == cursor { return last }
    let position = items.partitioningIndex { $0.cursor >= cursor }
    return position < items.endIndex && items[position].cursor == cursor ? position : nil
  }

  /// A part of the log.
  public struct Page: Sendable {
    /// The entries with their positions, oldest first.
    public var entries: [(cursor: Cursor, entry: Entry)]
    /// The position after which the next page begins; `nil` if there is none.
    public var next: Cursor?
  }

  /// The entries after a position, oldest first. With a node, only the entries that concern it; with an event, only the diffs that
  /// answer this event.
  ///
  /// A page has fewer than `limit` entries if they would take more memory than `maximumPageMemory`. It has at least one entry,
  /// if there is one.
  ///
  /// - Complexity: O(log *entries* + *limit*), with an event O(*entries*), with a node O(*changes*).
  public func page(after cursor: Cursor?, limit: Int, node: NodeRef? = nil, event: String? = nil) -> Page {
    var position = cursor.map { cursor in items.partitioningIndex { $0.cursor > cursor } } ?? items.startIndex
    var entries: [(cursor: Cursor, entry: Entry)] = []
    var memory = 0
    while position < items.endIndex {
      defer { position += 1 }
      if let event, items[position].entry.cause?.event != event { continue }
      if let node, !items[position].entry.concerns(node) { continue }
      memory += items[position].memory
      if entries.count == limit || !entries.isEmpty && memory > Self.maximumPageMemory {
        return Page(entries: entries, next: entries.last?.cursor ?? cursor)
      }
      entries.append(items[position].listed)
    }
    return Page(entries: entries, next: nil)
  }

  /// The maximum memory of the entries of a page, estimated, in bytes. As JSON they take about as much again.
  static let maximumPageMemory = 8 << 20

  /// The records of all kept updates, oldest first.
  package var records: some Sequence<ChangeRecord> {
    items.lazy.compactMap { if case .applied(let record) = $0.entry { record } else { nil } }
  }

  /// The last entries, oldest first.
  public func last(_ count: Int) -> [(cursor: Cursor, entry: Entry)] { items.suffix(count).map(\.listed) }

  /// The kept entries that satisfy a condition, oldest first.
  ///
  /// - Complexity: O(*entries*) calls of the condition.
  package func all(where condition: (Entry) -> Bool) -> [(cursor: Cursor, entry: Entry)] {
    items.filter { condition($0.entry) }.map(\.listed)
  }

  // MARK: - Writing

  mutating func append(_ record: ChangeRecord) {
    append(.applied(record), at: Cursor(version: record.version), memory: record.memory)
    if record.version > 0 {
      diffs += 1
      diffBytes += record.bytes
      isolation.add(record.isolation)
    }
    bytes += record.bytes
    findings.add(record)
  }

  /// Adds a rejected input.
  ///
  /// - Returns: the position of the entry.
  @discardableResult
  mutating func append(_ rejection: Rejection) -> Cursor {
    let last = end ?? Cursor(version: rejection.version)
    let cursor = Cursor(version: last.version, rejections: last.rejections + 1)
    append(.rejected(rejection), at: cursor, memory: rejection.memory)
    rejected += 1
    bytes += rejection.bytes
    findings.add(rejection)
    return cursor
  }

  private mutating func append(_ entry: Entry, at cursor: Cursor, memory: Int) {
    items.append(Item(cursor: cursor, entry: entry, memory: memory))
    keptBytes += memory
  }

  // MARK: - Eviction

  /// The number of the oldest entries to evict. If the log exceeds a bound, some more are evicted, so that the next entry does
  /// not exceed it again. The newest entry is always kept.
  ///
  /// - Complexity: O(1) within the bounds, otherwise O(*evicted entries*).
  func excess(over bounds: LogBounds) -> Int {
    let tooMany = items.count > bounds.entries
    guard tooMany || keptBytes > bounds.bytes else { return 0 }
    let entries = tooMany ? bounds.entries - bounds.entrySlack : bounds.entries
    let bytes = keptBytes > bounds.bytes ? bounds.bytes - bounds.byteSlack : bounds.bytes
    var (count, left) = (0, keptBytes)
    while count < items.count - 1, items.count - count > entries || left > bytes {
      left -= items[items.startIndex + count].memory
      count += 1
    }
    return count
  }

  /// The number of the oldest entries to evict in order to free memory. The newest entry is always kept.
  ///
  /// - Complexity: O(*evicted entries*).
  func entries(toFree bytes: Int) -> Int {
    var (count, freed) = (0, 0)
    while count < items.count - 1, freed < bytes {
      freed += items[items.startIndex + count].memory
      count += 1
    }
    return count
  }

  /// The change sets of the oldest entries. Rejections have none.
  func firstChangeSets(ofEntries count: Int) -> [ChangeSet] {
    items.prefix(count).compactMap { if case .applied(let record) = $0.entry { record.changeSet } else { nil } }
  }

  /// Whether no entry after a position was evicted: a reader that has read up to there has missed none.
  package func keepsAll(after cursor: Cursor) -> Bool { lastEvicted.map { cursor >= $0 } ?? true }

  mutating func removeFirst(_ count: Int) {
    lastEvicted = items.prefix(count).last?.cursor ?? lastEvicted
    keptBytes -= items.prefix(count).reduce(0) { $0 + $1.memory }
    evicted += count
    items.removeFirst(count)
  }
}

extension ChangeLog.Entry {
  /// The event that the entry answers; `nil` for a rejected input, and for a diff that the server pushed.
  fileprivate var cause: UpdateCause? { if case .applied(let record) = self { record.cause } else { nil } }

  /// Whether a node was added, changed, moved, removed or notified.
  func concerns(_ node: NodeRef) -> Bool {
    guard case .applied(let record) = self else { return false }
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
