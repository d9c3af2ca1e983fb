public import MarkupDocument
internal import NodeObservation

/// What happened to one view in this epoch, oldest first.
///
/// A log is bounded (``MirrorLimits``): its oldest entries go. The sums ``diffs``, ``rejected``, ``isolation`` and ``bytes``
/// are of all entries that there ever were.
public struct ChangeLog: Sendable {
  public enum Entry: Sendable {
    case applied(ChangeRecord)
    case rejected(Rejection)
  }

  /// A place in the log: behind the change set of `version`, and behind `rejections` rejected entries after it.
  public struct Cursor: Sendable, Hashable, Comparable, CustomStringConvertible {
    public var version: Int
    public var rejections: Int

    public init(version: Int, rejections: Int = 0) {
      self.version = version
      self.rejections = rejections
    }

    /// `7`, or `7.2`.
    public init?(_ text: String) {
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      guard let version = parts.first.flatMap({ Int($0) }), parts.count <= 2 else { return nil }
      let rejections = parts.count == 2 ? Int(parts[1]) : 0
      guard let rejections, rejections >= 0 else { return nil }
      self.init(version: version, rejections: rejections)
    }

    public var description: String { rejections == 0 ? "\(version)" : "\(version).\(rejections)" }

    public static func < (a: Cursor, b: Cursor) -> Bool { (a.version, a.rejections) < (b.version, b.rejections) }
  }

  private struct Item: Sendable {
    var cursor: Cursor
    var entry: Entry
    /// About how much memory it takes, in bytes.
    var memory: Int

    var listed: (cursor: Cursor, entry: Entry) { (cursor, entry) }
  }

  private var items = Chunks<Item>()

  /// How many updates were applied after the mount.
  public private(set) var diffs = 0
  /// How many were rejected.
  public private(set) var rejected = 0
  /// What isolation saved in all of them.
  public private(set) var isolation = IsolationTotals()
  /// The sizes of all inputs, in bytes.
  public private(set) var bytes = 0

  /// About how much memory the entries take that are kept, in bytes.
  public private(set) var keptBytes = 0
  /// How many entries were let go, because there were more than are kept.
  public private(set) var evicted = 0
  private var lastEvicted: Cursor?

  public var isEmpty: Bool { items.isEmpty }
  /// How many entries are kept.
  public var keptEntries: Int { items.count }
  /// Where the oldest entry stands that is kept.
  public var first: Cursor? { items.first?.cursor }

  /// The change set of a version; `nil` for one that is not kept any more.
  ///
  /// - Complexity: O(log *entries*).
  public func record(of version: Int) -> ChangeRecord? {
    guard let position = position(of: version), case .applied(let record) = items[position].entry else { return nil }
    return record
  }

  /// The change sets of all versions up to one, from the oldest on that is kept.
  func changeSets(through version: Int) -> [ChangeSet] {
    items.lazy.prefix { $0.cursor.version <= version }.compactMap {
      if case .applied(let record) = $0.entry { record.changeSet } else { nil }
    }
  }

  private func position(of version: Int) -> Int? {
    // Nearly always the last one, or as many rejections before it as there were.
    let cursor = Cursor(version: version)
    let last = items.endIndex - 1
    if last >= items.startIndex, items[last].cursor == cursor { return last }
    let position = items.partitioningIndex { $0.cursor >= cursor }
    return position < items.endIndex && items[position].cursor == cursor ? position : nil
  }

  public struct Page: Sendable {
    public var entries: [(cursor: Cursor, entry: Entry)]
    /// Where to go on, `nil` at the end.
    public var next: Cursor?
  }

