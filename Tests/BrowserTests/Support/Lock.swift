import Foundation

/// A lock for what tests count on other threads.
final class Lock: Sendable {
  private let lock = NSLock()
  func held<Result>(_ body: () -> Result) -> Result { lock.withLock(body) }
}
