import MirrorSupport
import Testing

struct GuardedTests {
  /// `withLock { $0 }` puts two more thunks around the function at each read. A call through
  /// 200,000 of them overflows the stack.
  @Test func `a function is the same after many reads`() {
    let function = Guarded<(@Sendable (Int) -> Int)?>({ $0 + 1 })
    for _ in 0..<100_000 { _ = function.current }
    #expect(function.current?(1) == 2)
  }
}
