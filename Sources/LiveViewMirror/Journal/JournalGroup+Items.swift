extension JournalGroup {
  /// Combines the items that wait into one transaction. Must be called only once for the same
  /// items, because the call changes their views: each view notes which of its entries the group
  /// deletes (``ViewJournal/noteUnneeded(_:)``). Only the journal's thread calls it.
  ///
  /// - Complexity: O(*bytes of the entries*).
  init(_ items: [Journal.Item]) {
    self.init()
    // Only the last row of a view is written, so only that is encoded.
    var rows: [String: (row: JournalRow, view: ViewJournal?)] = [:]
    for item in items {
      switch item.content {
      case .view(let view, let entry, let row, let revision):
        views[view.id, default: View()].advance(to: revision)
        if let entry { views[view.id]?.entries.append(IndexedEntry(entry)) }
        rows[view.id] = (row, view)
      case .snapshot(let view, let snapshot): views[view.id, default: View()].snapshots.append(snapshot)
      case .removal(let id, let row, let revision):
        views[id] = View(replacing: views[id])
        views[id]?.advance(to: revision)
        rows[id] = (row, nil)
      case .page(let key, let row): pages[key.text] = .some(row)
      case .message(let message): messages.append(message.encoded)
      }
    }
    for (id, (row, view)) in rows {
      views[id]?.row = row.encoded
      if view?.noteUnneeded(row.base) == true { views[id]?.unneeded = row.base }
    }
  }
}

extension JournalGroup.View {
  /// The removal of a view. It replaces the earlier changes of the view in the same group.
  fileprivate init(replacing changes: Self?) {
    self.init()
    (previous, revision) = (changes?.previous ?? 0, changes?.revision ?? 0)
    isReplaced = true
  }

  /// Notes the revision after a change. Revisions begin at 1, so 0 means that no change was noted.
  fileprivate mutating func advance(to next: Int) {
    if revision == 0 { previous = next - 1 }
    revision = next
  }
}

extension JournalGroup.IndexedEntry {
  fileprivate init(_ entry: JournalEntry) {
    self.init(
      number: entry.number, epoch: entry.epoch, version: entry.version, kind: entry.kind, bytes: entry.encoded)
  }
}
