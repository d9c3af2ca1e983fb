/// Several receivers of one key, in the order in which they subscribed.
///
/// A receiver that leaves is marked as ended and stays in the list until half of the list has ended: so that very many can
/// leave one after the other.
struct Receivers<Key: Hashable & Sendable, Signal: Sendable>: Sequence {
  private var entries: [Receiver<Key, Signal>]
  /// How many of the entries have ended.
  private var ended = 0

  init(_ first: Receiver<Key, Signal>, _ second: Receiver<Key, Signal>) { entries = [first, second] }

  /// How many there are, without those that have ended.
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
