public import MarkupDocument

/// An event that concerns the document as a whole.
public enum DocumentEvent: Sendable, Hashable {
  /// The top-level nodes of the document changed.
  case changed(root: NodeRef)
  /// The document was replaced. All nodes have new references, and the publishers of the old nodes have finished.
  case replaced(epoch: Int)

  /// A ``Backlog`` that keeps the newest event. A waiting `replaced` is not displaced by `changed`: after a replacement the
  /// subscriber reads the whole document anyway.
  static func newest(_ waiting: inout [Self], _ event: Self) {
    if case .changed = event, case .replaced = waiting.first { return }
    waiting = [event]
  }
}

/// Publishes the events that concern the document as a whole. Continues when the document is replaced, and completes when the
/// coordinator is closed.
public struct DocumentPublisher: Publisher, Sendable {
  /// The events of the document.
  public typealias Output = DocumentEvent
  /// The publisher never fails.
  public typealias Failure = Never

  let events: Relay<DocumentEvent>

  /// Subscribes to the events. Completes at once if the coordinator is closed. While there is no demand, one event is kept: the
  /// newest, or the replacement of the document.
  public func receive<Downstream: Subscriber>(
    subscriber: Downstream
  ) where Downstream.Input == DocumentEvent, Downstream.Failure == Never {
    events.attach(subscriber)
  }
}
