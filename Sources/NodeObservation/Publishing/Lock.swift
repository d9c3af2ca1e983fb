#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A mutex with a condition that threads wait for, held by whoever guards something with it.
///
/// A pthread mutex for the reason that ``Guarded`` gives. Not an object: the owner frees it in its `deinit`.
struct Lock: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    condition = .allocate(capacity: 1)
    condition.initialize(to: pthread_cond_t())
    pthread_cond_init(condition, nil)
  }

  func free() {
    pthread_cond_destroy(condition)
    condition.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func lock() { pthread_mutex_lock(mutex) }
  /// Takes it if nobody has it, and says whether.
  func lockIfFree() -> Bool { pthread_mutex_trylock(mutex) == 0 }
  func unlock() { pthread_mutex_unlock(mutex) }

  /// Lets others have the lock until ``wakeAll()``, or for no reason: ask again what was waited for.
  func wait() { pthread_cond_wait(condition, mutex) }
  func wakeAll() { pthread_cond_broadcast(condition) }
}
