internal import MirrorSupport

/// A message between mirrors that share a journal. It is not stored: a mirror that is not connected
/// does not receive it.
///
/// `Journal.send` and ``LiveViews/ask(_:_:for:until:)`` send messages. The follower passes
/// those of other mirrors to `LiveViews.receive`.
enum MirrorMessage: Sendable {
  /// The server has answered an event without a diff: ``LogListener/answered(_:of:)``.
  case answered(UpdateCause, view: String)
  /// The process of a view has crashed: ``LogListener/crashed(_:)``.
  case crashed(view: String)
  /// A text that needs no answer.
  case notice(topic: String, body: String)
  /// A question to all other mirrors.
  case question(MirrorQuestions.Number, topic: String, body: String)
  /// - Parameter mirror: a number of the mirror that answers.
  case answer(MirrorQuestions.Number, mirror: UInt64, body: String)
}

extension LiveViews {
  /// Asks all other mirrors.
  ///
  /// - Parameters:
  ///   - topic: chooses the function that answers (``answer(_:_:)``).
  ///   - time: the longest time to wait for answers.
  ///   - isLast: whether no other answer is needed after one.
  /// - Returns: their answers; fewer than there are mirrors if some do not answer in time. Empty
  ///   without a shared journal.
  package func ask(
    _ topic: String, _ body: String, for time: Duration, until isLast: @escaping (String) -> Bool = { _ in false }
  ) -> [String] {
    guard let store = journal?.store as? any SharedJournalStore, let mirrors = try? store.otherMirrors(), mirrors > 0
    else { return [] }
    return questions.answers(from: mirrors, within: time, until: isLast) { number in
      try? store.send(MirrorMessage.question(number, topic: topic, body: body).encoded)
    }
  }

  /// Sends a text to all other mirrors, after what this one has written so far. See
  /// ``answer(_:_:)``.
  package func tell(_ topic: String, _ body: String) {
    journal?.send(.notice(topic: topic, body: body))
  }

  /// - Parameter body: called with each question of another mirror on a topic; it must not wait.
  ///   Returns the answer; `nil` for a text that needs none.
  package func answer(_ topic: String, _ body: @escaping @Sendable (String) -> String?) {
    questions.answer(topic, body)
  }

  /// Handles a message of another mirror. One that a newer version has sent is ignored.
  func receive(_ bytes: [UInt8]) {
    guard let message = try? MirrorMessage(bytes) else { return }
    switch message {
    case .answered(let cause, let view): listener?.answered(cause, of: view)
    case .crashed(let view): listener?.crashed(view)
    case .notice(let topic, let body): questions.receive(notice: body, topic)
    case .question(let number, let topic, let body):
      guard let answer = questions.answer(to: number, topic, body) else { return }
      let message = MirrorMessage.answer(number, mirror: questions.mirror, body: answer)
      try? (journal?.store as? any SharedJournalStore)?.send(message.encoded)
    case .answer(let number, let mirror, let body): questions.receive(body, to: number, from: mirror)
    }
  }
}

extension Journal {
  /// Sends a message to all other mirrors, if there are any, after the items that were added so
  /// far.
  func send(_ message: MirrorMessage) { if isShared { add(.message(message)) } }
}

/// The questions of this mirror that others have not answered, and the handlers for the questions
/// of others.
///
/// ``LiveViews`` has one. A thread that asks waits in `answers(from:within:until:_:)`, while the
/// follower's thread stores the answers. A handler runs without the lock.
final class MirrorQuestions: Sendable {
  /// Chosen at random from 1 on, so that those of different mirrors differ.
  typealias Number = UInt64

  private struct State: Sendable {
    /// By the number of the mirror that answers.
    var answers: [Number: [UInt64: String]] = [:]
    /// The last questions of other mirrors. The store may deliver a question twice, if a connection
    /// breaks while it is sent.
    var asked = RecentValues<Bool>()
    var answering: [String: @Sendable (String) -> String?] = [:]
  }

  private let state = Guarded(State())
  /// A number of this mirror.
  let mirror = UInt64.random(in: .min ... .max)

  func answer(_ topic: String, _ body: @escaping @Sendable (String) -> String?) {
    state.withLock { $0.answering[topic] = body }
  }

  /// The answer to a question of another mirror; `nil` if no function answers it, or it was
  /// answered already.
  func answer(to number: Number, _ topic: String, _ body: String) -> String? {
    let answering = state.withLock { state -> (@Sendable (String) -> String?)? in
      if state.asked["\(number)"] != nil { return nil }
      state.asked.remember(true, of: "\(number)")
      return state.answering[topic]
    }
    return answering.flatMap { $0(body) }
  }

  /// Handles a text of another mirror that needs no answer.
  func receive(notice body: String, _ topic: String) {
    _ = state.withLock { $0.answering[topic] }?(body)
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

// MARK: - The binary form

extension MirrorMessage {
  private enum Kind: String {
    case answered, crashed, question, answer
  }

  /// A question with this number is a notice.
  private static var numberOfNotice: MirrorQuestions.Number { 0 }

  var encoded: [UInt8] {
    var writer = SnapshotWriter()
    switch self {
    case .answered(let cause, let view):
      writer.write(Kind.answered.rawValue)
      cause.write(to: &writer)
      writer.write(view)
    case .crashed(let view):
      writer.write(Kind.crashed.rawValue)
      writer.write(view)
    case .notice(let topic, let body):
      writer.write(Kind.question.rawValue)
      writer.write(word: Self.numberOfNotice)
      writer.write(topic)
      writer.write(body)
    case .question(let number, let topic, let body):
      writer.write(Kind.question.rawValue)
      writer.write(word: number)
      writer.write(topic)
      writer.write(body)
    case .answer(let number, let mirror, let body):
      writer.write(Kind.answer.rawValue)
      writer.write(word: number)
      writer.write(word: mirror)
      writer.write(body)
    }
    return writer.finish()
  }

  init(_ bytes: [UInt8]) throws(SnapshotError) {
    var reader = try SnapshotReader(bytes)
    switch try reader.choice(Kind.self) {
    case .answered: self = .answered(try UpdateCause(from: &reader), view: try reader.string())
    case .crashed: self = .crashed(view: try reader.string())
    case .question:
      let (number, topic, body) = (try reader.word(), try reader.string(), try reader.string())
      self =
        number == Self.numberOfNotice
        ? .notice(topic: topic, body: body) : .question(number, topic: topic, body: body)
    case .answer: self = .answer(try reader.word(), mirror: try reader.word(), body: try reader.string())
    }
    try reader.finish()
  }
}
