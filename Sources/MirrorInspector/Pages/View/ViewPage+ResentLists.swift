internal import LiveViewMirror

/// Why whole entries of a list were sent with the values that they had.
extension ViewPage {
  /// A paragraph for each list with such entries.
  func resentLists(of record: ChangeRecord) -> HTML? {
    if record.waste.count < 2 { return nil }
    let paragraphs = record.resentLists.map { list -> HTML in
      """
      <p class="reach why">\(HTML.count(list.entries, "entry")) of the list in slot \
      <code>\(list.name)</code> \(list.entries == 1 ? "was" : "were") sent without a change. \(list.reason) \
      <a href="\(link("details") { $0.tab = .waste })">Waste of all diffs</a></p>

      """
    }
    return "\(paragraphs)"
  }
}

extension ResentList {
  /// See `ListRow.advice`, which knows all diffs of the list.
  fileprivate var reason: HTML {
    isPositional
      ? "LiveView 1.0 sends all entries of a list: use a stream, or LiveView 1.1, which sends only those that changed."
      : "Read only the entry, and assigns that rarely change, in the comprehension, or use a stream."
  }
}
