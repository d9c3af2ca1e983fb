package import MarkupDocument

/// One ``Observer`` for every element of a document and one for the document itself, as the SwiftUI client has one for
/// every view: without a screen there would be nobody to notify, and every count would be zero.
package struct MountedObservers: Sendable {
  package let publishers: NodePublishers
  private var observers: [NodeRef: Observer] = [:]

  package init(publishers: NodePublishers) { self.publishers = publishers }

  package var count: Int { observers.count }

  package subscript(node: NodeRef) -> Observer? { observers[node] }

  /// Begins with an empty document.
  package mutating func replaceDocument(root: NodeRef) {
    observers = [:]
    mount(root)
  }

  /// Follows a change set: observers come and go with their elements. Nobody is called here: whoever listens to a node
  /// that is gone is told by ``NodePublishers/finish(nodesOf:)``, when the new version can be read.
  ///
  /// - Returns: how many of the nodes that are gone had somebody who listened.
  /// - Complexity: O(*nodes added and removed*).
  package mutating func follow(_ changeSet: ChangeSet) -> Int {
    var finished = 0
    for change in changeSet.changes {
      switch change {
      case .remove(let nodes, _, _):
        for node in nodes {
          if publishers.count(of: node).total > 0 { finished += 1 }
          observers[node] = nil
        }
      case .add(let subtree, _):
        for node in subtree.nodes where node.content.element != nil { mount(node.ref) }
      case .text, .attributes, .move: break
      }
    }
    return finished
  }

  private mutating func mount(_ node: NodeRef) {
    observers[node] = Observer(of: node, in: publishers)
  }
}
