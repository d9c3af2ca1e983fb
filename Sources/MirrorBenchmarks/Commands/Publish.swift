import ArgumentParser
import Benchmarking
import MirrorSupport

/// Measures what it costs to notify one observer through the registry, `NodePublishers`, compared
/// with simpler designs without it.
struct Publish: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure what a signal costs, and an observer.",
    discussion: """
      A thousand nodes with one observer each, told in turn: by a bare dictionary of closures, which knows nobody that is \
      cancelled and no second thread, by the registry, and by a subject of Combine for each node. Then what an observer \
      takes of memory, and how long it takes to mount one on every element of a large page, beside the parse of that page.
      """)

  @Option(help: "Rounds of all ways in turn.")
  var rounds = 15

  @Flag(help: "Print the tables as Markdown, as they stand in docs/performance.md.")
  var markdown = false

  func run() throws {
    let times = SignalMeasurement(rounds: rounds).run()
    let bare = times.first?.time.median ?? 1
    show(
      .ofFigures(
        head: ["one signal to one observer", "ns", "± %", "× bare"],
        rows: times.map { result in
          [
            result.name, FormattedMeasurement.number(result.time.median),
            FormattedMeasurement.number(result.time.relative * 100),
            FormattedMeasurement.number(result.time.median / bare),
          ]
        }))

    let memory = try ObserverMeasurement.memory()
    show(
      .ofFigures(
        head: ["memory of an observed node", "bytes"],
        rows: memory.map { [$0.name, FormattedMeasurement.number($0.bytes)] }))

    let mount = try ObserverMeasurement.mount(rounds: rounds)
    show(
      .ofFigures(
        head: ["\(mount.page), \(mount.elements) elements", "ms"],
        rows: mount.times.map { [$0.name, FormattedMeasurement.number($0.time.median / 1_000_000)] }))
  }

  private func show(_ table: TextTable) { print(markdown ? table.markdown : table.text()) }
}
