internal import Synchronization

/// The bytes of one view's log that a ``LogBudget`` counts. Changed only under the lock of the view's state, and read without it.
final class LogAccount: Sendable {
  private let budget: LogBudget?
  private let counted = Atomic<Int>(0)

  /// - Parameter budget: `nil` for a view on its own.
  init(in budget: LogBudget?) { self.budget = budget }

  deinit { budget?.add(-bytes) }

  /// The estimated memory of the log in bytes; 0 for a removed view.
  var bytes: Int { counted.load(ordering: .relaxed) }

  /// Sets the size of the log.
  func set(_ bytes: Int) { budget?.add(bytes - counted.exchange(bytes, ordering: .relaxed)) }
}
