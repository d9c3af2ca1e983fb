internal import MarkupDocument

/// A signal of a ``Switchboard`` as a subscriber of Combine sees it.
protocol PublishedSignal: Sendable {
  associatedtype Output: Sendable
  /// What is passed on; `nil` for the signal after which nothing comes.
  var output: Output? { get }
}

extension NodeSignal: PublishedSignal {
  var output: NodeRef? { if case .changed(let node) = self { node } else { nil } }
}

/// The signal of a ``Relay``.
enum RelaySignal<Output: Sendable>: PublishedSignal {
  case value(Output)
  case finished

  var output: Output? { if case .value(let value) = self { value } else { nil } }
}

/// What becomes of values that arrive while the subscriber wants none: takes one more in among those that wait.
typealias Backlog<Output> = @Sendable (_ waiting: inout [Output], _ value: Output) -> Void

enum Backlogs {
  /// The newest alone.
  static func newest<Output>(_ waiting: inout [Output], _ value: Output) { waiting = [value] }

  /// Each value once, where it came first.
  static func distinct<Output: Equatable>(_ waiting: inout [Output], _ value: Output) {
    if !waiting.contains(value) { waiting.append(value) }
  }
}
