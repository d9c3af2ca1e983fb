internal import MarkupDocument
internal import RenderedTree

/// The current join of a view's topic: what phoenix.js keeps as the `joinPush` of a `Channel`.
///
/// The coordinator of a view has it, and checks each message against it. ``PageTable`` keeps the
/// join of a topic without a view. The raw values of ``State`` are in rows of journals.
///
/// `Channel.isMember` drops a message whose `join_ref` is present and is not that of the current
/// join. So a reply that arrives after the client has joined again changes nothing.
struct TopicJoin: Sendable {
  enum State: String, Sendable {
    /// The client pushed `phx_join`; the reply with the page has not been mounted.
    case pushed
    case mounted
    /// After `phx_close` phoenix.js has no channel for the topic.
    case closed
  }

  let ref: String
  /// The content of the view's element according to the client's push; `nil` if the push does not
  /// state it or was not fed to the mirror.
  var container: ContainerContent?
  /// The dialect of the format that the client's push requests; `nil` if the push names no format,
  /// or was not fed to the mirror.
  let dialect: Dialect?
  var state: State
  /// Whether the client's push was fed to the mirror, and not only the reply.
  let isPushed: Bool

  init(ref: String, container: ContainerContent?, dialect: Dialect?, state: State, isPushed: Bool) {
    (self.ref, self.container, self.dialect, self.state, self.isPushed) = (ref, container, dialect, state, isPushed)
  }

  /// The join that a client's push begins.
  init(pushed ref: String, _ push: JoinPush) {
    self.ref = ref
    container = ContainerContent(push)
    dialect = push.format.map { $0 == "html" ? .html : .native }
    state = .pushed
    isPushed = true
  }

  /// The join whose page was mounted. If `current` has the same number, the result keeps what its
  /// push has stated. Otherwise the push of the mounted join was not fed to the mirror.
  init(mounted ref: String, after current: TopicJoin?) {
    self.ref = ref
    state = .mounted
    let isCurrent = current?.ref == ref
    container = isCurrent ? current?.container : nil
    dialect = isCurrent ? current?.dialect : nil
    isPushed = isCurrent && current?.isPushed == true
  }

  /// Refuses a message that the client would not apply.
  ///
  /// - Throws: `UpdateError` of the kind `staleFrame` for a message of another join, and of the
  ///   kind `unfitting` for a diff of a join whose page was not mounted.
  func check(_ message: WireMessage) throws(UpdateError) {
    guard let ref = message.joinRef else { return }
    switch message.content {
    case .join: return
    case .rendered:
      // A reply whose push was not fed to the mirror starts a new join, unless the client is known
      // to have joined later.
      if ref == self.ref || !isPushed || isOlder(than: ref) { return }
    case .diff, .destroyed:
      guard ref == self.ref, state != .closed else { break }
      if state == .mounted { return }
      throw UpdateError(
        .unfitting, reason: "the page of join \(ref) was not mounted: its reply did not arrive, or was rejected",
        pointer: message.place.pointer)
    case .event, .refused, .other: if ref == self.ref { return }
    }
    throw UpdateError(
      .staleFrame,
      reason: ref == self.ref
        ? "the frame belongs to join \(ref), which was closed"
        : "the frame belongs to join \(ref), and the current join of the view is \(self.ref)")
  }

  /// Whether this join is older than another one: phoenix.js numbers joins in ascending order.
  private func isOlder(than other: String) -> Bool {
    guard let mine = Int(ref), let number = Int(other) else { return false }
    return mine < number
  }
}

extension ContainerContent {
  /// - Returns: `nil` if the push does not state the content.
  fileprivate init?(_ push: JoinPush) {
    switch push.origin {
    case .rejoin: self = .kept
    case .load, .nested(isStatic: true): self = .dead
    case .navigation, .nested(isStatic: false): self = .empty
    case .unknown: return nil
    }
  }
}
