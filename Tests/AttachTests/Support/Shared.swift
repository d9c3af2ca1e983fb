import Foundation

/// A flag that a test and the threads of a server share.
final class SharedFlag: @unchecked Sendable {
  private let lock = NSLock()
  private var flag = false

  var isSet: Bool { lock.withLock { flag } }
  func set() { lock.withLock { flag = true } }
  func clear() { lock.withLock { flag = false } }
}

/// Counts from 1 on.
final class SharedCount: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  func next() -> Int {
    lock.withLock {
      count += 1
      return count
    }
  }
}
