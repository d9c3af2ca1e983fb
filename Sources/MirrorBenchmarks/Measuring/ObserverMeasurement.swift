import Benchmarking
import MarkupDocument
import NodeObservation
import RenderedTree

#if canImport(Combine)
  import Combine
#else
  import OpenCombine
#endif

/// Measures observers of every element of a large page: what they take, and how long it takes to make them.
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

  /// Bytes of one observed node: what is resident with all observers less what is without, over their number. Each
  /// array that holds them is counted, too.
  static func memory() throws -> [(name: String, bytes: Double)] {
    let (coordinator, nodes) = try coordinator()
    func measure<Held>(_ name: String, _ make: (NodeRef) -> Held) -> (name: String, bytes: Double) {
      let before = ProcessMemory.resident
      let held = nodes.map(make)
      let after = ProcessMemory.resident
      return withExtendedLifetime(held) { (name, Double(after - before) / Double(nodes.count)) }
    }
    let listener = Listener()
    let listeners = nodes.map { _ in Listener() }
    var next = 0
    return [
      measure("Observer of one delegate") { Observer(of: $0, in: coordinator, standingIn: true, delegate: listener) },
      measure("Observer of a delegate each") { node in
        defer { next += 1 }
        return Observer(of: node, in: coordinator, standingIn: true, delegate: listeners[next])
      },
      measure("Observer that has looked its element up") { node in
        let observer = Observer(of: node, in: coordinator, standingIn: true, delegate: listener)
        _ = observer.element
        return observer
      },
      measure("subscription of a closure") { coordinator.publishers.subscribe(to: $0) { _ in } },
      measure("sink of elementChanged") { coordinator.elementChanged($0).sink { _ in } },
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
        time { nodes.map { Observer(of: $0, in: coordinator, standingIn: true, delegate: listener) } })
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

  /// Nanoseconds; letting go of the result is not among them.
  private static func time<Result>(_ work: () -> Result) -> Double {
    let start = Clock.worked
    let result = work()
    let end = Clock.worked
    return withExtendedLifetime(result) { Double(end - start) }
  }
}
