import Foundation
import LiveViewMirror
import MirrorSupport
import Synchronization

/// A database in memory that several mirrors share, each through a ``Store`` of its own.
final class SharedMemory: Sendable {
  private struct Kept: Sendable {
    var row: [UInt8] = []
    var revision = 0
    var snapshots: [StoredView.Snapshot] = []
    var entries: [StoredView.EncodedEntry] = []
    var change = 0
  }

  private struct Content: Sendable {
    var views: [String: Kept] = [:]
    var pages: [String: (row: [UInt8]?, change: Int)] = [:]
    var messages: [(sender: Int, bytes: [UInt8], change: Int)] = []
    var change = 0
    var stores = 0
    var conflicts = 0
    var refused: String?
  }

  private let content = Guarded(Content())

  /// The number of views that were not written because another mirror had changed them.
  var conflicts: Int { content.withLock { $0.conflicts } }

  /// The id of a view of which no change is written.
  var refused: String? {
    get { content.withLock { $0.refused } }
    set { content.withLock { $0.refused = newValue } }
  }

  /// A connection of one mirror.
  func store() -> Store {
    Store(
      self,
      number: content.withLock { content in
        content.stores += 1
        return content.stores
      })
  }

  final class Store: SharedJournalStore {
    private let memory: SharedMemory
    private let number: Int
    private let seen = Guarded(0)
    /// While it is true, writes wait, for a minute at most.
    let isBlocked = Guarded(false)
    /// Whether the mirror receives no news.
    let isDeaf = Guarded(false)
    /// Whether no row can be read, as if the server was gone.
    let isUnreadable = Guarded(false)

    fileprivate init(_ memory: SharedMemory, number: Int) { (self.memory, self.number) = (memory, number) }

    func write(_ group: JournalGroup) throws(JournalError) -> Set<String> {
      // A server answers as late. Meanwhile another mirror may change the same view, also on a
      // single core.
      usleep(200)
      _ = isBlocked.wait(until: .now + .seconds(60)) { !$0 }
      return memory.content.change { content in
        content.change += 1
        var outdated: Set<String> = []
        for (id, change) in group.views {
          var view = content.views[id] ?? Kept()
          guard id != content.refused, change.row == nil || view.revision == change.previous else {
            outdated.insert(id)
            continue
          }
          if change.isReplaced { (view.snapshots, view.entries) = ([], []) }
          if let row = change.row { (view.row, view.revision, view.change) = (row, change.revision, content.change) }
          for entry in change.entries {
            precondition(entry.number == (view.entries.last?.number ?? entry.number - 1) + 1)
            view.entries.append(StoredView.EncodedEntry(number: entry.number, bytes: entry.bytes))
          }
          view.snapshots += change.snapshots
          view.snapshots.removeAll { $0.number < change.unneeded }
          view.entries.removeAll { $0.number <= change.unneeded }
          content.views[id] = view
        }
        for (key, row) in group.pages { content.pages[key] = (row, content.change) }
        content.messages += group.messages.map { (number, $0, content.change) }
        content.conflicts += outdated.count
        return outdated
      }
    }

    func awaitNews(for time: Duration) {
      if isDeaf.current {
        _ = isDeaf.wait(until: .now + .milliseconds(10)) { !$0 }
        return
      }
      let last = seen.current
      _ = memory.content.wait(until: .now + time) { $0.change > last }
      let now = memory.content.withLock { $0.change }
      seen.withLock { $0 = now }
    }

    func news(
      after place: JournalPosition?, andPages pages: Set<String>
    ) throws(JournalError) -> JournalNews {
      if isDeaf.current { throw JournalError(.unavailable, "the test lets no news through") }
      let after = place.flatMap { Int($0.text) }
      return memory.content.withLock { content in
        var news = JournalNews(position: JournalPosition("\(content.change)"))
        news.views = content.views.filter { $0.value.change > after ?? -1 }.map {
          StoredRow(id: $0.key, bytes: $0.value.row, revision: $0.value.revision)
        }
        news.pages = content.pages.filter { id, page in
          pages.contains(id) || page.change > after ?? -1 && (after != nil || page.row != nil)
        }.map { ($0.key, $0.value.row) }
        if let after {
          news.messages = content.messages.filter { $0.change > after && $0.sender != number }.map {
            ($0.change, $0.bytes)
          }
        }
        return news
      }
    }

    func send(_ message: [UInt8]) throws(JournalError) {
      memory.content.change { content in
        content.change += 1
        content.messages.append((number, message, content.change))
      }
    }

    func otherMirrors() throws(JournalError) -> Int { memory.content.withLock { $0.stores - 1 } }
    func probe() throws(JournalError) {}
    func close() { memory.content.withLock { $0.stores -= 1 } }

    func views() throws(JournalError) -> [StoredRow] { try news(after: nil).views }

    func pages() throws(JournalError) -> [(id: String, row: [UInt8])] {
      try news(after: nil).pages.compactMap { id, row in row.map { (id, $0) } }
    }

    func row(of id: String) throws(JournalError) -> StoredRow? {
      if isUnreadable.current { throw JournalError(.unavailable, "the test lets no row be read") }
      return memory.content.withLock { content in
        content.views[id].map { StoredRow(id: id, bytes: $0.row, revision: $0.revision) }
      }
    }

    func view(_ id: String, after number: Int) throws(JournalError) -> StoredView? {
      memory.content.withLock { content in
        content.views[id].map {
          StoredView(
            row: $0.row, revision: $0.revision, snapshot: nil, entries: $0.entries.filter { $0.number > number })
        }
      }
    }

    func view(_ id: String) throws(JournalError) -> StoredView? {
      memory.content.withLock { content in
        content.views[id].map { view in
          let base = view.entries.first.map { $0.number - 1 } ?? view.snapshots.last?.number
          return StoredView(
            row: view.row, revision: view.revision, snapshot: view.snapshots.first { $0.number == base },
            entries: view.entries)
        }
      }
    }
  }
}
