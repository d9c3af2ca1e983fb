internal import LiveViewMirror

/// Why whole entries of a list were sent with the values that they had.
extension ViewPage {
  /// A paragraph for each list with such entries.
  func resentLists(of record: ChangeRecord) -> HTML? {
    if record.waste.count < 2 { return nil }
    let paragraphs = record.resentLists.map { list -> HTML in
      """
      <p class="reach why">\(HTML.count(list.entries, "entry")) of the list in slot \
      <code>\(list.name)</code> \(list.entries == 1 ? "was" : "were") sent without a change. \
      \(HTML.prose(Advice.unchanged(isPositional: list.isPositional))) \
      <a href="\(link("details") { $0.tab = .cost })">Cost of all diffs</a></p>

      """
    }
    return "\(paragraphs)"
  }
}
