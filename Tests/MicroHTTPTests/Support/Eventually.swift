#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Asks until it holds, for half a minute at most: what the server does by itself, nobody is told of.
///
/// Nothing is sent meanwhile, which would wake the server's threads.
func eventually(_ condition: () -> Bool) -> Bool {
  let deadline = ContinuousClock.now.advanced(by: .seconds(30))
  while !condition() {
    if ContinuousClock.now > deadline { return false }
    usleep(2_000)
  }
  return true
}
