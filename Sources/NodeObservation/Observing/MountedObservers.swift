package import MarkupDocument

/// One ``Observer`` for every element of a document and one for the document itself, as the SwiftUI client has one for
/// every view: without a screen there would be nobody to notify, and every count would be zero.
///
/// A value that says how many there are in this version; the observers themselves stand in the ``publishers``.
package struct MountedObservers: Sendable {
  package let publishers: NodePublishers
  package private(set) var count = 0

  package init(publishers: NodePublishers) { self.publishers = publishers }

  package subscript(node: NodeRef) -> MountedObserver? {
    publishers.signals(of: node).map { _ in MountedObserver(of: node, in: publishers) }
  }

  /// Begins with an empty document.
  package mutating func replaceDocument(root: NodeRef) {
    publishers.mount(root)
    count = 1
  }

  /// Follows a change set: observers come and go with their elements. Nobody is called here: whoever listens to a node
  /// that is gone is told by ``NodePublishers/finish(nodesOf:)``, when the new version can be read.
  ///
  /// - Returns: how many of the nodes that are gone had somebody who listened.
  /// - Complexity: O(*nodes added and removed*).
  package mutating func follow(_ changeSet: ChangeSet) -> Int {
    guard changeSet.changes.contains(where: \.isArrivalOrRemoval) else { return 0 }
    let followed = publishers.follow(changeSet)
    count += followed.mounted - followed.unmounted
    return followed.finished
  }
}

extension Change {
  fileprivate var isArrivalOrRemoval: Bool {
    switch self {
    case .add, .remove: true
    case .text, .attributes, .move: false
    }
  }
}
