import CLibrary

/// Nanoseconds.
enum Clock {
  /// Processor time of this thread including system calls. An update runs on one thread and never
  /// waits, so this is its cost even on a busy machine.
  static var threadCPUTime: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
