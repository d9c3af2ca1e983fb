public import MarkupDocument

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

  private(set) var items: [(cursor: Cursor, entry: Entry)] = []
  /// By version, the position of its change set in ``items``.
  private var positions: [Int] = []

  /// How many updates were applied after the mount.
  public var diffs: Int { max(0, positions.count - 1) }
  /// How many were rejected.
  public var rejected: Int { items.count - positions.count }
  /// The sizes of all inputs, in bytes.
  public private(set) var bytes = 0

  public var isEmpty: Bool { items.isEmpty }

  public func record(of version: Int) -> ChangeRecord? {
    guard positions.indices.contains(version), case .applied(let record) = items[positions[version]].entry else {
      return nil
    }
    return record
  }

  /// The change sets of all versions up to one, from the mount on.
  func changeSets(through version: Int) -> [ChangeSet] {
    (0...version).compactMap { record(of: $0)?.changeSet }
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
      if let node, !items[position].entry.concerns(node) { continue }
      if entries.count == limit { return Page(entries: entries, next: entries.last?.cursor ?? cursor) }
      entries.append(items[position])
    }
    return Page(entries: entries, next: nil)
  }

  /// The last entries, oldest first.
  public func last(_ count: Int) -> [(cursor: Cursor, entry: Entry)] { Array(items.suffix(count)) }

  // MARK: - Writing

  mutating func append(_ record: ChangeRecord) {
    positions.append(items.count)
    items.append((Cursor(version: record.version), .applied(record)))
    bytes += record.bytes
  }

  mutating func append(_ rejection: Rejection) {
    let last = items.last?.cursor ?? Cursor(version: rejection.version)
    items.append((Cursor(version: last.version, rejections: last.rejections + 1), .rejected(rejection)))
    bytes += rejection.bytes
  }

  /// Publishing is timed after the entry stands, so that whoever is told finds it.
  mutating func setPublishTime(_ microseconds: Int, of version: Int) {
    guard positions.indices.contains(version), case .applied(var record) = items[positions[version]].entry else {
      return
    }
    record.timings.publish = microseconds
    items[positions[version]].entry = .applied(record)
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

extension Array {
  /// The first position for which `isPast` holds, in an array where it holds from some position on.
  fileprivate func partitioningIndex(where isPast: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isPast(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
