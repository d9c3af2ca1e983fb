/// A subscriber of the signals of one key: the base class of all objects that a ``SubscriberTable``
/// calls.
///
/// An object that needs signals inherits from this class and is then its own entry in the table,
/// without a closure or a second object. ``ClosureReceiver`` is the subclass that calls a closure.
///
/// The lock of the subscriber table guards all mutable state. It is not held during a call.
class Receiver<Key: Hashable & Sendable, Signal: Sendable>: @unchecked Sendable {
  let key: Key
  /// The number of calls of ``receive(_:flags:)`` in progress on all threads.
  final var inFlight: Int32 = 0
  /// The number of calls that have begun, without the call with the last signal.
  final var calls: Int32 = 0
  final var flags: Flags

  typealias Flags = ReceiverFlags

  init(key: Key, flags: Flags = []) {
    self.key = key
    self.flags = flags
  }

  /// Handles a signal. Called outside of every lock, and on several threads at the same time if
  /// several threads send.
  ///
  /// - Parameters:
  ///   - signal: the signal.
  ///   - flags: the flags of the receiver when the call began.
  func receive(_ signal: Signal, flags: Flags) {}

  /// Releases what the receiver retains. Called once, outside of every lock, when no call is in
  /// progress and none will begin.
  func releaseCallback() {}
}

/// A receiver that calls a closure. The closure needs no lock, because it is released only when no
/// call is in progress and none will begin.
final class ClosureReceiver<Key: Hashable & Sendable, Signal: Sendable>: Receiver<Key, Signal>, @unchecked Sendable {
  private var call: (@Sendable (Signal) -> Void)?

  init(key: Key, flags: Flags = [], _ call: @escaping @Sendable (Signal) -> Void) {
    self.call = call
    super.init(key: key, flags: flags)
  }

  override func receive(_ signal: Signal, flags: Flags) { call?(signal) }

  override func releaseCallback() { call = nil }
}

/// The state of a ``Receiver``.
struct ReceiverFlags: OptionSet, Sendable {
  let rawValue: UInt16
  /// No further call begins: the receiver was cancelled, or the call with the last signal has
  /// begun.
  static let ended = Self(rawValue: 1)
  /// ``SubscriberTable/cancel(_:waits:)`` was called.
  static let cancelled = Self(rawValue: 2)
  /// A thread waits until no call is in progress.
  static let awaited = Self(rawValue: 4)
  /// ``Receiver/releaseCallback()`` was called, or is about to be.
  static let released = Self(rawValue: 8)
  /// Counted as a client; see ``SubscriberKind``.
  static let client = Self(rawValue: 16)
  /// The receiver represents a view that the mirror has already counted when it mounted a counter
  /// for the node. The receiver and the counter are counted as one subscriber.
  static let countedByMirror = Self(rawValue: 32)
  /// An observer that caches a look-up, observes children or has subscribers of
  /// ``Observer/changes``. A signal must then do more than notify the listener.
  static let hasExtras = Self(rawValue: 64)
  /// An observer that never subscribes.
  static let constant = Self(rawValue: 128)
  /// An observer whose node is not, or no longer, in the document.
  static let over = Self(rawValue: 256)
  /// Counted as a subscription; see ``SubscriberKind``.
  static let subscription = Self(rawValue: 512)
}

/// Several receivers of one key, in the order in which they subscribed. A key with one receiver
/// needs no such list: see ``SubscriberTable/Entry``.
///
/// A cancelled receiver is only marked as ended. Ended receivers are removed together when they are
/// more than half of the list, so cancelling very many receivers one by one takes linear time.
struct Receivers<Key: Hashable & Sendable, Signal: Sendable>: Sequence {
  private var entries: [Receiver<Key, Signal>]
  /// The number of entries that have ended.
  private var ended = 0

  init(_ first: Receiver<Key, Signal>, _ second: Receiver<Key, Signal>) { entries = [first, second] }

  /// The number of receivers that have not ended.
  var count: Int { entries.count - ended }

  mutating func append(_ receiver: Receiver<Key, Signal>) { entries.append(receiver) }

  /// Marks one of the receivers as ended.
  ///
  /// - Complexity: O(1) amortised.
  mutating func end(_ receiver: Receiver<Key, Signal>) {
    receiver.flags.insert(.ended)
    ended += 1
    guard ended * 2 > entries.count else { return }
    entries.removeAll { $0.flags.contains(.ended) }
    ended = 0
  }

  func makeIterator() -> some IteratorProtocol<Receiver<Key, Signal>> {
    entries.lazy.filter { !$0.flags.contains(.ended) }.makeIterator()
  }
}
