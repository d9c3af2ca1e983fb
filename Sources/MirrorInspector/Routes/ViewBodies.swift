internal import LiveViewMirror
internal import MicroHTTP
internal import MirrorSupport
internal import NodeObservation
internal import Synchronization

/// A cache of the current response bodies of each view: the tree, the markup and the merged tree of
/// the newest version in the current epoch are written once for all readers.
///
/// A reader that requests a body while it is being written waits for it. A body is evicted when its
/// view has a new version. If all bodies together exceed ``limit``, the least recently used ones
/// are evicted.
///
/// ``NodeRoutes`` and ``ViewRoutes`` read from it, and ``EventHub`` evicts. A body is written under
/// the lock of its slot, never under the lock of the whole cache.
final class ViewBodies: Sendable {
  enum Kind: Hashable, Sendable { case tree, markup, rendered, renderedMarkup }

  /// The state from which a body was written.
  struct Stamp: Hashable, Sendable {
    var epoch: Int
    var version: Int
    /// The generation of the view's subscribers, for bodies that list subscribers.
    var generation = 0
  }

  private struct Key: Hashable {
    var view: String
    var kind: Kind
  }

  /// One body. The lock of ``made`` is held while the body is written.
  private final class Slot: Sendable {
    let made = Guarded<(stamp: Stamp, response: HTTPResponse)?>(nil)
  }

  private struct State {
    var slots: [Key: (slot: Slot, bytes: Int, used: UInt64)] = [:]
    var bytes = 0
    var clock: UInt64 = 0
  }

  /// The maximum size of all bodies together, in bytes.
  let limit: Int
  private let state = Guarded(State())
  /// The number of bodies, readable without the lock.
  private let count = Atomic<Int>(0)

  init(limit: Int = 32 << 20) { self.limit = limit }

  /// The current size of all bodies together, in bytes.
  var bytes: Int { state.withLock { $0.bytes } }

  /// The body of a view, written if it is not cached.
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
    return try slot.made.withLock { made in
      if let made, made.stamp == stamp { return made.response }
      made = nil
      defer { note(key, slot, made?.response.bytes.count ?? 0) }
      let response = try make()
      made = (stamp, response)
      return response
    }
  }

  /// Evicts the bodies of a view, because it has a new version.
  func drop(_ view: String) {
    if count.load(ordering: .relaxed) == 0 { return }
    state.withLock { state in
      for kind in [Kind.tree, .markup, .rendered, .renderedMarkup] { remove(Key(view: view, kind: kind), &state) }
    }
  }

  /// Evicts the bodies of all views, before an import or an update that takes much memory.
  /// Responses that are being sent keep their bodies.
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
