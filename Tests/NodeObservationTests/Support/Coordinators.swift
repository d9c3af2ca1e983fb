import MarkupDocument
import NodeObservation

extension DocumentCoordinator {
  /// The element with an id; a node that never was, without one.
  func node(id: String) -> NodeRef {
    let document = document
    return document.nodes(from: document.root).first { document.content(of: $0)?.element?.id == id }
      ?? NodeRef(epoch: document.epoch, number: -1)
  }
}

/// Counts how often somebody looks.
final class CountingCoordinator: NodeCoordinator {
  private let coordinator: DocumentCoordinator
  private let count = Guarded(0)

  init(_ coordinator: DocumentCoordinator) { self.coordinator = coordinator }

  var publishers: NodePublishers { coordinator.publishers }
  var reads: Int { count.withLock { $0 } }

  func reading<Result>(_ body: (Document) -> Result) -> Result? {
    count.withLock { $0 += 1 }
    return coordinator.reading(body)
  }
}

final class Delegate: ObserverDelegate {
  private let heard: Heard
  init(_ heard: Heard) { self.heard = heard }
  func observerChanged(node: NodeRef, changed: NodeRef) { heard.note("changed") }
  func observerFinished(node: NodeRef) { heard.note("finished") }
}
