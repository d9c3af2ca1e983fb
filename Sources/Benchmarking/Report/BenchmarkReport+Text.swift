package import MirrorSupport

extension BenchmarkReport {
  /// The report for a terminal, as `MirrorBenchmarks` prints it.
  package var text: String {
    var parts = [machineLine]
    if !pages.isEmpty { parts.append(Self.legend + table(of: pages).text() + notes) }
    if !growth.isEmpty { parts.append(Self.growthLegend + growthTable.text()) }
    if !throughput.isEmpty { parts.append("Stages by themselves, single-threaded.\n\n" + throughputTable.text()) }
    if !memory.isEmpty { parts.append(Self.memoryLegend + memoryTable.text()) }
    return parts.joined(separator: "\n")
  }

  /// The tables of `docs/performance.md`.
  package var markdown: String {
    var parts = ["Measured on: \(machineLine)"]
    // The pages of the series are summed up in the table of growth.
    if !pages.isEmpty { parts.append(table(of: pages.filter { !$0.name.hasPrefix("s_") }).markdown + notes) }
    if !growth.isEmpty { parts.append(growthTable.markdown) }
    if !throughput.isEmpty { parts.append(throughputTable.markdown) }
    if !memory.isEmpty { parts.append(memoryTable.markdown) }
    return parts.joined(separator: "\n")
  }

  private var machineLine: String {
    "\(machine.processor), \(Formatted.count(machine.cores, "core")), \(machine.system)"
      + (machine.isOptimised ? "" : "  ! a debug build: these figures mean nothing") + "\n"
  }

  // MARK: - Pages

  private static let legend = """
    One diff, from its JSON text to the published and logged version: median, and ± half the distance of the quartiles.
      elements, diff B  of the page; of one diff, on average
      entries           what one diff says: texts, or entries of a list
      mount             JSON text to the committed page with an observer on every element, ms
      full, scoped      one diff in either pipeline, µs; × is full / scoped
      / parse           the mount, and the full diff without decoding, over parsing the page's markup
      ns/entry          scoped, for each entry of the diff
      allocs            allocations of one diff; – where they cannot be counted
      k instr           thousands of instructions of one diff, if they were counted (script/bench --instructions)


    """

  private func table(of pages: [PageResult]) -> TextTable {
    let countsInstructions = pages.contains { $0.full?.instructions != nil || $0.scoped?.instructions != nil }
    return .ofFigures(
      head: [
        "page", "elements", "diff B", "entries", "mount ms", "/ parse", "full µs", "±", "/ parse",
        "scoped µs", "±", "×", "ns/entry", "allocs full", "scoped",
      ] + (countsInstructions ? ["k instr full", "scoped"] : []),
      rows: pages.map { page in
        [
          page.name, FormattedMeasurement.count(page.elements), FormattedMeasurement.count(Int(page.diffBytes)),
          FormattedMeasurement.number(page.entries),
          FormattedMeasurement.number(page.mount.map { $0.median / 1e6 }),
          FormattedMeasurement.ratio(page.mountOverParse),
          FormattedMeasurement.number(page.full.map { $0.time.median / 1000 }),
          FormattedMeasurement.percent(page.full?.time.relative), FormattedMeasurement.ratio(page.fullOverParse),
          FormattedMeasurement.number(page.scoped.map { $0.time.median / 1000 }),
          FormattedMeasurement.percent(page.scoped?.time.relative),
          FormattedMeasurement.ratio(page.ratio), FormattedMeasurement.number(page.timePerEntry),
          FormattedMeasurement.number(page.full?.allocations?.rounded()),
          FormattedMeasurement.number(page.scoped?.allocations?.rounded()),
        ]
          + (countsInstructions
            ? [page.full, page.scoped].map { FormattedMeasurement.number($0?.instructions.map { $0 / 1000 }) } : [])
      })
  }

  /// Pages with diffs that were not scoped, or whose pipelines made different changes.
  private var notes: String {
    var notes: [(text: String, pages: [String])] = []
    func note(_ text: String, _ page: String) {
      if let position = notes.firstIndex(where: { $0.text == text }) {
        notes[position].pages.append(page)
      } else {
        notes.append((text, [page]))
      }
    }
    for page in pages {
      for reason in page.scoped?.fullReasons ?? [] {
        note("the scoped pipeline used a full update: \(reason)", page.name)
      }
      if page.pipelinesDiffer { note("the pipelines made different changes", page.name) }
    }
    let lines = notes.map { note in
      let named = note.pages.prefix(4).joined(separator: ", ")
      return "! \(named)\(note.pages.count > 4 ? " and \(note.pages.count - 4) more" : ""): \(note.text)\n"
    }
    return lines.isEmpty ? "" : "\n" + lines.joined()
  }

  // MARK: - The rest

  private static let growthLegend = """
    Growth: the log-log slope of a diff's time over the rows of the page. 0: the document's size does not matter; 1: the cost
    follows it. The diffs of a series are equally large.


    """

  private var growthTable: TextTable {
    .ofFigures(
      head: ["series", "rows", "full", "scoped"],
      rows: growth.map { growth in
        [
          growth.series,
          "\(FormattedMeasurement.count(growth.rows.first)) to \(FormattedMeasurement.count(growth.rows.last))",
          growth.full.map { FormattedMeasurement.fixed($0, decimals: 2) } ?? "–",
          growth.scoped.map { FormattedMeasurement.fixed($0, decimals: 2) } ?? "–",
        ]
      })
  }

  private var throughputTable: TextTable {
    .ofFigures(
      head: ["stage", "input", "size", "µs", "±", "MB/s"],
      rows: throughput.map { stage in
        [
          stage.stage, stage.input, FormattedMeasurement.bytes(Double(stage.bytes)),
          FormattedMeasurement.number(stage.time.median / 1000),
          FormattedMeasurement.percent(stage.time.relative), FormattedMeasurement.number(stage.megabytesPerSecond),
        ]
      })
  }

  private static let memoryLegend = """
    Memory of a process of its own: resident before the mount, after it with an observer on every element, and at most in the
    mount and one round of diffs; and what each further version adds.


    """

  private var memoryTable: TextTable {
    .ofFigures(
      head: ["page", "pipeline", "before", "mounted", "at most", "versions", "per version"],
      rows: memory.map { memory in
        [
          memory.page, memory.pipeline, FormattedMeasurement.bytes(Double(memory.before)),
          FormattedMeasurement.bytes(Double(memory.mounted)),
          FormattedMeasurement.bytes(memory.peak.map(Double.init)), FormattedMeasurement.count(memory.versions),
          memory.versions == 0 ? "–" : FormattedMeasurement.bytes(memory.bytesPerVersion),
        ]
      })
  }
}

extension TextTable {
  /// The first column has words, the others have numbers.
  package static func ofFigures(head: [String], rows: [[String]]) -> TextTable {
    TextTable(head: head, rows: rows, rightColumns: Set(head.indices.dropFirst()))
  }
}
