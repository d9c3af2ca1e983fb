import LiveViewMirror
import MirrorSupport

/// A store whose writes and reads can be delayed.
final class SlowStore: JournalStore {
  private let store: any JournalStore
  /// While it is true, writes wait, for a minute at most.
  let isBlocked = Guarded(false)
  private let pause = Guarded<(@Sendable () -> Void)?>(nil)

  init(_ store: any JournalStore) { self.store = store }

  /// - Parameter pause: runs between reading a view and returning it.
  func whenReading(_ pause: @escaping @Sendable () -> Void) { self.pause.change { $0 = pause } }

  func write(_ group: JournalGroup) throws(JournalError) -> Set<String> {
    _ = isBlocked.wait(until: .now + .seconds(60)) { !$0 }
    return try store.write(group)
  }

  func probe() throws(JournalError) { try store.probe() }
  func views() throws(JournalError) -> [StoredRow] { try store.views() }
  func view(_ id: String) throws(JournalError) -> StoredView? {
    let view = try store.view(id)
    pause.current?()
    return view
  }
  func view(_ id: String, after number: Int) throws(JournalError) -> StoredView? { try store.view(id, after: number) }
  func row(of id: String) throws(JournalError) -> StoredRow? { try store.row(of: id) }
  func pages() throws(JournalError) -> [(id: String, row: [UInt8])] { try store.pages() }
  func close() { store.close() }
}
