import Benchmarking
import MarkupDocument
import NodeObservation

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// Measures the delivery of one signal to one observer in several designs.
struct SignalMeasurement {
  struct Way {
    var name: String
    var time: Spread
  }

  var rounds: Int
  private static let nodeCount = 1000

  private struct Attempt {
    var name: String
    /// Notifies all nodes once.
    var tellAll: () -> Void
    /// The number of notifications that the observers have counted.
    var heard: () -> Int
    var samples: [Double] = []
  }

  func run() -> [Way] {
    var attempts = [
      bare, closures, delegates(lookUp: false), delegates(lookUp: true), mounted, publishers, subjects, publications,
    ]
    for position in attempts.indices { attempts[position].tellAll() }
    for _ in 0..<max(1, rounds) {
      for position in attempts.indices { attempts[position].samples.append(sample(attempts[position])) }
    }
    return attempts.compactMap { attempt in Spread(attempt.samples).map { Way(name: attempt.name, time: $0) } }
  }

  /// Nanoseconds of one signal.
  private func sample(_ attempt: Attempt) -> Double {
    let before = attempt.heard()
    let start = Clock.worked
    var rounds = 0
    repeat {
      for _ in 0..<10 { attempt.tellAll() }
      rounds += 10
    } while Clock.worked - start < 20_000_000
    let time = Double(Clock.worked - start)
    precondition(attempt.heard() - before == rounds * Self.nodeCount, "everybody is told once")
    return time / Double(rounds * Self.nodeCount)
  }

  // MARK: - Designs

  private final class Count: @unchecked Sendable {
    var value = 0
  }

  private final class Listener: ObserverDelegate, @unchecked Sendable {
    let count: Count
    init(_ count: Count) { self.count = count }
    func observerChanged(node: NodeRef, changed: NodeRef) { count.value &+= 1 }
    func observerFinished(node: NodeRef) {}
  }

  /// A page with this number of elements. Their nodes are notified in random order.
  private var coordinator: DocumentCoordinator {
    DocumentCoordinator(markup: (0..<Self.nodeCount).map { "<p id=n\($0) class=row>" }.joined(), dialect: .html)
  }

  private func nodes(of coordinator: DocumentCoordinator) -> [NodeRef] {
    let document = coordinator.document
    var random = SystemRandomNumberGenerator()
    return document.children(of: document.root).shuffled(using: &random)
  }

  private var bare: Attempt {
    let nodes = nodes(of: coordinator)
    let count = Count()
    var closures: [NodeRef: [(NodeSignal) -> Void]] = [:]
    for node in nodes { closures[node] = [{ _ in count.value &+= 1 }] }
    return Attempt(name: "bare dictionary of closures") {
      for node in nodes {
        guard let known = closures[node] else { continue }
        for closure in known { closure(.changed(node)) }
      }
    } heard: {
      count.value
    }
  }

  private var closures: Attempt {
    let nodes = nodes(of: coordinator)
    let count = Count()
    let publishers = NodePublishers()
    let subscriptions = nodes.map { publishers.subscribe(to: $0) { _ in count.value &+= 1 } }
    return Attempt(name: "registry, closure") {
      for node in nodes { publishers.send(to: node) }
    } heard: {
      withExtendedLifetime(subscriptions) { count.value }
    }
  }

  private func delegates(lookUp: Bool) -> Attempt {
    let coordinator = coordinator
    let nodes = nodes(of: coordinator)
    let count = Count()
    let listeners = nodes.map { _ in Listener(count) }
    let observers = zip(nodes, listeners).map { node, listener in
      Observer(of: node, in: coordinator, isCountedByMirror: true, delegate: listener)
    }
    if lookUp { for observer in observers { _ = observer.element } }
    return Attempt(name: lookUp ? "registry, Observer that looks its element up" : "registry, Observer") {
      for node in nodes { coordinator.publishers.send(to: node) }
    } heard: {
      withExtendedLifetime((observers, listeners)) { count.value }
    }
  }

  private var mounted: Attempt {
    let coordinator = coordinator
    let nodes = nodes(of: coordinator)
    let count = Count()
    let document = coordinator.document
    var counters = MountedObservers(publishers: coordinator.publishers)
    counters.replaceDocument(root: document.root)
    _ = counters.follow(ChangeSet(from: Document(dialect: .html, epoch: document.epoch), to: document))
    let subscriptions = nodes.map { coordinator.publishers.subscribe(to: $0) { _ in count.value &+= 1 } }
    return Attempt(name: "registry, closure and the mirror's counter") {
      for node in nodes { coordinator.publishers.send(to: node) }
    } heard: {
      withExtendedLifetime(subscriptions) { count.value }
    }
  }

  private var publishers: Attempt {
    let coordinator = coordinator
    let nodes = nodes(of: coordinator)
    let count = Count()
    let sinks = nodes.map { coordinator.elementChanged($0).sink { _ in count.value &+= 1 } }
    return Attempt(name: "registry, sink of elementChanged") {
      for node in nodes { coordinator.publishers.send(to: node) }
    } heard: {
      withExtendedLifetime(sinks) { count.value }
    }
  }

  /// The cost of an empty publication.
  private var publications: Attempt {
    let count = Count()
    return Attempt(name: "an empty Publication.run") {
      for _ in 0..<Self.nodeCount { Publication.run { count.value &+= 1 } }
    } heard: {
      count.value
    }
  }

  private var subjects: Attempt {
    let nodes = nodes(of: coordinator)
    let count = Count()
    var subjects: [NodeRef: PassthroughSubject<NodeRef, Never>] = [:]
    for node in nodes { subjects[node] = PassthroughSubject() }
    let sinks = nodes.compactMap { subjects[$0]?.sink { _ in count.value &+= 1 } }
    return Attempt(name: "dictionary of PassthroughSubjects, sink") {
      for node in nodes { subjects[node]?.send(node) }
    } heard: {
      withExtendedLifetime(sinks) { count.value }
    }
  }
}
