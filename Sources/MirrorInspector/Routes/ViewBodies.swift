internal import LiveViewMirror
internal import MicroHTTP
internal import NodeObservation
internal import Synchronization

/// The last bodies that were made of each view: the tree, the markup and the merged tree of one version are made once for
/// all readers.
///
/// A reader who comes while a body is made waits for it. A body is dropped with the next version of its view, and the
/// least recently used ones where all take more than ``limit``.
final class ViewBodies: Sendable {
  enum Kind: Hashable, Sendable { case tree, markup, rendered, renderedMarkup }

  /// What a body was made of.
  struct Stamp: Hashable, Sendable {
    var epoch: Int
    var version: Int
    /// That of the subscribers, for bodies that show them.
    var generation = 0
  }

  private struct Key: Hashable {
    var view: String
    var kind: Kind
  }

  /// One body: locked while it is made.
  private final class Slot: Sendable {
    let made = Guarded<(stamp: Stamp, response: HTTPResponse)?>(nil)
  }

  private struct State {
    var slots: [Key: (slot: Slot, bytes: Int, used: UInt64)] = [:]
    var bytes = 0
    var clock: UInt64 = 0
  }

  /// Bytes of all bodies.
  let limit: Int
  private let state = Guarded(State())
  /// How many bodies there are, to be read without the lock.
  private let count = Atomic<Int>(0)

  init(limit: Int = 32 << 20) { self.limit = limit }

  /// Bytes that are kept.
  var bytes: Int { state.withLock { $0.bytes } }

  /// The body of a view, made if it is not there.
  func response(
    of view: String, _ kind: Kind, _ stamp: Stamp, _ make: () throws -> HTTPResponse
  ) throws -> HTTPResponse {
    let key = Key(view: view, kind: kind)
    let slot = state.withLock { state in
      let slot = state.slots[key]?.slot ?? Slot()
      state.clock += 1
      state.slots[key] = (slot, state.slots[key]?.bytes ?? 0, state.clock)
      count.store(state.slots.count, ordering: .relaxed)
      return slot
    }
    let response = try slot.made.withLock { made in
      if let made, made.stamp == stamp { return made.response }
      made = nil
      let response = try make()
      made = (stamp, response)
      return response
    }
    note(key, slot, response.bytes.count)
    return response
  }

  /// A view changed: bodies of its last version are of no more use.
  func drop(_ view: String) {
    if count.load(ordering: .relaxed) == 0 { return }
    state.withLock { state in
      for kind in [Kind.tree, .markup, .rendered, .renderedMarkup] { remove(Key(view: view, kind: kind), &state) }
    }
  }

  /// Drops the bodies of all views, before an update that takes much memory. Answers that are on their way keep theirs.
  func dropAll() {
    if count.load(ordering: .relaxed) == 0 { return }
    state.withLock { state in
      state.slots = [:]
      state.bytes = 0
      count.store(0, ordering: .relaxed)
    }
  }

  private func note(_ key: Key, _ slot: Slot, _ bytes: Int) {
    state.withLock { state in
      guard let known = state.slots[key], known.slot === slot else { return }
      state.bytes += bytes - known.bytes
      state.slots[key]?.bytes = bytes
      while state.bytes > limit, let oldest = state.slots.min(by: { $0.value.used < $1.value.used })?.key {
        remove(oldest, &state)
      }
    }
  }

  private func remove(_ key: Key, _ state: inout State) {
    guard let known = state.slots.removeValue(forKey: key) else { return }
    state.bytes -= known.bytes
    count.store(state.slots.count, ordering: .relaxed)
  }
}
