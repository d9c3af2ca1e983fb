internal import LiveViewMirror

/// Why entries of a list were sent with the values that they had.
extension ViewPage {
  /// A paragraph for each list of the slots that a diff sent without effect.
  func resentLists(of record: ChangeRecord) -> HTML {
    let least: HTML? = record.waste.more > 0 ? "At least " : nil
    let paragraphs = ResentList.lists(in: record.waste).map { list -> HTML in
      """
      <p class="reach why">\(least)\(HTML.count(list.entries, "entry", "entries")) of the list in slot <code>\(list.name)</code> \
      had these values already. \(list.reason) <a href="\(link("details") { $0.tab = .waste })">Waste of all diffs</a></p>

      """
    }
    return "\(paragraphs)"
  }
}

/// Entries of one list that a diff sent without effect.
private struct ResentList {
  /// The slot of the list.
  let slot: String
  /// Whether the list is in the form of LiveView 1.0.
  let isPositional: Bool
  private(set) var entries = 1

  var name: String { ChangeRecord.name(ofSlot: slot) }

  /// See `ListRow.advice`, which knows all diffs of the list.
  var reason: HTML {
    isPositional
      ? "LiveView 1.0 sends all entries of a list: use a stream, or LiveView 1.1, which sends only those that changed."
      : "Read only the entry, and assigns that rarely change, in the comprehension, or use a stream."
  }

  /// The lists with at least two such entries.
  ///
  /// - Complexity: O(*bytes of the slots' names*).
  static func lists(in waste: ChangeRecord.Waste) -> [ResentList] {
    var (lists, last) = ([] as [ResentList], "")
    for slot in waste.slots {
      let steps = slot.split(separator: ".")
      guard
        let place = steps.indices.dropLast().first(where: {
          ["d", "k"].contains(steps[$0]) && Int(steps[$0 + 1]) != nil
        })
      else { continue }
      let list = steps[..<place].joined(separator: ".")
      let entry = steps[...(place + 1)].joined(separator: ".")
      if entry == last { continue }
      last = entry
      if let known = lists.firstIndex(where: { $0.slot == list }) {
        lists[known].entries += 1
      } else {
        lists.append(ResentList(slot: list, isPositional: steps[place] == "d"))
      }
    }
    return lists.filter { $0.entries > 1 }
  }
}
