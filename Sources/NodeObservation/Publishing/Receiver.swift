/// Who is called with the signals of one key, until it is cancelled: the base of everything that a ``Switchboard`` calls.
///
/// An object that has something to do anyway inherits from this, so that it is its own entry in the table; a closure is
/// one subclass of many.
///
/// Everything but the call is guarded by the lock of the switchboard.
class Receiver<Key: Hashable & Sendable, Signal: Sendable>: @unchecked Sendable {
  let key: Key
  /// How many calls have begun and not returned, on any thread.
  final var inFlight: Int32 = 0
  /// How many calls have begun, that with the last signal not among them.
  final var calls: Int32 = 0
  final var flags: Flags

  typealias Flags = ReceiverFlags

  init(key: Key, flags: Flags = []) {
    self.key = key
    self.flags = flags
  }

  /// Called outside of every lock, and by several threads at once where several send.
  ///
  /// - Parameter flags: those that it had when the call began.
  func receive(_ signal: Signal, flags: Flags) {}

  /// Called once, outside of every lock, when no call is in flight and none comes: the place to let go of what is held.
  func letGo() {}
}

/// A closure that is called.
final class ClosureReceiver<Key: Hashable & Sendable, Signal: Sendable>: Receiver<Key, Signal>, @unchecked Sendable {
  private var call: (@Sendable (Signal) -> Void)?

  init(key: Key, flags: Flags = [], _ call: @escaping @Sendable (Signal) -> Void) {
    self.call = call
    super.init(key: key, flags: flags)
  }

  override func receive(_ signal: Signal, flags: Flags) { call?(signal) }

  override func letGo() { call = nil }
}

/// What is known of a ``Receiver``.
struct ReceiverFlags: OptionSet, Sendable {
  let rawValue: UInt16
  /// No further call begins: it was cancelled, or the call with the last signal has begun.
  static let ended = Self(rawValue: 1)
  /// `cancel` was called.
  static let cancelled = Self(rawValue: 2)
  /// Somebody waits until no call is in flight.
  static let awaited = Self(rawValue: 4)
  static let letGo = Self(rawValue: 8)
  /// Counted as a client; see ``SubscriberKind``.
  static let client = Self(rawValue: 16)
  /// Counted together with the counter that is mounted for the same node.
  static let standsIn = Self(rawValue: 32)
  /// An observer that has more to do than to say so: something was looked up, or others listen through it.
  static let keepsMore = Self(rawValue: 64)
  /// An observer that is never told.
  static let constant = Self(rawValue: 128)
  /// An observer whose node is gone.
  static let over = Self(rawValue: 256)
  /// Counted as a subscription; see ``SubscriberKind``.
  static let subscription = Self(rawValue: 512)
}
