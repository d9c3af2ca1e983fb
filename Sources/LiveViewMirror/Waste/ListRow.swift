internal import RenderedTree

/// What one list of a template cost since the mount.
struct ListRow: Sendable {
  var diffs = 0
  var entries = 0
  var unchanged = 0
  /// The number of diffs that sent values for every entry.
  var resent = 0
  var moved = 0
  /// The number of entries that were sent because an earlier one was inserted or removed.
  var shifted = 0
  /// The number of elements with an id that were removed and added again in one diff.
  var recreated = 0
  var lastVersion = 0
  private var lastResent = 0
  private(set) var isStream = false
  private(set) var isPositional = false

  mutating func add(_ list: TouchedList, in version: Int) {
    // Several instances of a template, such as the lists in the entries of a list, count as one diff.
    if lastVersion != version {
      lastVersion = version
      diffs += 1
    }
    entries += list.entries
    unchanged += list.unchanged
    if list.isResent, lastResent != version {
      lastResent = version
      resent += 1
    }
    moved += list.moved
    shifted += list.shifted
    if list.isStream { isStream = true }
    if list.form == .positional { isPositional = true }
  }

  /// The wire does not say whether a `for` has a `:key`: without one, LiveView uses the index (≥ 1.1).
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
  /// By their index, without `:key` (LiveView ≥ 1.1): after an insertion or removal, later entries were sent with the values of
  /// their neighbours.
  case byIndex = "by_index"
  /// By `:key` or by index (LiveView ≥ 1.1): no diff of the epoch has shown which.
  case undecided
  /// By place, with all entries in every diff (LiveView 1.0).
  case positional
  /// By the DOM ids of a stream.
  case stream
}
