import Benchmarking
import MarkupDocument
import MirrorSupport
import NodeObservation
import RenderedTree

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// Measures the memory and the creation time of observers of every element of a large page.
/// ``Publish`` runs it.
enum ObserverMeasurement {
  private static let page = "e_table10k_cell"

  private static func markup() throws -> [UInt8] {
    guard let page = BenchmarkPages.page(page) else { throw BenchmarkError("there is no page \(page)") }
    return try StageMeasurement.markup(of: page)
  }

  private static func coordinator() throws -> (DocumentCoordinator, elements: [NodeRef]) {
    let coordinator = DocumentCoordinator(markup: String(decoding: try markup(), as: UTF8.self), dialect: .html)
    let document = coordinator.document
    return (coordinator, document.nodes(from: document.root).filter { document.content(of: $0)?.element != nil })
  }

  // MARK: - Memory

  /// Bytes of one observed node: the difference of resident memory with and without all observers,
  /// divided by their number. Every measurement has a new coordinator, since the table of observers
  /// never shrinks. The array of the observers accounts for 8 of the bytes.
  static func memory() throws -> [(name: String, bytes: Double)] {
    func measure<Held>(
      _ name: String, _ make: (DocumentCoordinator, NodeRef, Listener) -> Held
    ) throws -> (name: String, bytes: Double) {
      let (coordinator, nodes) = try coordinator()
      let listeners = nodes.map { _ in Listener() }
      var held: [Held] = []
      held.reserveCapacity(nodes.count)
      let before = ProcessMemory.used
      for (node, listener) in zip(nodes, listeners) { held.append(make(coordinator, node, listener)) }
      let after = ProcessMemory.used
      return withExtendedLifetime((held, listeners, coordinator)) {
        (name, Double(after - before) / Double(nodes.count))
      }
    }
    return [
      try measure("Observer") { coordinator, node, _ in Observer(of: node, in: coordinator) },
      try measure("Observer with a closure") { coordinator, node, _ in Observer(of: node, in: coordinator) { _ in } },
      try measure("Observer with a delegate, what the delegate's weak reference takes included") {
        Observer(of: $1, in: $0, isCountedByMirror: true, delegate: $2)
      },
      try measure("Observer that has looked its element up") { coordinator, node, _ in
        let observer = Observer(of: node, in: coordinator)
        _ = observer.element
        return observer
      },
      try measure("subscription of a closure") { coordinator, node, _ in
        coordinator.publishers.subscribe(to: node) { _ in }
      },
      try measure("sink of elementChanged") { coordinator, node, _ in
        coordinator.elementChanged(node).sink { _ in }
      },
    ]
  }

  private final class Listener: ObserverDelegate {
    func observerChanged(node: NodeRef, changed: NodeRef) {}
    func observerFinished(node: NodeRef) {}
  }

  // MARK: - Time

  struct Mount {
    var page: String
    var elements: Int
    var times: [(name: String, time: Spread)]
  }

  /// Measures the creation of an observer on every element, and the parse of the page for
  /// comparison.
  static func mount(rounds: Int) throws -> Mount {
    let markup = try markup()
    let (coordinator, nodes) = try coordinator()
    let listener = Listener()
    var parses: [Double] = []
    var mounts: [Double] = []
    var delegates: [Double] = []
    for _ in 0...max(1, rounds) {
      parses.append(time { MarkupParser.parse(markup, dialect: .html) })
      mounts.append(time { nodes.map { Observer(of: $0, in: coordinator) } })
      delegates.append(
        time { nodes.map { Observer(of: $0, in: coordinator, isCountedByMirror: true, delegate: listener) } })
    }
    // The first round is the warm-up.
    let times = [
      ("parse of the page", parses), ("an Observer on every element", mounts),
      ("the same, for a delegate", delegates),
    ]
    return Mount(
      page: page, elements: nodes.count,
      times: times.compactMap { name, samples in Spread(Array(samples.dropFirst())).map { (name, $0) } })
  }

  /// The processor time of `work` in nanoseconds. The release of its result is not measured.
  private static func time<Result>(_ work: () -> Result) -> Double {
    let start = Clock.threadCPUTime
    let result = work()
    let end = Clock.threadCPUTime
    return withExtendedLifetime(result) { Double(end - start) }
  }
}
