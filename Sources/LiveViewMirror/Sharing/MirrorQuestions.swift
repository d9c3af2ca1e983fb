internal import MirrorSupport

/// The questions of this mirror that others have not answered, and the functions that answer those of others.
final class MirrorQuestions: Sendable {
  /// Chosen at random, so that those of different mirrors differ.
  typealias Number = UInt64

  private struct State: Sendable {
    var answers: [Number: [String]] = [:]
    var answering: [String: @Sendable (String) -> String?] = [:]
  }

  private let state = Guarded(State())

  func answer(_ topic: String, _ body: @escaping @Sendable (String) -> String?) {
    state.withLock { $0.answering[topic] = body }
  }

  /// The answer to a question of another mirror; `nil` if no function answers it.
  func answer(to topic: String, _ body: String) -> String? {
    state.withLock { $0.answering[topic] }.flatMap { $0(body) }
  }

  func receive(_ answer: String, to number: Number) {
    state.change { _ = $0.answers[number]?.append(answer) }
  }

  /// Waits for the answers to a question.
  ///
  /// - Parameters:
  ///   - isLast: whether no other answer is needed after one.
  ///   - send: sends the question with its number.
  func answers(
    from mirrors: Int, within time: Duration, until isLast: (String) -> Bool, _ send: (Number) -> Void
  ) -> [String] {
    let number = Number.random(in: .min ... .max)
    state.withLock { $0.answers[number] = [] }
    send(number)
    _ = state.wait(until: .now + time) { state in
      let answers = state.answers[number] ?? []
      return answers.count >= mirrors || answers.last.map(isLast) == true
    }
    return state.withLock { $0.answers.removeValue(forKey: number) } ?? []
  }
}
