internal import MarkupDocument

/// A signal of a ``SubscriberTable`` that can be published to Combine subscribers.
protocol PublishedSignal: Sendable {
  associatedtype Output: Sendable
  /// The value to publish; `nil` for the last signal, which completes the subscriber.
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

/// Decides which values are kept while the subscriber has no demand: adds a value to those that are waiting.
typealias Backlog<Output> = @Sendable (_ waiting: inout [Output], _ value: Output) -> Void

enum Backlogs {
  /// Keeps only the newest value.
  static func newest<Output>(_ waiting: inout [Output], _ value: Output) { waiting = [value] }

  /// Keeps each distinct value once, in the order of first arrival.
  static func distinct<Output: Equatable>(_ waiting: inout [Output], _ value: Output) {
    if !waiting.contains(value) { waiting.append(value) }
  }
}
