internal import MarkupDocument
internal import MirrorSupport
internal import RenderedTree

/// What one list of a template cost since the mount. ``SlotTotals`` keeps one for each list, and
/// ``WasteReport/List`` explains the numbers. Versions must be added in ascending order, because
/// successive calls with the same version count as one diff.
struct ListRow: Sendable {
  var diffs = 0
  var entries = 0
  var unchanged = 0
  /// The number of diffs that sent values for every entry.
  var resent = 0
  var moved = 0
  /// The number of entries that were sent because an earlier one was inserted or removed.
  var shifted = 0
  /// The diffs that sent ``shifted`` entries; `nil` if no diff did.
  private(set) var shifts: Shifts?
  /// The number of elements with an id that were removed and added again in one diff.
  var recreated = 0
  var lastVersion = 0
  private var lastResent = 0
  private(set) var isStream = false
  private(set) var isPositional = false

  init() {}

  /// The diffs that sent entries because an earlier one was inserted or removed.
  struct Shifts: Sendable {
    let firstVersion: Int
    fileprivate(set) var lastVersion: Int
    /// The number of diffs.
    fileprivate(set) var count = 1
    /// The parents of the entries that ``lastVersion`` shifted; at most
    /// ``Finding/maximumLocatedNodes``.
    fileprivate(set) var parents: [NodeRef] = []
  }

  mutating func add(_ list: TouchedList, in version: Int) {
    // A diff can contain several instances of the list, such as one in each entry of another list.
    // They have the same version and count as one diff.
    if lastVersion != version {
      lastVersion = version
      diffs += 1
    }
    entries += list.sentCount
    unchanged += list.unchangedCount
    if list.isResent, lastResent != version {
      lastResent = version
      resent += 1
    }
    moved += list.movedCount
    if list.shiftedCount > 0 { addShift(of: list.shiftedCount, in: version) }
    if list.isStream { isStream = true }
    if list.form == .positional { isPositional = true }
  }

  private mutating func addShift(of entries: Int, in version: Int) {
    shifted += entries
    guard let last = shifts?.lastVersion else {
      shifts = Shifts(firstVersion: version, lastVersion: version)
      return
    }
    if last == version { return }
    shifts?.lastVersion = version
    shifts?.count += 1
    shifts?.parents = []
  }

  /// Notes the parent of entries that the last diff has shifted.
  mutating func addShiftedParent(_ node: NodeRef) {
    guard let shifts, shifts.parents.count < Finding.maximumLocatedNodes, !shifts.parents.contains(node) else { return }
    self.shifts?.parents.append(node)
  }

  /// How LiveView identifies the entries, inferred from the diffs. The wire does not say whether a
  /// `for` has a `:key`, because without one, LiveView (≥ 1.1) uses the index as the key.
  var kind: ListKind {
    if isStream { return .stream }
    if isPositional { return .positional }
    if moved > 0 { return .keyed }
    return shifted > 0 ? .byIndex : .undecided
  }
}

/// How LiveView identifies the entries of a list.
package enum ListKind: String, Sendable, CaseIterable {
  /// By `:key` (LiveView ≥ 1.1): an entry has moved, which only an entry with a key does.
  case keyed
  /// By their index, without `:key` (LiveView ≥ 1.1): after an insertion or removal, later entries
  /// were sent with the values of their neighbours.
  case byIndex = "by_index"
  /// By `:key` or by index (LiveView ≥ 1.1): no diff of the epoch has shown which.
  case undecided
  /// By place, with all entries in every diff (LiveView 1.0).
  case positional
  /// By the DOM ids of a stream.
  case stream
}

// MARK: - Snapshot

extension ListRow {
  func write(to writer: inout SnapshotWriter) {
    for number in [diffs, entries, unchanged, resent, moved, shifted, recreated, lastVersion, lastResent] {
      writer.write(count: number)
    }
    writer.write(isStream)
    writer.write(isPositional)
    writer.write(shifts != nil)
    guard let shifts else { return }
    for number in [shifts.firstVersion, shifts.lastVersion, shifts.count] { writer.write(count: number) }
    writer.write(all: shifts.parents) { $1.write($0) }
  }

  init(from reader: inout SnapshotReader) throws(SnapshotError) {
    diffs = try reader.count()
    entries = try reader.count()
    unchanged = try reader.count()
    resent = try reader.count()
    moved = try reader.count()
    shifted = try reader.count()
    recreated = try reader.count()
    lastVersion = try reader.count()
    lastResent = try reader.count()
    isStream = try reader.flag()
    isPositional = try reader.flag()
    guard try reader.flag() else { return }
    var shifts = Shifts(firstVersion: try reader.count(), lastVersion: try reader.count())
    shifts.count = try reader.count()
    shifts.parents = try reader.all { reader throws(SnapshotError) in try NodeRef(from: &reader) }
    self.shifts = shifts
  }
}
