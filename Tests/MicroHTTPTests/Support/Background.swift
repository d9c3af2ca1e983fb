import Dispatch

/// Runs a closure on another thread.
final class Background: Sendable {
  private let done = DispatchSemaphore(value: 0)

  init(_ work: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "Background").async { [done] in
      work()
      done.signal()
    }
  }

  func wait() { done.wait() }
}
