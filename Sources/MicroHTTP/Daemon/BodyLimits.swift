internal import MirrorSupport
internal import Synchronization

/// Bounds the body of one request, in bytes. ``Daemon`` makes one value, and each ``Exchange``
/// checks its body against it. ``accepted`` is at most ``discarded``.
struct BodyLimits: Sendable {
  /// The longest body that a handler gets.
  let accepted: Int
  /// The longest body that is read to its end and discarded. Many clients read the response, a 413,
  /// only after they have written the whole body. This is eight times ``accepted``, but at most 128
  /// MiB unless ``accepted`` is larger.
  let discarded: Int
  /// The memory for the bodies of all requests together.
  let budget: BodyBudget

  init(accepted: Int, budget: BodyBudget) {
    self.accepted = accepted
    self.budget = budget
    discarded = max(accepted, min(accepted, 16 << 20) * 8)
  }

  var exceeded: HTTPError {
    HTTPError(.contentTooLarge, "The body must have at most \(accepted) bytes.")
  }
}
