public import MarkupDocument

/// A signal to the subscribers of a node.
public enum NodeSignal: Sendable, Hashable {
  /// The node itself changed: its attributes, the list of its direct children, or a direct text or comment.
  case changed(NodeRef)
  /// The node was removed, or the document was replaced. No signal follows.
  case finished(NodeRef)
}

/// The kind of a subscriber. Each kind has its own count.
package enum SubscriberKind: Sendable, Hashable, CaseIterable {
  /// A view that the mirror mounted, or an ``Observer``.
  case observer
  /// A browser or script that reads an event stream, or other code that subscribes.
  case client
  /// A subscription over HTTP, which counts the signals of a node.
  case subscription
}
