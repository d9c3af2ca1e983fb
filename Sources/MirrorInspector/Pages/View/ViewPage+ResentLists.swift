internal import LiveViewMirror
internal import MarkupDocument

/// The notices in the tab *Diff* about lists with entries that were sent although the page had them
/// already.
extension ViewPage {
  /// One notice for each list with such entries: a sentence about all entries that were sent, and a
  /// remedy.
  func resentLists(of record: ChangeRecord) -> [HTML] {
    let shifted = Dictionary(record.shiftedLists.lists.map { ($0.slot, $0) }) { first, _ in first }
    // One value without effect does not show that its whole entry was sent in vain.
    let lists = record.resentLists.filter { shifted[$0.slot] != nil || ($0.unchanged > 0 && record.waste.count > 1) }
    let cost = link("details") { $0.tab = .cost }
    let notices = lists.map { list -> HTML in
      let shift = shifted[list.slot]
      let remedy = shift.map { Advice.shifted(isPositional: $0.isPositional) }
      let help: HTML? = shift == nil ? nil : " \(HTML.meaning(of: "unkeyed-list"))"
      return """
        <p class="notice waste"><b class="mark" aria-hidden="true">!</b> \(sentence(about: list, shift, in: record)) \
        \(HTML.prose(remedy ?? Advice.unchanged(isPositional: list.isPositional))) <a href="\(cost)">Cost of all diffs</a>\(help)</p>

        """
    }
    let more = record.shiftedLists.more
    if more == 0 { return notices }
    let words = HTML.count(more, "more list")
    return notices + ["<p class=\"notice\">\(words) with entries that were sent again.</p>\n"]
  }

  /// `List in slot 1: 4 of 4 entries were sent, 3 that were on the page already at another position
  /// (333 B) and 1 with new values.`
  private func sentence(about list: ResentList, _ shift: ShiftedLists.List?, in record: ChangeRecord) -> HTML {
    let others = list.sent - list.unchanged - (shift?.entries ?? 0)
    let kinds: [HTML?] = [
      shift.map {
        """
        \(HTML.count($0.entries)) that \($0.entries == 1 ? "was" : "were") on the page already at another position \
        (\(HTML.count($0.bytes)) B)
        """
      },
      list.unchanged > 0 ? "\(HTML.count(list.unchanged)) without a change" : nil,
      others > 0 ? "\(HTML.count(others)) \(words(forChangesOf: list, in: record))" : nil,
    ]
    let named = kinds.compactMap { $0 }
    let last: HTML? = named.count > 1 ? named.last.map { " and \($0)" } : nil
    return """
      List in slot <code>\(list.name)</code>: \(HTML.count(list.sent)) of \(HTML.count(list.count, "entry")) \
      \(list.sent == 1 ? "was" : "were") sent, \(Array(named.prefix(max(1, named.count - 1))).joined(by: ", "))\(last).
      """
  }

  /// If entries without keys move, LiveView sends the changed values of each position.
  private func words(forChangesOf list: ResentList, in record: ChangeRecord) -> HTML {
    let prefix = list.slot.isEmpty ? "" : list.slot + "."
    let hasMoved = zip(record.changeSet.changes, record.slots).contains { change, slots in
      if case .move = change { slots.contains { $0.hasPrefix(prefix) } } else { false }
    }
    return list.isPositional && hasMoved ? "with other values, because entries moved" : "with new values"
  }
}
