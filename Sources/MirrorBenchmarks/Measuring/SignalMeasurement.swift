import Benchmarking
import MarkupDocument
import NodeObservation

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// Measures the delivery of one signal to one observer in several designs. ``Publish`` runs it.
struct SignalMeasurement {
  struct Result {
    var name: String
    var time: Spread
  }

  var rounds: Int
  private static let nodeCount = 1000

  private struct Design {
    var name: String
    /// Notifies all nodes once.
    var notifyAll: () -> Void
    /// The number of notifications that the observers have counted.
    var notificationCount: () -> Int
    var samples: [Double] = []
  }

  func run() -> [Result] {
    var designs = [
      bare, closures, delegates(lookUp: false), delegates(lookUp: true), mounted, publishers, subjects, publications,
    ]
    for position in designs.indices { designs[position].notifyAll() }
    for _ in 0..<max(1, rounds) {
      for position in designs.indices { designs[position].samples.append(sample(designs[position])) }
    }
    return designs.compactMap { design in Spread(design.samples).map { Result(name: design.name, time: $0) } }
  }

  /// Notifies all nodes repeatedly, for at least 20 ms of CPU time. Returns the time of one signal
  /// in nanoseconds.
  private func sample(_ design: Design) -> Double {
    let before = design.notificationCount()
    let start = Clock.threadCPUTime
    var rounds = 0
    repeat {
      for _ in 0..<10 { design.notifyAll() }
      rounds += 10
    } while Clock.threadCPUTime - start < 20_000_000
    let time = Double(Clock.threadCPUTime - start)
    precondition(
      design.notificationCount() - before == rounds * Self.nodeCount, "each signal notifies each observer once")
    return time / Double(rounds * Self.nodeCount)
  }

  // MARK: - Designs

  /// Not synchronised, because signals are delivered on the measuring thread, which also reads the
  /// count.
  private final class Count: @unchecked Sendable {
    var value = 0
  }

  private final class Listener: ObserverDelegate, @unchecked Sendable {
    let count: Count
    init(_ count: Count) { self.count = count }
    func observerChanged(node: NodeRef, changed: NodeRef) { count.value &+= 1 }
    func observerFinished(node: NodeRef) {}
  }

  /// A page with ``nodeCount`` elements. Their nodes are notified in random order.
  private var coordinator: DocumentCoordinator {
    DocumentCoordinator(markup: (0..<Self.nodeCount).map { "<p id=n\($0) class=row>" }.joined(), dialect: .html)
  }

  private func nodes(of coordinator: DocumentCoordinator) -> [NodeRef] {
    let document = coordinator.document
    var random = SystemRandomNumberGenerator()
    return document.children(of: document.root).shuffled(using: &random)
  }

  private var bare: Design {
    let nodes = nodes(of: coordinator)
    let count = Count()
    var closures: [NodeRef: [(NodeSignal) -> Void]] = [:]
    for node in nodes { closures[node] = [{ _ in count.value &+= 1 }] }
    return Design(name: "bare dictionary of closures") {
      for node in nodes {
        guard let known = closures[node] else { continue }
        for closure in known { closure(.changed(node)) }
      }
    } notificationCount: {
      count.value
    }
  }

  private var closures: Design {
    let nodes = nodes(of: coordinator)
    let count = Count()
    let publishers = NodePublishers()
    let subscriptions = nodes.map { publishers.subscribe(to: $0) { _ in count.value &+= 1 } }
    return Design(name: "registry, closure") {
      for node in nodes { publishers.send(to: node) }
    } notificationCount: {
      withExtendedLifetime(subscriptions) { count.value }
    }
  }

  private func delegates(lookUp: Bool) -> Design {
    let coordinator = coordinator
    let nodes = nodes(of: coordinator)
    let count = Count()
    let listeners = nodes.map { _ in Listener(count) }
    let observers = zip(nodes, listeners).map { node, listener in
      Observer(of: node, in: coordinator, isCountedByMirror: true, delegate: listener)
    }
    if lookUp { for observer in observers { _ = observer.element } }
    return Design(name: lookUp ? "registry, Observer that looks its element up" : "registry, Observer") {
      for node in nodes { coordinator.publishers.send(to: node) }
    } notificationCount: {
      withExtendedLifetime((observers, listeners)) { count.value }
    }
  }

  private var mounted: Design {
    let coordinator = coordinator
    let nodes = nodes(of: coordinator)
    let count = Count()
    let document = coordinator.document
    var counters = MountedObservers(publishers: coordinator.publishers)
    counters.replaceDocument(root: document.root)
    _ = counters.follow(ChangeSet(from: Document(dialect: .html, epoch: document.epoch), to: document))
    let subscriptions = nodes.map { coordinator.publishers.subscribe(to: $0) { _ in count.value &+= 1 } }
    return Design(name: "registry, closure and the mirror's counter") {
      for node in nodes { coordinator.publishers.send(to: node) }
    } notificationCount: {
      withExtendedLifetime(subscriptions) { count.value }
    }
  }

  private var publishers: Design {
    let coordinator = coordinator
    let nodes = nodes(of: coordinator)
    let count = Count()
    let sinks = nodes.map { coordinator.elementChanged($0).sink { _ in count.value &+= 1 } }
    return Design(name: "registry, sink of elementChanged") {
      for node in nodes { coordinator.publishers.send(to: node) }
    } notificationCount: {
      withExtendedLifetime(sinks) { count.value }
    }
  }

  /// The cost of an empty publication.
  private var publications: Design {
    let count = Count()
    return Design(name: "an empty Publication.run") {
      for _ in 0..<Self.nodeCount { Publication.run { count.value &+= 1 } }
    } notificationCount: {
      count.value
    }
  }

  private var subjects: Design {
    let nodes = nodes(of: coordinator)
    let count = Count()
    var subjects: [NodeRef: PassthroughSubject<NodeRef, Never>] = [:]
    for node in nodes { subjects[node] = PassthroughSubject() }
    let sinks = nodes.compactMap { subjects[$0]?.sink { _ in count.value &+= 1 } }
    return Design(name: "dictionary of PassthroughSubjects, sink") {
      for node in nodes { subjects[node]?.send(node) }
    } notificationCount: {
      withExtendedLifetime(sinks) { count.value }
    }
  }
}
