internal import Synchronization

/// How much memory the bodies on their way may take, all together.
///
/// One body is bounded, and so are connections; their product is more than there may be.
final class BodyBudget: Sendable {
  let limit: Int
  private let used = Atomic<Int>(0)

  init(limit: Int) { self.limit = limit }

  /// - Returns: whether there was so much left.
  func take(_ count: Int) -> Bool {
    if used.add(count, ordering: .relaxed).newValue <= limit { return true }
    give(count)
    return false
  }

  func give(_ count: Int) {
    if count > 0 { used.subtract(count, ordering: .relaxed) }
  }

  var exceeded: HTTPError {
    HTTPError(
      .serviceUnavailable, "The bodies that are on their way take all the memory there is for them.",
      headers: ["Retry-After": "1"])
  }
}
