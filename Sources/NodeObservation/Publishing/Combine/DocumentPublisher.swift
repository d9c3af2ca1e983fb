public import MarkupDocument

#if canImport(Combine)
  public import Combine
#else
  public import OpenCombine
#endif

/// What concerns the document as a whole.
public enum DocumentEvent: Sendable, Hashable {
  /// What stands at the top of the document changed.
  case changed(root: NodeRef)
  /// There is another document: all nodes have new names, and the publishers of the old ones have finished.
  case replaced(epoch: Int)

  /// Of two that nobody has heard, the one that says more: a document that was replaced is read anew anyhow.
  static func newest(_ waiting: inout [Self], _ event: Self) {
    if case .changed = event, case .replaced = waiting.first { return }
    waiting = [event]
  }
}

/// Publishes what concerns the document as a whole. It goes on when the document is replaced, and completes when the
/// coordinator is closed.
public struct DocumentPublisher: Publisher, Sendable {
  public typealias Output = DocumentEvent
  public typealias Failure = Never

  let events: Relay<DocumentEvent>

  /// Subscribes; completes at once where the coordinator is closed. Of what comes while there is no demand, one event
  /// is kept: the newest, or that the document was replaced.
  public func receive<Downstream: Subscriber>(
    subscriber: Downstream
  ) where Downstream.Input == DocumentEvent, Downstream.Failure == Never {
    events.attach(subscriber)
  }
}
