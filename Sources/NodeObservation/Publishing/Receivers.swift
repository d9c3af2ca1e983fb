/// Several receivers of one key, in the order in which they subscribed.
///
/// A cancelled receiver is only marked as ended. Ended receivers are removed together when they are more than half of the list,
/// so cancelling very many receivers one by one takes linear time.
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
