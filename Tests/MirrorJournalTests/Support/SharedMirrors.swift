import LiveViewMirror
import MicroHTTP
import MirrorSupport
import PostgresFixture
import Testing

/// A journal that several mirrors share.
enum SharedKind: CaseIterable {
  case memory, postgres

  static var allCases: [SharedKind] { PostgresServer.isLeftOut ? [.memory] : [.memory, .postgres] }
}

/// Three mirrors with one journal.
final class SharedMirrors: @unchecked Sendable {
  static let counter = #"{"0":"0","s":["<p>Count: ","</p>"]}"#

  let all: [JournaledMirror]
  private let memory: SharedMemory?
  private let place: JournalPlace?
  /// Of mirrors with a journal in memory.
  private let stores: [SharedMemory.Store]

  init(_ kind: SharedKind) throws {
    let memory = kind == .memory ? SharedMemory() : nil
    let place = kind == .memory ? nil : try JournalPlace(.postgres)
    let stores = memory.map { memory in (0..<3).map { _ in memory.store() } } ?? []
    all = try (0..<3).map { number in
      try JournaledMirror(stores.isEmpty ? place?.open() : stores[number])
    }
    self.stores = stores
    (self.memory, self.place) = (memory, place)
  }

  deinit {
    for mirror in all { mirror.stop() }
  }

  subscript(number: Int) -> JournaledMirror { all[number % all.count] }

  /// The number of views that were not written because another mirror had changed them; `nil` if
  /// the journal does not count them.
  var conflicts: Int? { memory?.conflicts }

  /// - Parameter view: from now on, each change of this view fails, as if another mirror had
  ///   changed it first; `nil` for none.
  func refuse(_ view: String?) { memory?.refused = view }

  /// Lets a mirror with a journal in memory receive no news, or lets it continue.
  func setDeaf(_ isDeaf: Bool, _ number: Int) { stores[number].isDeaf.change { $0 = isDeaf } }

  /// Lets a mirror with a journal in memory read no rows, or lets it continue.
  func setUnreadable(_ isUnreadable: Bool, _ number: Int) { stores[number].isUnreadable.change { $0 = isUnreadable } }

  /// Checks that all mirrors show the same, byte for byte.
  func agree(_ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation) throws {
    let first = try all[0].everything()
    for mirror in all.dropFirst() {
      let difference = difference(first, try mirror.everything())
      #expect(difference == nil, "\(comment)", sourceLocation: sourceLocation)
    }
  }
}

/// Runs a closure in several threads, and waits for their ends. `concurrentPerform` would run one
/// after the other on a single core.
func inThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let threads = (0..<count).compactMap { number in WorkerThread { body(number) } }
  #expect(threads.count == count, "the system allows no further thread")
  for thread in threads { thread.join() }
}
