package import MarkupDocument

/// The observers that the mirror mounts: one for every element of a document and one for the
/// document itself. Each `ViewState` has one.
///
/// They stand for the observers of the SwiftUI client, which has an observer for every view. A
/// mirror has no screen, so without them no view would be notified and every count would be zero.
/// The observers are counters in ``publishers``; this value stores only their number in one version
/// of the document.
package struct MountedObservers: Sendable {
  /// The publishers that hold the counters.
  package let publishers: NodePublishers
  /// The number of mounted observers.
  package private(set) var count = 0

  /// Creates a value without observers.
  package init(publishers: NodePublishers) { self.publishers = publishers }

  /// Mounts an observer for the root of a new, empty document, and sets the count to 1.
  package mutating func replaceDocument(root: NodeRef) {
    publishers.mount(root)
    count = 1
  }

  /// Mounts observers for the root and all elements of a restored document.
  ///
  /// - Complexity: O(*nodes*).
  package mutating func replaceDocument(by document: Document) {
    let elements = document.elementNumbers
    replaceDocument(root: document.root)
    publishers.mount(elements, epoch: document.epoch)
    count += elements.count
  }

  /// Mounts observers for the added elements and removes those of the removed nodes.
  ///
  /// No subscriber is called. Subscribers of removed nodes are notified by
  /// ``NodePublishers/finish(nodesOf:)``, after the new version has become readable.
  ///
  /// - Returns: the number of removed nodes that had an observer or another subscriber.
  /// - Complexity: O(*nodes added and removed*).
  package mutating func follow(_ changeSet: ChangeSet) -> Int {
    guard changeSet.all.contains(where: \.isArrivalOrRemoval) else { return 0 }
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
