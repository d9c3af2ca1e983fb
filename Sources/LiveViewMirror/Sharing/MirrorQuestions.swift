internal import MirrorSupport

/// The questions of this mirror that others have not answered, and the handlers for the questions of others.
final class MirrorQuestions: Sendable {
  /// Chosen at random, so that those of different mirrors differ.
  typealias Number = UInt64

  private struct State: Sendable {
    /// By the number of the mirror that answers.
    var answers: [Number: [UInt64: String]] = [:]
    /// The last questions of other mirrors. The store may deliver a question twice, if a connection breaks while it is sent.
    var asked = RecentValues<Bool>()
    var answering: [String: @Sendable (String) -> String?] = [:]
  }

  private let state = Guarded(State())
  /// A number of this mirror.
  let mirror = UInt64.random(in: .min ... .max)

  func answer(_ topic: String, _ body: @escaping @Sendable (String) -> String?) {
    state.withLock { $0.answering[topic] = body }
  }

  /// The answer to a question of another mirror; `nil` if no function answers it, or it was answered already.
  func answer(to number: Number, _ topic: String, _ body: String) -> String? {
    let answering = state.withLock { state -> (@Sendable (String) -> String?)? in
      if number != 0 {
        if state.asked["\(number)"] != nil { return nil }
        state.asked.remember(true, of: "\(number)")
      }
      return state.answering[topic]
    }
    return answering.flatMap { $0(body) }
  }

  func receive(_ answer: String, to number: Number, from mirror: UInt64) {
    state.change { $0.answers[number]?[mirror] = answer }
  }

  /// Waits for the answers to a question.
  ///
  /// - Parameters:
  ///   - isLast: whether no other answer is needed after one.
  ///   - send: sends the question with its number.
  func answers(
    from mirrors: Int, within time: Duration, until isLast: (String) -> Bool, _ send: (Number) -> Void
  ) -> [String] {
    let number = Number.random(in: 1 ... .max)
    state.withLock { $0.answers[number] = [:] }
    send(number)
    _ = state.wait(until: .now + time) { state in
      let answers = state.answers[number] ?? [:]
      return answers.count >= mirrors || answers.values.contains(where: isLast)
    }
    return state.withLock { $0.answers.removeValue(forKey: number) }.map { Array($0.values) } ?? []
  }
}
