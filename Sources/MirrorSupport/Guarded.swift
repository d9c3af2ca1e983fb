/// A value behind a ``Lock``. Threads can wait until the value satisfies a condition. The mirror,
/// its server and its inspector guard state with it.
///
/// The lock is not recursive: a body must not use the same instance, nor call code that may do so.
/// `@unchecked`, because of the pointer to the value, which is used only while the lock is held.
public final class Guarded<Value>: @unchecked Sendable {
  /// Heap-allocated to avoid the runtime's exclusivity checks; the lock guarantees exclusivity.
  @usableFromInline let value: UnsafeMutablePointer<Value>
  private let mutex = Lock()

  /// Creates a lock with its value.
  public init(_ value: sending Value) {
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
  }

  /// A copy of the value.
  ///
  /// If the value is a function, `withLock { $0 }` must not be used: Swift stores the function
  /// again behind two more thunks, so that each read takes longer than the one before.
  @inlinable public var current: Value {
    lock()
    defer { unlock() }
    return value.pointee
  }

  /// Takes the lock, runs `body` with the value, and releases the lock.
  @inlinable public func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try body(&value.pointee)
  }

  /// As ``withLock(_:)``, then wakes the threads in ``wait(until:for:)``.
  ///
  /// The lock is released before the threads are woken, because a woken thread first takes it.
  @inlinable public func change<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock()
    defer {
      unlock()
      wakeAll()
    }
    return try body(&value.pointee)
  }

  /// Waits until the value satisfies the condition, which is checked after each ``change(_:)`` and
  /// at least once a second.
  ///
  /// - Returns: `false` if the deadline has passed before that.
  public func wait(until deadline: ContinuousClock.Instant, for condition: (inout Value) -> Bool) -> Bool {
    lock()
    defer { unlock() }
    while !condition(&value.pointee) {
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { return false }
      // `ContinuousClock` advances while the machine sleeps, the condition variable's clock does
      // not: so wait a second at most.
      mutex.wait(atMost: min(left, .seconds(1)))
    }
    return true
  }

  @usableFromInline func lock() { mutex.lock() }
  @usableFromInline func unlock() { mutex.unlock() }
  @usableFromInline func wakeAll() { mutex.wakeAll() }
}
