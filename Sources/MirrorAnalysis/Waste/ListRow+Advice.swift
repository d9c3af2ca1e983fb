extension ListRow {
  /// One sentence for the developer of the app; `nil` if there is nothing to improve.
  ///
  /// LiveView ≥ 1.1 tracks the changes of each entry, which it identifies by `:key` or else by its index (phoenix_live_view #3865):
  /// without a key, an insertion sends all entries after it (#4020). LiveView 1.0 sends all entries in every diff. A value that is
  /// evaluated again is sent, even if it is equal to the previous one.
  var advice: String? {
    if recreated > 0 {
      return
        "Elements with the same id were removed and added in one diff: keep their tag and their parent, so that they move."
    }
    switch kind {
    case .byIndex:
      return
        "Add :key to the comprehension, such as :key={item.id}: without it, an insertion sends every entry after it."
    case .positional:
      return diffs > 0 && entries > 1
        ? "Use a stream, or LiveView 1.1, which sends only the entries that changed: LiveView 1.0 sends all of them."
        : nil
    case .keyed, .undecided:
      if unchanged > 0 {
        return """
          Entries were sent with the values that they had: read only the entry and assigns that rarely change in the \
          comprehension, or use a stream.
          """
      }
      return resent > 1
        ? "All entries were sent \(resent) times: use a stream, and insert only the entries that change." : nil
    case .stream: return nil
    }
  }
}
