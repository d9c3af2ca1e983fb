/// How much of a body is read.
struct BodyLimits: Sendable {
  /// The longest body that a handler sees.
  let accepted: Int
  /// The longest body that is read at all, to be thrown away: a client sees the 413 only when it has written everything.
  let swallowed: Int
  /// What all bodies share.
  let budget: BodyBudget

  init(accepted: Int, budget: BodyBudget) {
    self.accepted = accepted
    self.budget = budget
    swallowed = max(accepted, min(accepted, 16 << 20) * 8)
  }

  /// Those of no request.
  static let none = BodyLimits(accepted: 0, budget: BodyBudget(limit: 0))

  var exceeded: HTTPError {
    HTTPError(.contentTooLarge, "The body is longer than the \(accepted) bytes that are taken.")
  }
}
