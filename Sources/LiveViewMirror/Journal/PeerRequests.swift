internal import MirrorSupport

/// The requests of this mirror that its peers have not answered yet, and the handlers for requests
/// of peers. Peers are the other mirrors that share the journal.
///
/// ``LiveViews`` has one. A thread that sends a request waits in `responses(from:within:until:_:)`,
/// while the follower's thread stores the responses. A handler runs without the lock.
final class PeerRequests: Sendable {
  /// The number of a request. It is random, and at least 1, so that requests of different mirrors
  /// have different numbers.
  typealias Number = UInt64

  private struct State: Sendable {
    /// The responses to each waiting request, by the numbers of the mirrors that have responded.
    var responses: [Number: [UInt64: String]] = [:]
    /// The numbers of the last requests of peers, so that a request is handled only once. The store
    /// may deliver a request twice if a connection breaks during the delivery.
    var received = RecentValues<Bool>()
    /// The handlers by topic.
    var handlers: [String: @Sendable (String) -> String?] = [:]
  }

  private let state = Guarded(State())
  /// A random number that identifies this mirror in its responses.
  let mirror = UInt64.random(in: .min ... .max)

  func setHandler(for topic: String, _ handler: @escaping @Sendable (String) -> String?) {
    state.withLock { $0.handlers[topic] = handler }
  }

  /// The response to a peer's request; `nil` if the topic has no handler, or the request was
  /// received before.
  func response(to number: Number, _ topic: String, _ body: String) -> String? {
    let handler = state.withLock { state -> (@Sendable (String) -> String?)? in
      if state.received["\(number)"] != nil { return nil }
      state.received.remember(true, of: "\(number)")
      return state.handlers[topic]
    }
    return handler.flatMap { $0(body) }
  }

  /// Handles a notice of a peer, which needs no response.
  func receive(notice body: String, _ topic: String) {
    _ = state.withLock { $0.handlers[topic] }?(body)
  }

  func receive(response: String, to number: Number, from mirror: UInt64) {
    state.change { $0.responses[number]?[mirror] = response }
  }

  /// Sends a request and waits for the responses.
  ///
  /// - Parameters:
  ///   - mirrors: the number of peers. The wait ends when all of them have responded.
  ///   - isLast: whether a response suffices. The wait then ends without the other responses.
  ///   - send: sends the request with its number.
  func responses(
    from mirrors: Int, within time: Duration, until isLast: (String) -> Bool, _ send: (Number) -> Void
  ) -> [String] {
    let number = Number.random(in: 1 ... .max)
    state.withLock { $0.responses[number] = [:] }
    send(number)
    _ = state.wait(until: .now + time) { state in
      let responses = state.responses[number] ?? [:]
      return responses.count >= mirrors || responses.values.contains(where: isLast)
    }
    return state.withLock { $0.responses.removeValue(forKey: number) }.map { Array($0.values) } ?? []
  }
}
