internal import MirrorSupport

/// A message between mirrors that share a journal. It is not stored: a mirror that is not connected
/// does not receive it.
///
/// `Journal.send` and ``LiveViews/requestFromPeers(_:_:within:until:)`` send messages. The follower
/// passes those of other mirrors to `LiveViews.receive`.
enum MirrorMessage: Sendable {
  /// The server has answered an event without a diff: ``LogListener/answered(_:of:)``.
  case answered(UpdateCause, view: String)
  /// The process of a view has crashed: ``LogListener/crashed(_:)``.
  case crashed(view: String)
  /// A text that needs no response.
  case notice(topic: String, body: String)
  /// A request to all other mirrors.
  case request(PeerRequests.Number, topic: String, body: String)
  /// - Parameter mirror: the number that identifies the mirror that responds.
  case response(PeerRequests.Number, mirror: UInt64, body: String)
}

extension LiveViews {
  /// Sends a request to all other mirrors and waits for their responses.
  ///
  /// - Parameters:
  ///   - topic: chooses the handler (``handlePeerRequests(_:_:)``).
  ///   - time: the longest time to wait for responses.
  ///   - isLast: whether this response is sufficient, so that the method returns without waiting
  ///     for the others.
  /// - Returns: the responses; fewer than there are mirrors if some do not respond in time. Empty
  ///   without a shared journal.
  package func requestFromPeers(
    _ topic: String, _ body: String, within time: Duration, until isLast: @escaping (String) -> Bool = { _ in false }
  ) -> [String] {
    guard let store = journal?.store as? any SharedJournalStore, let mirrors = try? store.otherMirrors(), mirrors > 0
    else { return [] }
    return peerRequests.responses(from: mirrors, within: time, until: isLast) { number in
      try? store.send(MirrorMessage.request(number, topic: topic, body: body).encoded)
    }
  }

  /// Sends a text to all other mirrors. They receive it after the changes that this mirror has made
  /// so far. See ``handlePeerRequests(_:_:)``.
  package func notifyPeers(_ topic: String, _ body: String) {
    journal?.send(.notice(topic: topic, body: body))
  }

  /// Sets the handler for the requests and notices of other mirrors on a topic.
  ///
  /// - Parameter handler: must not wait. Returns the response; `nil` for a notice.
  package func handlePeerRequests(_ topic: String, _ handler: @escaping @Sendable (String) -> String?) {
    peerRequests.setHandler(for: topic, handler)
  }

  /// Handles a message of another mirror. A message that cannot be read, as from a newer version,
  /// is ignored.
  func receive(_ bytes: [UInt8]) {
    guard let message = try? MirrorMessage(bytes) else { return }
    switch message {
    case .answered(let cause, let view): listener?.answered(cause, of: view)
    case .crashed(let view): listener?.crashed(view)
    case .notice(let topic, let body): peerRequests.receive(notice: body, topic)
    case .request(let number, let topic, let body):
      guard let response = peerRequests.response(to: number, topic, body) else { return }
      let message = MirrorMessage.response(number, mirror: peerRequests.mirror, body: response)
      try? (journal?.store as? any SharedJournalStore)?.send(message.encoded)
    case .response(let number, let mirror, let body):
      peerRequests.receive(response: body, to: number, from: mirror)
    }
  }
}

extension Journal {
  /// Sends a message to all other mirrors after the items that were added to the journal so far are
  /// written. Has no effect if the journal is not shared.
  func send(_ message: MirrorMessage) { if isShared { add(.message(message)) } }
}

// MARK: - The binary form

extension MirrorMessage {
  private enum Kind: String {
    case answered, crashed
    case request = "question"
    case response = "answer"
  }

  /// A request with this number is a notice.
  private static var numberOfNotice: PeerRequests.Number { 0 }

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
      writer.write(Kind.request.rawValue)
      writer.write(word: Self.numberOfNotice)
      writer.write(topic)
      writer.write(body)
    case .request(let number, let topic, let body):
      writer.write(Kind.request.rawValue)
      writer.write(word: number)
      writer.write(topic)
      writer.write(body)
    case .response(let number, let mirror, let body):
      writer.write(Kind.response.rawValue)
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
    case .request:
      let (number, topic, body) = (try reader.word(), try reader.string(), try reader.string())
      self =
        number == Self.numberOfNotice
        ? .notice(topic: topic, body: body) : .request(number, topic: topic, body: body)
    case .response: self = .response(try reader.word(), mirror: try reader.word(), body: try reader.string())
    }
    try reader.finish()
  }
}