  /// Entries behind a place, oldest first; with a node, only those that it took part in.
  ///
  /// - Complexity: O(log *entries* + *limit*), with a node O(*changes*).
  ///
  /// A page ends before `limit` where its entries take more memory than ``maximumPageMemory``; the first is always in it.
  public func page(after cursor: Cursor?, limit: Int, node: NodeRef? = nil) -> Page {
    var position = cursor.map { cursor in items.partitioningIndex { $0.cursor > cursor } } ?? items.startIndex
    var entries: [(cursor: Cursor, entry: Entry)] = []
    var memory = 0
    while position < items.endIndex {
      defer { position += 1 }
      if let node, !items[position].entry.concerns(node) { continue }
      memory += items[position].memory
      if entries.count == limit || !entries.isEmpty && memory > Self.maximumPageMemory {
        return Page(entries: entries, next: entries.last?.cursor ?? cursor)
      }
      entries.append(items[position].listed)
    }
    return Page(entries: entries, next: nil)
  }

  /// How much memory the entries of one page may take, estimated, in bytes: as JSON they take about as much again.
  static let maximumPageMemory = 8 << 20

  /// The last entries, oldest first.
  public func last(_ count: Int) -> [(cursor: Cursor, entry: Entry)] { items.suffix(count).map(\.listed) }

  // MARK: - Writing

  mutating func append(_ record: ChangeRecord) {
    append(.applied(record), at: Cursor(version: record.version), memory: record.memory)
    if record.version > 0 {
      diffs += 1
      isolation.add(record.isolation)
    }
    bytes += record.bytes
  }

  /// - Returns: where it stands.
  @discardableResult
  mutating func append(_ rejection: Rejection) -> Cursor {
    let last = items.last?.cursor ?? Cursor(version: rejection.version)
    let cursor = Cursor(version: last.version, rejections: last.rejections + 1)
    append(.rejected(rejection), at: cursor, memory: rejection.memory)
    rejected += 1
    bytes += rejection.bytes
    return cursor
  }

  private mutating func append(_ entry: Entry, at cursor: Cursor, memory: Int) {
    items.append(Item(cursor: cursor, entry: entry, memory: memory))
    keptBytes += memory
  }

  /// Whoever is told of an update finds it in the log: what publishing takes, and what came of it, is known after that.
  ///
  /// - Parameter problems: which of its diagnostics came of that.
  mutating func complete(_ record: ChangeRecord, problems: [DocumentDiagnostic] = []) {
    guard let position = position(of: record.version) else { return }
    var memory = record.isolation.views?.memory ?? 0
    for problem in problems { memory += problem.memory }
    items[position].entry = .applied(record)
    items[position].memory += memory
    keptBytes += memory
  }

  // MARK: - Letting go

  /// How many of the oldest entries have to go, and some more, so that it is not asked again with the next entry. The
  /// newest stays, however large it is.
  ///
  /// - Complexity: O(1) within the bounds, else O(*what goes*).
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

  /// The change sets of the oldest entries, those of rejections left out.
  func firstChangeSets(ofEntries count: Int) -> [ChangeSet] {
    items.prefix(count).compactMap { if case .applied(let record) = $0.entry { record.changeSet } else { nil } }
  }

  /// Whether no entry behind a place was let go: who has seen all up to there misses none.
  package func keepsAll(after cursor: Cursor) -> Bool { lastEvicted.map { cursor >= $0 } ?? true }

  mutating func removeFirst(_ count: Int) {
    lastEvicted = items.prefix(count).last?.cursor ?? lastEvicted
    keptBytes -= items.prefix(count).reduce(0) { $0 + $1.memory }
    evicted += count
    items.removeFirst(count)
  }
}

extension ChangeLog.Entry {
  /// Whether a node was created, changed, moved, removed or told.
  func concerns(_ node: NodeRef) -> Bool {
    guard case .applied(let record) = self else { return false }
    return record.notified.contains(node) || record.changeSet.changes.contains { $0.concerns(node) }
  }
}

extension Change {
  /// Whether the change is about this node, or about a subtree that holds it.
  public func concerns(_ node: NodeRef) -> Bool {
    switch self {
    case .text(let changed, _, _, _), .attributes(let changed, _, _), .move(let changed, _, _, _): changed == node
    case .add(let subtree, _): subtree.nodes.contains { $0.ref == node }
    case .remove(let nodes, _, _): nodes.contains(node)
    }
  }
}
