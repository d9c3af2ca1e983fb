import Benchmarking
import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import MirrorSupport
import NodeObservation
import RenderedTree

/// Measures single stages: parsing the markup of a whole page, decoding JSON, and snapshots.
/// ``Run`` runs it after the pages.
struct StageMeasurement {
  var limits = MeasurementLimits()

  func run() throws -> [BenchmarkReport.Throughput] {
    let decoder = WireDecoder()
    var results: [BenchmarkReport.Throughput] = []
    if let page = BenchmarkPages.page("p_page10k") {
      let markup = try Self.markup(of: page)
      results.append(
        contentsOf: measure("MarkupParser.parse", "p_page10k", bytes: markup.count) {
          _ = MarkupParser.parse(markup, dialect: .html)
        })
    }
    for name in ["p_page10k", "e_table10k_cell"] {
      guard let page = BenchmarkPages.page(name) else { continue }
      results.append(
        contentsOf: measure("WireDecoder.decode, mount", name, bytes: page.mount.count) {
          _ = try? decoder.decode(page.mount, as: .rendered)
        })
    }
    if let page = BenchmarkPages.page("b_table1k_cell"), let diff = page.diffs.first {
      results.append(
        contentsOf: measure("WireDecoder.decode, diff", "b_table1k_cell", bytes: diff.count) {
          _ = try? decoder.decode(diff, as: .diff)
        })
    }
    for name in ["a_counter", "e_table10k_cell"] {
      guard let page = BenchmarkPages.page(name) else { continue }
      results += try snapshots(of: page)
    }
    return results
  }

  private func snapshots(of page: BenchmarkPage) throws -> [BenchmarkReport.Throughput] {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    try view.mount(page.mount, dialect: .html)
    guard let state = view.view else { throw BenchmarkError("\(page.name) cannot be mounted") }
    let snapshot = state.snapshot()
    return measure("ViewState.snapshot", page.name, bytes: snapshot.count) { _ = state.snapshot() }
      + measure("ViewState.init(restoring:)", page.name, bytes: snapshot.count) {
        _ = try? ViewState(
          restoring: snapshot, publishers: NodePublishers(), options: view.options, clock: .system)
      }
  }

  static func markup(of page: BenchmarkPage) throws -> [UInt8] {
    guard case .rendered(let rendered) = try WireDecoder().decode(page.mount, as: .rendered).first?.get().content else {
      throw BenchmarkError("\(page.name) cannot be mounted")
    }
    return try Rendered(mounting: rendered).render().markup
  }

  private func measure(_ stage: String, _ input: String, bytes: Int, _ work: () -> Void) -> [BenchmarkReport.Throughput]
  {
    work()
    let batch = bytes < 10_000 ? 1000 : 1
    let samples = (0..<max(1, limits.rounds)).map { _ in limits.timeOfCall(batch: batch, work) }
    return Spread(samples).map { [.init(stage: stage, input: input, bytes: bytes, time: $0)] } ?? []
  }
}
