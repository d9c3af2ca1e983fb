internal import MirrorSupport
package import RenderedTree

/// The lists without keys whose entries one diff sent again, because an entry before them was
/// inserted or removed.
///
/// ```
/// list in slot 1 sent again: 4 of 5 entries were on the page already at another position, 301 B
/// ```
///
/// The analysis `SlotTotals` finds the lists of each diff. ``ChangeRecord/shiftedLists`` returns
/// them to the log's text and JSON, to the page of a diff, and to `check`.
///
/// These bytes are not part of ``ChangeRecord/Waste``. Wasted bytes have no effect on the page.
/// Shifted bytes have an effect, because a client identifies the entries of such a list by their
/// position. If the diff did not send the values of a shifted entry, the page would show another
/// entry at that position. The app can avoid these bytes only by another template.
///
/// The sums of wasted and shifted bytes overlap, so they must not be added. A value of a shifted
/// entry that equals the value at its new position, such as an empty class, counts in both sums.
package struct ShiftedLists: Sendable, Hashable {
  package struct List: Sendable, Hashable {
    /// The slot of the diff that holds the list, such as `1` or `0.k.3.2`; empty for a list that is
    /// the whole page.
    package var slot: String
    /// Whether the list is in the form of LiveView 1.0, which has no `:key`.
    package var isPositional: Bool
    /// The number of shifted entries.
    package var entries: Int
    /// The number of entries of the list after the diff.
    package var count: Int
    /// The size of the shifted entries in ``ChangeRecord/input``: the text of their values, without
    /// names and separators.
    package var bytes: Int
  }

  /// The maximum number of ``lists``.
  static let listed = 20

  /// The first lists, in the order of the merge.
  package private(set) var lists: [List] = []
  /// The number of shifted lists after ``lists`` is full. Some of these may have keys, because
  /// `isUnkeyed` is no longer called.
  package private(set) var more = 0

  init() {}

  /// - Parameters:
  ///   - update: the text of the diff.
  ///   - isUnkeyed: returns false for a list that is known to have keys. Such a list is left out.
  /// - Complexity: O(*lists of the diff*), and O(*bytes of the diff*) if one of them was shifted.
  package init(of touched: TouchedSlots, in update: JSONText, where isUnkeyed: (TouchedList) -> Bool) {
    let shifted = touched.lists.filter { $0.shiftedCount > 0 }
    if shifted.isEmpty { return }
    let json = JSONPositions(update.text)
    for list in shifted {
      guard lists.count < Self.listed else {
        more += 1
        continue
      }
      let path = touched.paths.path(to: list.path)
      let slot = touched.paths.dottedPath(to: list.path, atMost: SlotPathCache.maximumSteps)
      guard isUnkeyed(list), let bytes = json.size(of: list, at: path) else { continue }
      lists.append(
        List(
          slot: slot, isPositional: list.form == .positional, entries: list.shiftedCount, count: list.newCount,
          bytes: bytes)
      )
    }
  }
}

extension ShiftedLists.List: CustomStringConvertible {
  /// The slot for readers.
  package var name: String { ChangeRecord.name(ofSlot: slot) }

  /// The list and its costs as one phrase.
  package var description: String {
    "list in slot \(name) sent again: \(entries) of \(Formatted.count(count, "entry")) \(entries == 1 ? "was" : "were") on the page "
      + "already at another position, \(Formatted.bytes(bytes))"
  }
}

extension JSONPositions {
  /// The size of the shifted entries of a list; `nil` if the text has no list at the path.
  ///
  /// - Complexity: O(*members and elements on the path* + *entries*).
  fileprivate func size(of list: TouchedList, at path: SlotPath) -> Int? {
    let steps = (path.steps + [.key(list.form == .positional ? "d" : "k")]).map(\.description)
    guard let value = value(at: steps, in: top) else { return nil }
    let shifted = Set(list.shiftedEntries)
    let entries =
      list.form == .positional
      ? elements(of: value).enumerated().filter { shifted.contains($0.offset) }.map(\.element)
      : members(of: value).filter { integer(named: $0.name).map(shifted.contains) ?? false }.map(\.value)
    return entries.count == shifted.count ? entries.reduce(0) { $0 + range(of: $1).count } : nil
  }

  private func integer(named name: Value) -> Int? { string(name).flatMap { Int($0) } }
}
