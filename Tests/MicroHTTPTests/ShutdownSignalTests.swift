import MicroHTTP
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("ShutdownSignal", .serialized)
struct ShutdownSignalTests {
  @Test(
    "a signal ends the wait and not the process",
    arguments: [(SIGTERM, ShutdownSignal.terminate), (SIGINT, .interrupt)])
  func signal(number: Int32, expected: ShutdownSignal) {
    let listener = ShutdownSignal.Listener()
    kill(getpid(), number)
    #expect(listener.wait() == expected)
  }
}
