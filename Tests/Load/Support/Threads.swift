import Dispatch
import Foundation

/// Runs a closure on a new thread.
func thread(_ body: @escaping @Sendable () -> Void) {
  let thread = Thread(block: body)
  thread.start()
}

/// Runs each closure on its own thread, and returns the results in order.
func concurrently<Result: Sendable>(
  _ count: Int, _ body: @escaping @Sendable (Int) throws -> Result
) throws -> [Result] {
  let results = Shared([Swift.Result<Result, any Error>?](repeating: nil, count: count))
  let group = DispatchGroup()
  for index in 0..<count {
    group.enter()
    thread {
      let result = Swift.Result { try body(index) }
      results.change { $0[index] = result }
      group.leave()
    }
  }
  group.wait()
  return try results.value.map { try $0?.get() }.compactMap { $0 }
}

/// A value that several threads share.
final class Shared<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: Value

  init(_ value: Value) { stored = value }

  var value: Value { lock.withLock { stored } }
  func change<Result>(_ body: (inout Value) -> Result) -> Result { lock.withLock { body(&stored) } }
}
