import MarkupDocument
import MirrorSupport
import NodeObservation
import Testing

@testable import LiveViewMirror
import MirrorAnalysis

/// The states of an id in a `ViewDirectory`.
@Suite struct ViewDirectoryTests {
  private var directory = ViewDirectory(pages: PageTable(views: 10))
  private let budget = MemoryBudget(limit: 1 << 20)

  private static func removed(_ epoch: Int, because reason: RemovalReason? = .deleted) -> JournalRow {
    var row = JournalRow(lastEpoch: epoch)
    row.removal = reason
    return row
  }

  /// The row of a mounted view.
  private static func mounted() throws -> JournalRow {
    let view = LiveViewCoordinator(id: "a", options: UpdateOptions().withAnalyses)
    try view.mount(ViewLifetimeTests.page, dialect: .html)
    return view.lastRow
  }

  private mutating func restore(_ id: String, _ row: JournalRow, revision: Int = 1) {
    directory.restore(id, row, revision: revision, removedAt: 0, in: budget)
  }

  /// Whether another thread must wait for the view.
  private func isBusy(_ id: String) -> Bool {
    var directory = directory
    return directory.search(id) == nil
  }

  private func end(_ id: String) -> ViewEnd? { if case .ended(let end) = directory[id] { end } else { nil } }

  @Test mutating func `the last 10,000 ended ids are remembered`() {
    for number in 0...10_000 { restore("\(number)", Self.removed(number + 1), revision: number) }
    #expect(directory["0"] == nil)
    #expect(end("1") == ViewEnd(epoch: 2, revision: 1))
    #expect(end("10000") == ViewEnd(epoch: 10_001, revision: 10_000))
    #expect(directory.count == 0)
  }

  @Test mutating func `an eviction is remembered until a mount succeeds`() {
    restore("a", Self.removed(3, because: .evicted))
    restore("b", Self.removed(1, because: .expired))
    let view = LiveViewCoordinator(id: "a", options: UpdateOptions().withAnalyses)
    for _ in 0..<2 {
      directory.add(view)
      #expect(directory.eviction(of: "a")?.view == "a" && directory.count == 1)
      let forgets = [
        directory.forget(view, ViewEnd(epoch: 3, revision: 5)), directory.forget(view, ViewEnd()),
      ]
      #expect(forgets == [true, false])
      #expect(end("a").map { ($0.epoch, $0.revision, $0.eviction != nil) } ?? (0, 0, false) == (3, 5, true))
    }
    #expect(directory.evictions.map(\.view) == ["a"] && directory.count == 0)
    directory.add(view)
    directory.didMount(view)
    #expect(directory.evictions.isEmpty && directory.eviction(of: "a") == nil)
  }

  @Test mutating func `a removed view is leaving until its listener was notified, and then ended`() {
    let (view, other) = (
      LiveViewCoordinator(id: "a", options: UpdateOptions().withAnalyses),
      LiveViewCoordinator(id: "a", options: UpdateOptions().withAnalyses)
    )
    directory.add(view)
    let eviction = Eviction(view: "a", bound: .views, time: 7)
    let begins = [
      directory.beginRemoval(of: other, because: .deleted),
      directory.beginRemoval(of: view, because: .evicted, eviction: eviction),
    ]
    #expect(begins == [false, true])
    #expect(directory["a"]?.view == nil && directory.leaving.count == 1 && directory.count == 0)
    #expect(directory.eviction(of: "a") == eviction && directory.evictions == [eviction])
    directory.endRemoval(of: other, ViewEnd(epoch: 9), evicted: 0)
    directory.endRemoval(of: view, ViewEnd(epoch: 1, revision: 2), evicted: 0)
    #expect(end("a") == ViewEnd(epoch: 1, revision: 2, eviction: eviction))
    #expect(directory.leaving.isEmpty && directory.removals(because: .evicted) == 1)
  }

  @Test mutating func `a view is loaded by one thread, which finds what other mirrors have written meanwhile`() throws {
    let row = try Self.mounted()
    restore("a", row, revision: 3)
    let bytes = budget.bytes
    guard case .loads(let account) = directory.search("a") else {
      Issue.record("the view is not loaded")
      return
    }
    #expect(isBusy("a"))
    account.set(0)
    restore("a", row, revision: 4)
    #expect(directory.loading("a", by: account)?.revision == 4 && isBusy("a"))
    // The object counts the log while it is loaded.
    #expect((bytes > 0, budget.bytes) == (true, 0))
    directory.endLoading("a", by: account)
    #expect(directory.revision(ofUnloaded: "a") == 4 && budget.bytes == bytes)
  }

  @Test mutating func `a view that is removed while it is loaded is not listed`() throws {
    let row = try Self.mounted()
    restore("a", row)
    guard case .loads(let first) = directory.search("a") else {
      Issue.record("the view is not loaded")
      return
    }
    let end = directory.removeUnloaded("a", because: .deleted, eviction: nil)
    #expect(end?.revision == 2)
    restore("a", row, revision: 3)
    guard case .loads(let second) = directory.search("a") else {
      Issue.record("the view is not loaded again")
      return
    }
    // The first thread neither lists its object nor ends the loading of the second one.
    directory.endLoading("a", by: first)
    #expect(directory.loading("a", by: first) == nil && directory.loading("a", by: second)?.revision == 3)
    #expect(isBusy("a") && directory.count == 1)
  }

  @Test mutating func `a view that is removed while it is unloaded stays removed`() throws {
    let view = LiveViewCoordinator(id: "a", options: UpdateOptions().withAnalyses)
    directory.add(view)
    let begins = [directory.beginUnloading(view), directory.beginUnloading(view)]
    #expect(begins == [true, false] && directory["a"]?.view === view && isBusy("a"))
    let unloaded = UnloadedView(try Self.mounted(), revision: 1, account: MemoryAccount(in: budget))
    let ends = [
      directory.beginRemoval(of: view, because: .deleted), directory.endUnloading(view, as: unloaded),
    ]
    #expect(ends == [true, false])
    #expect(directory.leaving.count == 1 && directory.count == 0)
  }
}
