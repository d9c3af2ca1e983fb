#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Milliseconds since 1970.
package func wallClock() -> Int64 {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
}
