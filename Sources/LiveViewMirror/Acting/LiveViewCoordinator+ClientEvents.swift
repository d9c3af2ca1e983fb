internal import MirrorSupport
internal import RenderedTree

/// The client's events and the updates that answer them.
///
/// ``receive(_:dialect:container:arrival:frames:receipts:)`` keeps the events that arrive, and an
/// update takes the event that it answers. An event is stored only after its secrets were removed.
extension LiveViewCoordinator {
  /// Keeps a client's event until the server answers it, without its secrets. Called within a turn
  /// of the view (``inTurn(collecting:_:)``).
  func expectReply(to event: ClientEvent, _ ref: String, at time: FrameTime) {
    state.withLock { state in
      state.pending.add(event.filtered(by: filter, hiding: state.view?.passwords), ref: ref, at: time)
      writeRow(of: &state)
    }
  }

  /// The password fields of the view, and the bindings that receive their keys; `nil` before the
  /// first mount.
  var passwords: PasswordFields? { state.withLock { $0.view?.passwords } }

  /// The event that a diff answers, if the diff comes from an export, which states the event.
  /// Secrets are removed once more, because this mirror may filter more names than the one that
  /// wrote the export.
  func exportedCause(of message: WireMessage) -> UpdateCause? {
    guard let cause = message.exported?.cause else { return nil }
    return UpdateCause(cause.event.filtered(by: filter, hiding: passwords), ref: cause.ref, latency: cause.latency)
  }

  /// The event that a diff answers, which is then no longer pending. Called within a turn, once for
  /// each reply.
  ///
  /// - Parameter arrival: when the diff arrived; `nil` for now.
  func cause(of message: WireMessage, arrival: MonotonicTime?) -> UpdateCause? {
    guard let ref = message.ref else { return nil }
    let time = FrameTime(stated: message.at, arrival: arrival ?? .now)
    return state.withLock { $0.pending.take(answeredBy: ref, at: time) }
  }
}
