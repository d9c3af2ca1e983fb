extension JournalGroup {
  /// What the items write, in their order.
  ///
  /// - Complexity: O(*bytes of the entries*).
  init(_ items: [Journal.Item]) {
    self.init()
    // Only the last row of a view is written, so only that is encoded.
    var rows: [String: JournalRow] = [:]
    for item in items {
      switch item.content {
      case .view(let view, let entry, let row):
        if let entry { views[view.id, default: View()].entries.append(NumberedEntry(entry)) }
        rows[view.id] = row
      case .snapshot(let view, let snapshot): views[view.id, default: View()].snapshots.append(snapshot)
      case .removal(let id, let row):
        views[id] = View()
        views[id]?.isReplaced = true
        rows[id] = row
      case .page(let key, let row): pages[key.text] = .some(row)
      }
    }
    for (id, row) in rows {
      views[id, default: View()].row = row.encoded
      views[id]?.unneeded = row.base
    }
  }
}

extension JournalGroup.NumberedEntry {
  fileprivate init(_ entry: JournalEntry) {
    self.init(
      number: entry.number, epoch: entry.epoch, version: entry.version, kind: entry.kind, bytes: entry.encoded)
  }
}
