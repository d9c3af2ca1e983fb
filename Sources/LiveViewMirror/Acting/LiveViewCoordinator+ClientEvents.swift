internal import MirrorSupport
internal import RenderedTree

extension LiveViewCoordinator {
  /// Keeps a client's event until the server answers it, without its secrets.
  func expectReply(to event: ClientEvent, _ ref: String, at time: FrameTime) {
    state.withLock { state in
      state.pending.add(event.filtered(by: filter, hiding: state.view?.passwords), ref: ref, at: time)
      writeRow(of: &state)
    }
  }

  /// The password fields of the page, and what is bound to its keys; `nil` before the first mount.
  var passwords: PasswordFields? { state.withLock { $0.view?.passwords } }

  /// The event that a diff answers according to an export. Its secrets are removed again, because this mirror may filter more names.
  func exportedCause(of message: WireMessage) -> UpdateCause? {
    guard let cause = message.exported?.cause else { return nil }
    return UpdateCause(cause.event.filtered(by: filter, hiding: passwords), ref: cause.ref, latency: cause.latency)
  }

  /// The event that a diff answers, which is then no longer expected.
  ///
  /// - Parameter arrival: when the diff arrived; `nil` for now.
  func cause(of message: WireMessage, arrival: MonotonicTime?) -> UpdateCause? {
    guard let ref = message.ref else { return nil }
    let time = FrameTime(stated: message.at, arrival: arrival ?? .now)
    return state.withLock { $0.pending.take(answeredBy: ref, at: time) }
  }
}
