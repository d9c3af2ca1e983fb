package import MarkupDocument
internal import MirrorSupport
package import NodeObservation

extension DocumentCoordinator {
  /// The element with an id; if there is none, a reference that no node has.
  package func node(id: String) -> NodeRef {
    let document = document
    return document.nodes(from: document.root).first { document.content(of: $0)?.element?.id == id }
      ?? NodeRef(epoch: document.epoch, number: -1)
  }
}

/// Counts the reads of the document.
package final class CountingCoordinator: NodeCoordinator {
  private let coordinator: DocumentCoordinator
  private let count = Guarded(0)

  package init(_ coordinator: DocumentCoordinator) { self.coordinator = coordinator }

  package var publishers: NodePublishers { coordinator.publishers }
  package var reads: Int { count.current }

  package func reading<Result>(_ body: (Document) -> Result) -> Result? {
    count.withLock { $0 += 1 }
    return coordinator.reading(body)
  }
}

/// Runs work between a read of the document and the use of its result.
package final class RacingCoordinator: NodeCoordinator {
  private let coordinator: DocumentCoordinator
  private let next: Guarded<(@Sendable () -> Void)?> = Guarded(nil)

  package init(_ coordinator: DocumentCoordinator) { self.coordinator = coordinator }

  /// Runs `work` once, on another thread, after the next read.
  package func afterNextLook(_ work: @escaping @Sendable () -> Void) { next.withLock { $0 = work } }

  package var publishers: NodePublishers { coordinator.publishers }

  package func reading<Result>(_ body: (Document) -> Result) -> Result? {
    let result = coordinator.reading(body)
    let work = next.withLock { next in
      defer { next = nil }
      return next
    }
    if let work { OtherThread.run(work) }
    return result
  }
}

package final class Delegate: ObserverDelegate {
  private let heard: Heard
  package init(_ heard: Heard) { self.heard = heard }
  package func observerChanged(node: NodeRef, changed: NodeRef) { heard.note("changed") }
  package func observerFinished(node: NodeRef) { heard.note("finished") }
}
