#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Nanoseconds.
enum Clock {
  /// Of a clock that only goes forward: for limits.
  static var now: UInt64 { read(CLOCK_MONOTONIC) }

  /// That this thread has worked, its system calls included: what is measured. On a machine with other work to do, the
  /// time that passes says more of that work. An update has one thread and waits for nothing, so on an idle machine both
  /// are the same. Asking takes some 200 of them.
  static var worked: UInt64 { read(CLOCK_THREAD_CPUTIME_ID) }

  private static func read(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
