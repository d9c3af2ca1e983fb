#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A value behind a lock, with which a thread can wait until the value is as it wants it.
///
/// `Synchronization.Mutex` would do for the lock, but the thread sanitizer does not see it on Linux and reports races that
/// are none; pthread's it sees.
///
/// The body must not call back into the same lock.
package final class Guarded<Value>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
    #if canImport(Darwin)
      pthread_cond_init(changed, nil)
    #else
      // By default deadlines are in the time of day: setting that back would lengthen a wait.
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(changed, &attributes)
      pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  package func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// As ``withLock(_:)``, and wakes those that wait.
  package func change<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result
  {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(mutex)
    }
    return try body(&value)
  }

  /// Waits until the value satisfies the condition, at most until `deadline`.
  ///
  /// - Returns: whether it does.
  package func wait(until deadline: ContinuousClock.Instant, for condition: (inout Value) -> Bool) -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !condition(&value) {
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { return false }
      // The continuous clock goes on while the machine sleeps, the condition variable's does not: the loop ends by the first.
      pause(atMost: min(left, .seconds(1)).components)
    }
    return true
  }

  private func pause(atMost pause: (seconds: Int64, attoseconds: Int64)) {
    var time = timespec()
    #if canImport(Darwin)
      time.tv_sec = Int(pause.seconds)
      time.tv_nsec = Int(pause.attoseconds / 1_000_000_000)
      pthread_cond_timedwait_relative_np(changed, mutex, &time)
    #else
      clock_gettime(CLOCK_MONOTONIC, &time)
      time.tv_nsec += Int(pause.attoseconds / 1_000_000_000)
      time.tv_sec += Int(pause.seconds) + time.tv_nsec / 1_000_000_000
      time.tv_nsec %= 1_000_000_000
      pthread_cond_timedwait(changed, mutex, &time)
    #endif
  }
}
