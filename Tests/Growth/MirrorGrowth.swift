import ArgumentParser
import Benchmarking
import CLibrary
import MirrorSupport

/// `script/load growth`: how the processor time of an update grows with its input.
@main
struct MirrorGrowth: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "growth",
    abstract: "How processor time grows with the input: each input in five sizes, n to 16n.",
    discussion: """
      The slope is the exponent of the growth: 1 is linear, 2 is quadratic. It must be at most 1.2. An input that is \
      refused counts as held where the refusal itself is cheap. A scoped update may take at most 1.5 times the \
      processor time of the full one.
      """)

  @Argument(help: "Only inputs whose name contains one of these words.")
  var names: [String] = []

  @Flag(help: "An eighth of every size, for CI.")
  var quick = false

  @Flag(help: "Print the table as Markdown.")
  var markdown = false

  @Flag(help: "Print the names of the inputs.")
  var list = false

  @Option(help: "Skip the larger sizes of an input once one measurement takes this many seconds.")
  var patience = 20.0

  func run() throws {
    let inputs = GrowthInput.all.filter { input in names.isEmpty || names.contains { input.name.contains($0) } }
    if inputs.isEmpty { throw ValidationError("no input has such a name; --list prints the names") }
    if list { return inputs.forEach { print($0.name) } }
    let limits = quick ? GrowthMeasurement.Limits.quick(patience: patience) : .full(patience: patience)
    var results: [GrowthResult] = []
    for input in inputs {
      let found = input.measure(limits)
      for result in found { show(result, among: found) }
      results += found
    }
    if markdown { print("\n" + GrowthResult.table(of: results).markdown) }
    let failures = results.filter { !$0.faults(among: results, within: bounds).isEmpty }
    print("\(results.count) measurements of \(inputs.count) inputs, \(failures.count) do not hold")
    if !failures.isEmpty { throw ExitCode.failure }
  }

  private var bounds: GrowthResult.Bounds { quick ? .quick : .full }

  private func show(_ result: GrowthResult, among others: [GrowthResult]) {
    let faults = result.faults(among: others, within: bounds)
    let cells = result.cells(among: others)
    let line = zip(cells, [-50, -8, 14, 20, 6, 7]).map { cell, width in
      let padding = String(repeating: " ", count: max(0, abs(width) - cell.count))
      return width < 0 ? cell + padding : padding + cell
    }.joined(separator: " ")
    print((faults.isEmpty ? "  " : "✗ ") + line + (faults.isEmpty ? "" : "  " + faults.joined(separator: "; ")))
    fflush(nil)
  }
}
