internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// The kinds of analyses that the views of a mirror have, for ``UpdateOptions/projections``.
package struct ProjectionKinds: Sendable, Hashable {
  private(set) var all: [any Projection.Type]

  /// The analyses that updates depend on. Every view has them.
  static let needed = ProjectionKinds(all: [ReportedKeys.self, PasswordFields.self, ChangeLog.IsolationTotals.self])

  /// These kinds, and those of `others` that are not among them.
  package static func + (kinds: Self, others: [any Projection.Type]) -> Self {
    ProjectionKinds(all: kinds.all + others.filter { other in !kinds.all.contains { $0 == other } })
  }

  package static func == (a: Self, b: Self) -> Bool { a.all.elementsEqual(b.all) { $0 == $1 } }

  package func hash(into hasher: inout Hasher) { for kind in all { hasher.combine(ObjectIdentifier(kind)) } }
}

/// The analyses of one epoch of a view. Each ``ChangeLog`` has them.
package struct Projections: Sendable {
  private var all: [any Projection] = []

  /// No analyses.
  init() {}

  /// The analyses of the given kinds before the mount.
  init(_ kinds: ProjectionKinds) { all = kinds.all.map { $0.init() } }

  /// The analysis of a kind; `nil` if the mirror has none.
  package subscript<Kind: Projection>(_ kind: Kind.Type) -> Kind? {
    // Comparing types is much faster than casting.
    all.firstIndex { type(of: $0) == kind }.flatMap { all[$0] as? Kind }
  }

  /// An estimate in bytes.
  var memory: Int {
    var memory = 0
    // Accessed by position, so that no value is copied. The methods below do the same.
    for position in all.indices { memory += all[position].memory }
    return memory
  }

  /// The number of problems that the list of views shows.
  func findingCount(in view: ViewState) -> Int {
    var count = 0
    for position in all.indices { count += all[position].findingCount(in: view) }
    return count
  }

  func afterRemount() -> Projections {
    var next = Projections()
    next.all = all.map { $0.afterRemount() }
    return next
  }

  // MARK: - Adding

  mutating func add(
    _ update: PreparedUpdate, making version: Int, of rendered: Rendered, _ document: Document
  ) -> UpdateNotes {
    var notes = UpdateNotes(extras: update.extras)
    for position in all.indices { all[position].add(update, making: version, of: rendered, document, noting: &notes) }
    return notes
  }

  mutating func add(_ record: ChangeRecord) {
    for position in all.indices { all[position].add(record) }
  }

  mutating func add(_ rejection: Rejection) {
    for position in all.indices { all[position].add(rejection) }
  }

  mutating func remove(components: [Int]) {
    for position in all.indices { all[position].remove(components: components) }
  }
}

// MARK: - Snapshot

extension Projections {
  /// Three places in a snapshot, each with certain analyses that are written without their names.
  /// Mirrors of different versions can share a journal, so an analysis must stay in its section.
  /// All other analyses are at the end of the snapshot, each with its name.
  enum SnapshotSection: CaseIterable {
    case beforeLog, afterLog, afterTree

    fileprivate var names: [String] {
      switch self {
      case .beforeLog: ["unknown-keys", "hidden-components", "password-fields"]
      case .afterLog: ["isolation", "findings"]
      case .afterTree: ["slot-totals"]
      }
    }
  }

  private func position(of name: String) -> Int? { all.firstIndex { type(of: $0).name == name } }

  /// The positions of the analyses that have no ``SnapshotSection``.
  private var positionsOfLater: [Int] {
    let placed = Set(SnapshotSection.allCases.flatMap(\.names))
    return all.indices.filter { !placed.contains(type(of: all[$0]).name) }
  }

  func write(_ section: SnapshotSection, to writer: inout SnapshotWriter, _ statics: inout StaticsWriter) {
    for position in section.names.compactMap(position) { all[position].write(to: &writer, &statics) }
  }

  mutating func read(
    _ section: SnapshotSection, from reader: inout SnapshotReader, _ statics: inout StaticsReader
  ) throws(SnapshotError) {
    for position in section.names.compactMap(position) { try read(position, from: &reader, &statics) }
  }

  /// Writes the analyses that have no ``SnapshotSection``. Writes nothing if each of them has one.
  func writeLater(to writer: inout SnapshotWriter, _ statics: inout StaticsWriter) {
    let later = positionsOfLater
    if later.isEmpty { return }
    writer.write(all: later) { position, writer in
      writer.write(type(of: all[position]).name)
      all[position].write(to: &writer, &statics)
    }
  }

  /// Reads what ``writeLater(to:_:)`` has written. An analysis that is not in the snapshot keeps
  /// its initial value.
  mutating func readLater(from reader: inout SnapshotReader, _ statics: inout StaticsReader) throws(SnapshotError) {
    if reader.isAtEnd { return }
    var left = positionsOfLater
    let count = try reader.listCount()
    try reader.require(count > 0, "a list of no analyses is not written")
    for _ in 0..<count {
      let name = try reader.string()
      guard let index = left.firstIndex(where: { type(of: all[$0]).name == name }) else {
        throw reader.malformed("\"\(name)\" is not an analysis of this version")
      }
      try read(left.remove(at: index), from: &reader, &statics)
    }
  }

  private mutating func read(
    _ position: Int, from reader: inout SnapshotReader, _ statics: inout StaticsReader
  ) throws(SnapshotError) {
    all[position] = try type(of: all[position]).init(from: &reader, &statics)
  }
}
