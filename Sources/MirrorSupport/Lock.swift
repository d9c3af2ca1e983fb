internal import CLibrary

/// A mutex with a condition variable. All Swift code of this package that locks uses this type,
/// mostly through ``Guarded``, which puts a value behind it.
///
/// It is a pthread mutex and not `Synchronization.Mutex`, because on Linux the thread sanitizer
/// does not see the operations of that type and reports false races. `@unchecked`, because of the
/// pointer: the functions of pthread may be called on every thread.
public struct Lock: ~Copyable, @unchecked Sendable {
  /// The mutex and the condition variable, in one block of memory that does not move.
  private struct Storage {
    var mutex = pthread_mutex_t()
    var condition = pthread_cond_t()
  }

  private let storage: UnsafeMutablePointer<Storage>
  private var mutex: UnsafeMutablePointer<pthread_mutex_t> { storage.pointer(to: \.mutex).unsafelyUnwrapped }
  private var condition: UnsafeMutablePointer<pthread_cond_t> { storage.pointer(to: \.condition).unsafelyUnwrapped }

  /// - Parameter isRecursive: whether the thread that has the lock may take it again.
  public init(isRecursive: Bool = false) {
    storage = .allocate(capacity: 1)
    storage.initialize(to: Storage())
    if isRecursive {
      var attributes = pthread_mutexattr_t()
      pthread_mutexattr_init(&attributes)
      pthread_mutexattr_settype(&attributes, .init(PTHREAD_MUTEX_RECURSIVE))
      pthread_mutex_init(mutex, &attributes)
      pthread_mutexattr_destroy(&attributes)
    } else {
      pthread_mutex_init(mutex, nil)
    }
    #if canImport(Darwin)
      pthread_cond_init(condition, nil)
    #else
      // By default deadlines use the time of day, and setting the clock back would lengthen a wait.
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(condition, &attributes)
      pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    storage.deallocate()
  }

  /// Takes the lock. Waits while another thread has it.
  public func lock() { pthread_mutex_lock(mutex) }

  /// Takes the lock if no other thread has it.
  ///
  /// - Returns: whether the calling thread has the lock now.
  public func tryLock() -> Bool { pthread_mutex_trylock(mutex) == 0 }

  /// Releases the lock.
  public func unlock() { pthread_mutex_unlock(mutex) }

  /// Releases the lock until ``wakeAll()`` is called, then takes it again. May also return without
  /// that call, so the caller checks its condition in a loop.
  public func wait() { pthread_cond_wait(condition, mutex) }

  /// As ``wait()``, at most for the given time.
  public func wait(atMost limit: Duration) {
    let (seconds, attoseconds) = limit.components
    var time = timespec()
    #if canImport(Darwin)
      time.tv_sec = Int(seconds)
      time.tv_nsec = Int(attoseconds / 1_000_000_000)
      pthread_cond_timedwait_relative_np(condition, mutex, &time)
    #else
      clock_gettime(CLOCK_MONOTONIC, &time)
      time.tv_nsec += Int(attoseconds / 1_000_000_000)
      time.tv_sec += Int(seconds) + time.tv_nsec / 1_000_000_000
      time.tv_nsec %= 1_000_000_000
      pthread_cond_timedwait(condition, mutex, &time)
    #endif
  }

  /// Wakes all threads in ``wait()``.
  public func wakeAll() { pthread_cond_broadcast(condition) }
}
