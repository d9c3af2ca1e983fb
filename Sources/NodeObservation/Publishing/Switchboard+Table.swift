/// The table of a switchboard: who listens, and how many of them are more than what is mounted beside it.
extension Switchboard.State {
  /// - Complexity: O(1).
  mutating func subscribe(_ receiver: Switchboard.Receiver) {
    if !receiver.flags.contains(.standsIn) { besides += 1 }
    generation &+= 1
    switch lines.updateValue(.one(receiver), forKey: receiver.key) {
    case nil: break
    case .one(let first): lines[receiver.key] = .many(Receivers(first, receiver))
    case .many(var receivers):
      receivers.append(receiver)
      lines[receiver.key] = .many(receivers)
    }
  }

  /// Takes out a receiver that has not ended.
  ///
  /// - Complexity: O(1) amortised.
  mutating func remove(_ receiver: Switchboard.Receiver) {
    generation &+= 1
    switch lines[receiver.key] {
    case nil: return
    case .one(let only):
      guard only === receiver else { return }
      lines[receiver.key] = nil
    case .many(var receivers):
      // Taken out, so that the list is not copied.
      lines[receiver.key] = nil
      receivers.end(receiver)
      let only = receivers.count == 1 ? receivers.first { _ in true } : nil
      lines[receiver.key] = only.map(Switchboard.Line.one) ?? .many(receivers)
    }
    if !receiver.flags.contains(.standsIn) { besides -= 1 }
  }

  /// Everybody who listens to one key, who then does not any more.
  ///
  /// - Complexity: O(*receivers of the key*).
  mutating func takeLine(of key: Key) -> Switchboard.Line? {
    guard let line = lines.removeValue(forKey: key) else { return nil }
    generation &+= 1
    besides -= line.besides
    return line
  }
}

extension Switchboard.Line {
  var count: Int {
    switch self {
    case .one: 1
    case .many(let receivers): receivers.count
    }
  }

  /// How many stand in for nothing else.
  var besides: Int {
    var count = 0
    forEach { if !$0.flags.contains(.standsIn) { count += 1 } }
    return count
  }

  func forEach(_ body: (Switchboard.Receiver) -> Void) {
    switch self {
    case .one(let receiver): body(receiver)
    case .many(let receivers): for receiver in receivers { body(receiver) }
    }
  }
}
