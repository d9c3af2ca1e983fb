/// Adds and removes the receivers of the table. These methods also update `besides`, `audience` and
/// `generation`. ``SubscriberTable`` calls them under its lock.
extension SubscriberTable.State {
  /// Adds a receiver to the end of its key's entry.
  ///
  /// - Complexity: O(1).
  mutating func subscribe(_ receiver: SubscriberTable.Receiver) {
    count(receiver, 1)
    generation &+= 1
    switch entries.updateValue(.one(receiver), forKey: receiver.key) {
    case nil: break
    case .one(let first): entries[receiver.key] = .many(Receivers(first, receiver))
    case .many(var receivers):
      receivers.append(receiver)
      entries[receiver.key] = .many(receivers)
    }
  }

  /// Removes a receiver that has not ended.
  ///
  /// - Complexity: O(1) amortised.
  mutating func remove(_ receiver: SubscriberTable.Receiver) {
    generation &+= 1
    switch entries[receiver.key] {
    case nil: return
    case .one(let only):
      guard only === receiver else { return }
      entries[receiver.key] = nil
    case .many(var receivers):
      // The table gives up its reference to the list, so that `end` changes the list in place and
      // does not copy it.
      entries[receiver.key] = nil
      receivers.end(receiver)
      let only = receivers.count == 1 ? receivers.first { _ in true } : nil
      entries[receiver.key] = only.map(SubscriberTable.Entry.one) ?? .many(receivers)
    }
    count(receiver, -1)
  }

  /// Removes and returns all receivers of a key.
  ///
  /// - Complexity: O(*receivers of the key*).
  mutating func takeEntry(of key: Key) -> SubscriberTable.Entry? {
    guard let entry = entries.removeValue(forKey: key) else { return nil }
    generation &+= 1
    entry.forEach { count($0, -1) }
    return entry
  }

  /// Adds `change` to each of the two counts that includes the receiver, which depends on its
  /// flags.
  private mutating func count(_ receiver: SubscriberTable.Receiver, _ change: Int) {
    if receiver.flags.contains(.countedByMirror) { return }
    besides += change
    if !receiver.flags.isDisjoint(with: [.client, .subscription]) { audience += change }
  }
}

extension SubscriberTable.Entry {
  var count: Int {
    switch self {
    case .one: 1
    case .many(let receivers): receivers.count
    }
  }

  func forEach(_ body: (SubscriberTable.Receiver) -> Void) {
    switch self {
    case .one(let receiver): body(receiver)
    case .many(let receivers): for receiver in receivers { body(receiver) }
    }
  }
}
