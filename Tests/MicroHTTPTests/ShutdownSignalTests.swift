import CLibrary
import MicroHTTP
import Testing

@Suite("ShutdownSignal", .serialized)
struct ShutdownSignalTests {
  @Test(
    arguments: [(SIGTERM, ShutdownSignal.terminate), (SIGINT, .interrupt)])
  func `a signal wakes the listener and does not terminate the process`(number: Int32, expected: ShutdownSignal) {
    let listener = ShutdownSignal.Listener()
    kill(getpid(), number)
    #expect(listener.wait() == expected)
  }
}
