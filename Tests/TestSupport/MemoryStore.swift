package import LiveViewMirror
internal import MirrorSupport

/// A ``JournalStore`` that ends with the process.
package final class MemoryStore: JournalStore {
  private struct Content: Sendable {
    var views: [String: Kept] = [:]
    var pages: [String: [UInt8]] = [:]
    var failure: JournalError?
    var readFailure: JournalError?
    var writes = 0
  }

  private struct Kept: Sendable {
    var row: [UInt8] = []
    var snapshots: [StoredView.Snapshot] = []
    var entries: [StoredView.EncodedEntry] = []

    mutating func apply(_ change: JournalGroup.View) {
      if change.isReplaced { self = Kept() }
      row = change.row ?? row
      snapshots += change.snapshots
      entries += change.entries.map { StoredView.EncodedEntry(number: $0.number, bytes: $0.bytes) }
      snapshots.removeAll { $0.number < change.unneeded }
      entries.removeAll { $0.number <= change.unneeded }
    }

    func view(after number: Int) -> StoredView {
      StoredView(row: row, snapshot: nil, entries: entries.filter { $0.number > number })
    }

    var view: StoredView {
      // Without entries, the view was just restored from its last snapshot and has only rows since.
      let base = entries.first.map { $0.number - 1 } ?? snapshots.last?.number
      return StoredView(row: row, snapshot: snapshots.first { $0.number == base }, entries: entries)
    }
  }

  private let content = Guarded(Content())

  package init() {}

  /// If set, every write fails with it.
  package var failure: JournalError? {
    get { content.withLock { $0.failure } }
    set { content.withLock { $0.failure = newValue } }
  }

  /// If set, every read fails with it, as if the server of a database was gone.
  package var readFailure: JournalError? {
    get { content.withLock { $0.readFailure } }
    set { content.withLock { $0.readFailure = newValue } }
  }

  /// The number of groups that were written.
  package var writes: Int { content.withLock { $0.writes } }

  package func write(_ group: JournalGroup) throws(JournalError) -> Set<String> {
    try content.withLock { content throws(JournalError) in
      if let failure = content.failure { throw failure }
      content.writes += 1
      for (id, change) in group.views { content.views[id, default: Kept()].apply(change) }
      for (id, row) in group.pages { content.pages[id] = row }
      return []
    }
  }

  package func probe() throws(JournalError) { if let failure { throw failure } }

  package func views() throws(JournalError) -> [StoredRow] {
    try reading { $0.views.map { StoredRow(id: $0.key, bytes: $0.value.row) } }
  }

  package func row(of id: String) throws(JournalError) -> StoredRow? {
    try reading { $0.views[id].map { StoredRow(id: id, bytes: $0.row) } }
  }

  package func view(_ id: String) throws(JournalError) -> StoredView? { try reading { $0.views[id]?.view } }

  package func view(_ id: String, after number: Int) throws(JournalError) -> StoredView? {
    try reading { $0.views[id]?.view(after: number) }
  }

  package func pages() throws(JournalError) -> [(id: String, row: [UInt8])] {
    try reading { $0.pages.map { ($0.key, $0.value) } }
  }

  private func reading<Value>(_ body: (Content) -> Value) throws(JournalError) -> Value {
    try content.withLock { content throws(JournalError) in
      if let failure = content.readFailure { throw failure }
      return body(content)
    }
  }

  package func close() {}
}
