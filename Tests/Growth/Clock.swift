#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Nanoseconds.
enum Clock {
  /// Processor time of this thread, system calls included. An update runs on one thread and waits for nothing, so this is
  /// its cost whatever else the machine does.
  static var worked: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
