/// All measurements of one run. Times are in nanoseconds, memory is in bytes. The command `run` of
/// `MirrorBenchmarks` fills it.
package struct BenchmarkReport: Sendable, Codable {
  package var machine: Machine
  package var pages: [PageResult] = []
  package var growth: [GrowthResult] = []
  package var throughput: [Throughput] = []
  package var memory: [MemoryResult] = []

  package init(machine: Machine) { self.machine = machine }

  /// The machine and the build, which explain differences between runs.
  package struct Machine: Sendable, Codable, Hashable {
    package var system: String
    package var processor: String
    package var cores: Int
    /// Whether this was a release build. The figures of a debug build mean nothing.
    package var isOptimised: Bool

    package init(system: String, processor: String, cores: Int, isOptimised: Bool) {
      self.system = system
      self.processor = processor
      self.cores = cores
      self.isOptimised = isOptimised
    }
  }

  /// The measurements of one page in the two pipelines: full updates and scoped updates.
  package struct PageResult: Sendable, Codable {
    package var name: String
    /// `nil` for a page from a file, because a file does not state the number.
    package var elements: Int?
    package var mountBytes: Int
    package var diffBytes: Double
    package var entries: Double?
    package var mount: Spread?
    /// Parsing the markup of the mounted page; `nil` for a recording with several pages.
    package var parse: Spread?
    /// Decoding one diff, on average.
    package var decode: Spread?
    package var full: DiffCost?
    package var scoped: DiffCost?
    /// Whether the pipelines made different numbers of changes, so that the figures compare
    /// different work.
    package var pipelinesDiffer = false

    package init(name: String, elements: Int?, mountBytes: Int, diffBytes: Double, entries: Double?) {
      self.name = name
      self.elements = elements
      self.mountBytes = mountBytes
      self.diffBytes = diffBytes
      self.entries = entries
    }

    /// How many times faster the scoped pipeline is.
    package var ratio: Double? {
      guard let full, let scoped, scoped.time.median > 0 else { return nil }
      return full.time.median / scoped.time.median
    }

    /// The time of a full update without decoding its diff, divided by the time of parsing the
    /// page.
    package var fullOverParse: Double? {
      guard let full, let decode, let parse, parse.median > 0 else { return nil }
      return (full.time.median - decode.median) / parse.median
    }

    /// The time of a mount from its JSON text, divided by the time of parsing the page.
    package var mountOverParse: Double? {
      guard let mount, let parse, parse.median > 0 else { return nil }
      return mount.median / parse.median
    }

    /// Nanoseconds of the scoped pipeline for each value in the diff.
    package var timePerEntry: Double? {
      guard let scoped, let entries, entries > 0 else { return nil }
      return scoped.time.median / entries
    }
  }

  /// The cost of one diff, from its JSON text to the published and logged version.
  package struct DiffCost: Sendable, Codable {
    package var time: Spread
    /// `nil` if the machine does not count instructions.
    package var instructions: Double?
    package var allocations: Double?
    package var allocatedBytes: Double?
    /// The mean number of changes of a diff.
    package var changes: Double
    /// The distinct reasons for full updates; empty if every diff was scoped.
    package var fullReasons: [String]

    package init(
      time: Spread, instructions: Double? = nil, allocations: Double? = nil, allocatedBytes: Double? = nil,
      changes: Double, fullReasons: [String]
    ) {
      self.time = time
      self.instructions = instructions
      self.allocations = allocations
      self.allocatedBytes = allocatedBytes
      self.changes = changes
      self.fullReasons = fullReasons
    }
  }

  /// How the time of a diff grows with the number of rows in a series of pages: for each pipeline,
  /// the slope that ``Growth`` computes, which is 1 if the time is proportional to the rows.
  package struct GrowthResult: Sendable, Codable, Hashable {
    package var series: String
    package var rows: [Int]
    package var full: Double?
    package var scoped: Double?

    package init(series: String, rows: [Int], full: Double?, scoped: Double?) {
      self.series = series
      self.rows = rows
      self.full = full
      self.scoped = scoped
    }
  }

  /// One stage of the update process, measured separately on one input.
  package struct Throughput: Sendable, Codable {
    package var stage: String
    package var input: String
    package var bytes: Int
    package var time: Spread

    package init(stage: String, input: String, bytes: Int, time: Spread) {
      self.stage = stage
      self.input = input
      self.bytes = bytes
      self.time = time
    }

    /// 10⁶ bytes per second.
    package var megabytesPerSecond: Double { time.median == 0 ? 0 : Double(bytes) * 1000 / time.median }
  }

  /// The memory of one page in a separate process.
  package struct MemoryResult: Sendable, Codable {
    package var page: String
    package var pipeline: String
    /// Resident before the mount: the program, and the page as JSON.
    package var before: Int
    /// Resident after the mount, with an observer on every element.
    package var mounted: Int
    /// The maximum during the mount and one cycle of diffs; `nil` if the system does not report it.
    package var peak: Int?
    package var versions: Int
    /// How much memory each version adds after the first cycle of diffs, including its log entry.
    package var bytesPerVersion: Double

    package init(
      page: String, pipeline: String, before: Int, mounted: Int, peak: Int?, versions: Int, bytesPerVersion: Double
    ) {
      self.page = page
      self.pipeline = pipeline
      self.before = before
      self.mounted = mounted
      self.peak = peak
      self.versions = versions
      self.bytesPerVersion = bytesPerVersion
    }
  }
}

// MARK: - Growth

extension BenchmarkReport {
  /// Computes ``growth`` from the measured pages.
  package mutating func findGrowth() {
    growth = BenchmarkPages.series.compactMap { series in
      let measured = series.pages.compactMap { page in
        pages.first { $0.name == page.name }.map { (page.rows, $0) }
      }
      guard measured.count > 1 else { return nil }
      func slope(_ cost: (PageResult) -> DiffCost?) -> Double? {
        Growth.slope(measured.compactMap { rows, page in cost(page).map { (Double(rows), $0.time.median) } })
      }
      return GrowthResult(
        series: series.name, rows: measured.map(\.0), full: slope(\.full), scoped: slope(\.scoped))
    }
  }
}
