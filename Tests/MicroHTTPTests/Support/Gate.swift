import Dispatch

/// Blocks the threads that call ``hold()``. Each call of ``release()`` lets one of them continue.
struct Gate: Sendable {
  private let entered = DispatchSemaphore(value: 0)
  private let open = DispatchSemaphore(value: 0)

  func hold() {
    entered.signal()
    open.wait()
  }

  func waitForRequest() { entered.wait() }
  func release() { open.signal() }
}
