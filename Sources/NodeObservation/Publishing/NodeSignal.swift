public import MarkupDocument

/// What a subscriber of a node is told.
public enum NodeSignal: Sendable, Hashable {
  /// The node itself changed: its attributes, or what its direct children are.
  case changed(NodeRef)
  /// The node left the document, or the document was replaced. Nothing comes after it.
  case finished(NodeRef)
}

/// Who listens, told apart in every count.
public enum SubscriberKind: Sendable, Hashable, CaseIterable {
  /// A view that the mirror mounted, or an ``Observer``.
  case observer
  /// A browser or script that reads an event stream.
  case client
  /// What somebody asked to be counted, and does not hear.
  case subscription
}
