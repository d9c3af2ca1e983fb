internal import MirrorAnalysis
internal import LiveViewMirror

/// Why whole entries of a list were sent with the values that they had.
extension ViewPage {
  /// A paragraph for each list with such entries.
  func resentLists(in explanation: DiffExplanation, of record: ChangeRecord) -> HTML? {
    if record.waste.count < 2 { return nil }
    let paragraphs = ResentList.lists(in: explanation).map { list -> HTML in
      """
      <p class="reach why">\(list.isCut ? "At least " as HTML : nil)\(HTML.count(list.entries, "entry")) of the list in slot \
      <code>\(list.name)</code> \(list.entries == 1 ? "was" : "were") sent without a change. \(list.reason) \
      <a href="\(link("details") { $0.tab = .waste })">Waste of all diffs</a></p>

      """
    }
    return "\(paragraphs)"
  }
}

/// A list of which a diff sent entries without effect.
private struct ResentList {
  /// The slot of the list.
  let slot: String
  /// Whether the list is in the form of LiveView 1.0.
  let isPositional: Bool
  /// The number of entries of which each value was sent without effect.
  let entries: Int
  /// Whether the explanation leaves out entries.
  let isCut: Bool

  var name: String { ChangeRecord.name(ofSlot: slot) }

  /// See `ListRow.advice`, which knows all diffs of the list.
  var reason: HTML {
    isPositional
      ? "LiveView 1.0 sends all entries of a list: use a stream, or LiveView 1.1, which sends only those that changed."
      : "Read only the entry, and assigns that rarely change, in the comprehension, or use a stream."
  }

  /// - Complexity: O(*parts*).
  static func lists(in explanation: DiffExplanation) -> [ResentList] {
    var (lists, work) = ([] as [ResentList], [explanation.root])
    while let part = work.popLast() {
      work += part.children.reversed()
      let count = part.children.count { $0.kind == .entry && $0.isWaste }
      guard count > 0 else { continue }
      // The path ends with the key of the entries.
      var steps = part.path.split(separator: ".", omittingEmptySubsequences: false)
      let key = steps.popLast()
      lists.append(
        ResentList(slot: steps.joined(separator: "."), isPositional: key == "d", entries: count, isCut: part.more > 0))
    }
    return lists
  }
}
