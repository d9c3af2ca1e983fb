import Foundation

/// A lock for counters that several threads of a test use.
final class Lock: Sendable {
  private let lock = NSLock()
  func held<Result>(_ body: () -> Result) -> Result { lock.withLock(body) }
}
