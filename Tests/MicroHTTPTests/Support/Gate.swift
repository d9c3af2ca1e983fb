import Dispatch

/// Holds whoever comes until it is released.
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
