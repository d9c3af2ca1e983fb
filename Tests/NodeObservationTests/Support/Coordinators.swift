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

/// Lets something happen between a look and what becomes of it.
final class RacingCoordinator: NodeCoordinator {
  private let coordinator: DocumentCoordinator
  private let next: Guarded<(@Sendable () -> Void)?> = Guarded(nil)

  init(_ coordinator: DocumentCoordinator) { self.coordinator = coordinator }

  /// Once, on another thread, when somebody has looked.
  func afterNextLook(_ work: @escaping @Sendable () -> Void) { next.withLock { $0 = work } }

  var publishers: NodePublishers { coordinator.publishers }

  func reading<Result>(_ body: (Document) -> Result) -> Result? {
    let result = coordinator.reading(body)
    let work = next.withLock { next in
      defer { next = nil }
      return next
    }
    if let work { OtherThread.run(work) }
    return result
  }
}

final class Delegate: ObserverDelegate {
  private let heard: Heard
  init(_ heard: Heard) { self.heard = heard }
  func observerChanged(node: NodeRef, changed: NodeRef) { heard.note("changed") }
  func observerFinished(node: NodeRef) { heard.note("finished") }
}
