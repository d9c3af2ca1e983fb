public import MarkupDocument

/// What a view would be: it listens to one node for as long as the node lives, and knows how often it was told.
///
/// There is one for every element, so it is a counter in ``NodePublishers`` and not an object that is called; this is a
/// look at it.
public struct MountedObserver: Sendable {
  /// The node that it listens to.
  public let node: NodeRef
  private let publishers: NodePublishers

  init(of node: NodeRef, in publishers: NodePublishers) {
    self.node = node
    self.publishers = publishers
  }

  /// How often the node has changed since the observer was mounted; 0 when the node is gone.
  public var signals: Int { publishers.signals(of: node) ?? 0 }

  /// Whether the node is gone.
  public var isFinished: Bool { publishers.signals(of: node) == nil }
}
