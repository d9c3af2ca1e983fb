public import MarkupDocument
internal import NodeObservation

/// What happened to one view in this epoch, oldest first.
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

  /// An entry as it is kept: what stands in it never changes, so that all copies of the log share it.
  private final class Kept: Sendable {
    let entry: Entry
    init(_ entry: Entry) { self.entry = entry }
  }

  private struct Item: Sendable {
    var cursor: Cursor
    var kept: Kept
    /// Known when the entry stands already; see ``complete(_:)``.
    var published: Published?

    var entry: Entry {
      guard let published, case .applied(var record) = kept.entry else { return kept.entry }
      record.timings.publish = Int(published.time)
      record.timings.views = Int(published.viewsTime)
      record.isolation.views = published.views
      record.diagnostics += published.problems
      return .applied(record)
    }

    var listed: (cursor: Cursor, entry: Entry) { (cursor, entry) }
  }

  /// What publishing took, and what came of it.
  private struct Published: Sendable {
    var time: UInt32
    var viewsTime: UInt32
    var views: IsolationReport.Views?
    /// What views could not read.
    var problems: [DocumentDiagnostic]
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

  public var isEmpty: Bool { items.isEmpty }

  /// - Complexity: O(log *entries*).
  public func record(of version: Int) -> ChangeRecord? {
    guard let position = position(of: version), case .applied(let record) = items[position].entry else { return nil }
    return record
  }

  /// The change sets of all versions up to one, from the mount on.
  func changeSets(through version: Int) -> [ChangeSet] {
    items.lazy.prefix { $0.cursor.version <= version }.compactMap {
      if case .applied(let record) = $0.kept.entry { record.changeSet } else { nil }
    }
  }

  private func position(of version: Int) -> Int? {
    // Nearly always the last one, or as many rejections before it as there were.
    let cursor = Cursor(version: version)
    if let last = items.last, last.cursor == cursor { return items.count - 1 }
    let position = items.partitioningIndex { $0.cursor >= cursor }
    return position < items.count && items[position].cursor == cursor ? position : nil
  }

  public struct Page: Sendable {
    public var entries: [(cursor: Cursor, entry: Entry)]
    /// Where to go on, `nil` at the end.
    public var next: Cursor?
  }

  /// Entries behind a place, oldest first; with a node, only those that it took part in.
  ///
  /// - Complexity: O(log *entries* + *limit*), with a node O(*changes*).
  public func page(after cursor: Cursor?, limit: Int, node: NodeRef? = nil) -> Page {
    var position = cursor.map { cursor in items.partitioningIndex { $0.cursor > cursor } } ?? 0
    var entries: [(cursor: Cursor, entry: Entry)] = []
    while position < items.count {
      defer { position += 1 }
      if let node, !items[position].kept.entry.concerns(node) { continue }
      if entries.count == limit { return Page(entries: entries, next: entries.last?.cursor ?? cursor) }
      entries.append(items[position].listed)
    }
    return Page(entries: entries, next: nil)
  }

  /// The last entries, oldest first.
  public func last(_ count: Int) -> [(cursor: Cursor, entry: Entry)] { items.suffix(count).map(\.listed) }

  // MARK: - Writing

  mutating func append(_ record: ChangeRecord) {
    items.append(Item(cursor: Cursor(version: record.version), kept: Kept(.applied(record))))
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
    items.append(Item(cursor: cursor, kept: Kept(.rejected(rejection))))
    rejected += 1
    bytes += rejection.bytes
    return cursor
  }

  /// Whoever is told of an update finds it in the log: what publishing takes is known after that.
  ///
  /// - Parameter problems: which of its diagnostics came of that.
  mutating func complete(_ record: ChangeRecord, problems: [DocumentDiagnostic] = []) {
    guard let position = position(of: record.version) else { return }
    items[position].published = Published(
      time: UInt32(clamping: record.timings.publish), viewsTime: UInt32(clamping: record.timings.views),
      views: record.isolation.views, problems: problems)
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
