public import MarkupDocument

/// An observer that takes the place of a view: it observes one node as long as the node exists, and counts its signals.
///
/// There is one for every element. To save memory it is a counter in ``NodePublishers`` and not an object that is called. This
/// type reads that counter.
public struct MountedObserver: Sendable {
  /// The observed node.
  public let node: NodeRef
  private let publishers: NodePublishers

  init(of node: NodeRef, in publishers: NodePublishers) {
    self.node = node
    self.publishers = publishers
  }

  /// The number of signals since the observer was mounted; 0 if the node has been removed.
  public var signals: Int { publishers.signals(of: node) ?? 0 }

  /// Whether the node has been removed.
  public var isFinished: Bool { publishers.signals(of: node) == nil }
}
