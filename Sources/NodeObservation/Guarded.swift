#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A value that one thread at a time may see.
///
/// A pthread mutex and not `Synchronization.Mutex`, which the thread sanitizer does not know on Linux: it would report
/// races where there are none.
@usableFromInline package final class Guarded<Value>: @unchecked Sendable {
  /// Behind a pointer: the compiler could not see that nobody else is at it, and would check each time.
  @usableFromInline let value: UnsafeMutablePointer<Value>
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  package init(_ value: sending Value) {
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` with the value. Do not call what may call back: the lock is not recursive.
  @inlinable package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try body(&value.pointee)
  }

  @usableFromInline func lock() { pthread_mutex_lock(mutex) }
  @usableFromInline func unlock() { pthread_mutex_unlock(mutex) }
}
