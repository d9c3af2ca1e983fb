internal import RenderedTree

/// The current join of a view's topic: what phoenix.js keeps as the `joinPush` of a `Channel`.
///
/// `Channel.isMember` drops a message whose `join_ref` is present and is not that of the current join. So a reply that was
/// on its way while the client joined anew changes nothing.
struct TopicJoin: Sendable {
  enum State: Sendable {
    /// The client pushed `phx_join`; the reply with the page has not been mounted.
    case pushed
    case mounted
    /// After `phx_close` phoenix.js has no channel for the topic.
    case closed
  }

  let ref: String
  /// What the client's push tells of the view's element; `nil` where it does not, or where the push was not fed.
  var container: ContainerContent?
  var state: State
  /// Whether the join is known from the client's push, and not from its reply alone.
  let isPushed: Bool

  /// The join that a client's push begins.
  init(pushed ref: String, _ push: JoinPush) {
    self.ref = ref
    container = ContainerContent(push)
    state = .pushed
    isPushed = true
  }

  /// The join whose page was mounted: `current`, or one whose push was not fed.
  init(mounted ref: String, after current: TopicJoin?) {
    self.ref = ref
    state = .mounted
    let isCurrent = current?.ref == ref
    container = isCurrent ? current?.container : nil
    isPushed = isCurrent && current?.isPushed == true
  }

  /// Refuses a message that the client would not apply.
  ///
  /// - Throws: `UpdateError` of the kind `staleFrame` for one of another join; of the kind `unfitting` for a diff of a join
  ///   whose page was not mounted.
  func check(_ message: WireMessage) throws(UpdateError) {
    guard let ref = message.joinRef else { return }
    switch message.content {
    case .join: return
    case .rendered:
      // A reply whose push was not fed begins a join of its own, unless the client is known to have joined later.
      if ref == self.ref || !isPushed || isOlder(than: ref) { return }
    case .diff, .destroyed:
      guard ref == self.ref, state != .closed else { break }
      if state == .mounted { return }
      throw UpdateError(
        .unfitting, reason: "the page of join \(ref) was not mounted: its reply did not come, or was rejected",
        pointer: message.place.pointer)
    case .other: if ref == self.ref { return }
    }
    throw UpdateError(
      .staleFrame,
      reason: ref == self.ref
        ? "the frame belongs to join \(ref), which was closed"
        : "the frame belongs to join \(ref), and the current join of the view is \(self.ref)")
  }

  /// phoenix.js counts its references up.
  private func isOlder(than other: String) -> Bool {
    guard let mine = Int(ref), let number = Int(other) else { return false }
    return mine < number
  }
}

extension ContainerContent {
  /// - Returns: `nil` where the push does not tell.
  fileprivate init?(_ push: JoinPush) {
    switch push.origin {
    case .rejoin: self = .kept
    case .load, .nested(isStatic: true): self = .dead
    case .navigation, .nested(isStatic: false): self = .empty
    case .unknown: return nil
    }
  }
}
