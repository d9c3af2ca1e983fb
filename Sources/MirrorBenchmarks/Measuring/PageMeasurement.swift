import Benchmarking
import LiveViewMirror
import MarkupDocument
import RenderedTree

/// The time limits of the measurement.
struct MeasurementLimits {
  /// The minimum duration of one sample in nanoseconds. A sample of fast diffs contains many of
  /// them.
  var sample: UInt64 = 50_000_000
  /// The number of rounds. Each round measures both pipelines.
  var rounds = 9
  /// The maximum duration for a page. Slow pages have fewer rounds, but at least three.
  var page: UInt64 = 5_000_000_000

  static let quick = MeasurementLimits(sample: 10_000_000, rounds: 5, page: 1_000_000_000)

  /// The mean processor time of one call in nanoseconds, measured in one sample.
  ///
  /// - Parameter batch: the number of calls for each reading of the clock. Short calls need a large
  ///   number, because reading the clock takes about as long as one of them.
  func timeOfCall(batch: Int = 1, _ work: () -> Void) -> Double {
    let start = Clock.threadCPUTime
    var (calls, time) = (0, UInt64(0))
    repeat {
      for _ in 0..<batch { work() }
      calls += batch
      time = Clock.threadCPUTime - start
    } while time < sample
    return Double(time) / Double(calls)
  }
}

/// Measures one workload. The two pipelines alternate, so that other work on the machine affects
/// both. ``Run`` makes one for each page.
struct PageMeasurement {
  /// The maximum number of diffs or mounts in one sample. The log of a longer sample would slow
  /// down the diffs.
  private static let longestSample = 20_000

  var workload: Workload
  var pipelines: [UpdateOptions.Pipeline]
  var limits: MeasurementLimits
  /// Whether the views of the page are also evaluated.
  var drawsPage = false
  private let instructions = InstructionCounter()

  func run() -> BenchmarkReport.PageResult {
    var samples: [UpdateOptions.Pipeline: Samples] = [:]
    var (mounts, parses, decodes): ([Double], [Double], [Double]) = ([], [], [])
    for pipeline in pipelines { samples[pipeline] = measureOnce(in: pipeline) }
    let page = page
    let start = Clock.now
    for round in 1...max(1, limits.rounds) {
      // The pipelines take turns in being first.
      for pipeline in round.isMultiple(of: 2) ? pipelines.reversed() : pipelines {
        samples[pipeline]?.add(sample(pipeline))
      }
      mounts.append(sampleMounts())
      if let page {
        parses.append(limits.timeOfCall { _ = MarkupParser.parse(page.markup, dialect: page.dialect) })
        decodes.append(decodingTime)
      }
      let spent = Clock.now - start
      if round >= 3, spent + spent / UInt64(round) > limits.page { break }
    }

    let diffs = workload.diffs
    var result = BenchmarkReport.PageResult(
      name: workload.name, elements: workload.elements, mountBytes: workload.mounts.reduce(0) { $0 + $1.count },
      diffBytes: Double(diffs.reduce(0) { $0 + $1.count }) / Double(max(1, diffs.count)), entries: workload.entries)
    result.mount = Spread(mounts)
    result.parse = Spread(parses)
    result.decode = Spread(decodes)
    result.full = samples[.full]?.cost
    result.scoped = samples[.scoped]?.cost
    if let full = samples[.full], let scoped = samples[.scoped] {
      result.pipelinesDiffer = full.changes != scoped.changes
    }
    return result
  }

  private func session(in pipeline: UpdateOptions.Pipeline) -> Session {
    Session(workload, pipeline: pipeline, drawsPage: drawsPage)
  }

  // MARK: - Samples

  /// The samples of one pipeline.
  private struct Samples {
    var times: [Double] = []
    var instructions: [Double] = []
    var allocations: Double?
    var allocatedBytes: Double?
    var changes = 0.0
    var fullReasons: [String] = []

    mutating func add(_ sample: (time: Double, instructions: Double?)?) {
      guard let sample else { return }
      times.append(sample.time)
      if let count = sample.instructions { instructions.append(count) }
    }

    var cost: BenchmarkReport.DiffCost? {
      guard let time = Spread(times) else { return nil }
      return BenchmarkReport.DiffCost(
        time: time, instructions: Spread(instructions)?.median, allocations: allocations,
        allocatedBytes: allocatedBytes, changes: changes, fullReasons: fullReasons)
    }
  }

  /// Measures what every round would repeat: changes, reasons of full updates and allocations. Also
  /// serves as the warm-up.
  private func measureOnce(in pipeline: UpdateOptions.Pipeline) -> Samples {
    var samples = Samples()
    var changes = 0
    session(in: pipeline).play { record in
      guard record.version > 0 else { return }
      changes += record.changeSet.changes.count
      if pipeline == .scoped, case .full(let reason) = record.path, !samples.fullReasons.contains(reason) {
        samples.fullReasons.append(reason)
      }
    }
    let diffs = Double(max(1, workload.diffs.count))
    samples.changes = Double(changes) / diffs
    guard workload.isCycle else { return samples }
    let session = session(in: pipeline)
    session.mount()
    session.playDiffs()
    let allocated = Allocations.count { session.playDiffs() }
    samples.allocations = allocated.map { $0.number / diffs }
    samples.allocatedBytes = allocated.map { $0.bytes / diffs }
    return samples
  }

  /// Nanoseconds and instructions of one diff; `nil` without diffs.
  private func sample(_ pipeline: UpdateOptions.Pipeline) -> (time: Double, instructions: Double?)? {
    let diffs = workload.diffs.count
    guard diffs > 0 else { return nil }
    var played = 0
    var time: UInt64 = 0
    guard workload.isCycle else {
      while time < limits.sample, played < Self.longestSample {
        let session = session(in: pipeline)
        session.play()
        time += session.diffTime
        played += diffs
      }
      return (Double(time) / Double(played), nil)
    }
    let session = session(in: pipeline)
    session.mount()
    session.playDiffs()
    let count = instructions.count {
      let start = Clock.threadCPUTime
      repeat {
        session.playDiffs()
        played += diffs
        time = Clock.threadCPUTime - start
      } while time < limits.sample && played < Self.longestSample
    }
    return (Double(time) / Double(played), count.map { $0 / Double(played) })
  }

  /// The markup of the mounted page. The report divides the times of mounts and full updates by
  /// that of its parse. `nil` if the workload is not a cycle.
  private var page: (markup: [UInt8], dialect: Dialect)? {
    guard workload.isCycle, case .mount(_, _, let dialect)? = workload.steps.first else { return nil }
    let session = session(in: .full)
    session.mount()
    return session.markup.map { ($0, dialect) }
  }

  /// Nanoseconds of decoding one diff, on average.
  private var decodingTime: Double {
    let (decoder, diffs) = (WireDecoder(), workload.diffs)
    let time = limits.timeOfCall { for diff in diffs { _ = try? decoder.decode(diff, as: .diff) } }
    return time / Double(max(1, diffs.count))
  }

  /// Nanoseconds of one mount.
  private func sampleMounts() -> Double {
    var mounted = 0
    var time: UInt64 = 0
    let mounts = workload.mounts.count
    guard mounts > 0 else { return 0 }
    while time < limits.sample, mounted < Self.longestSample {
      // Mounts are measured in the default pipeline, `scoped`. A mount is a full update in both
      // pipelines, but the scoped one may also prepare later updates.
      let session = session(in: .scoped)
      if workload.isCycle {
        let start = Clock.threadCPUTime
        session.mount()
        time += Clock.threadCPUTime - start
      } else {
        session.play()
        time += session.mountTime
      }
      mounted += mounts
    }
    return Double(time) / Double(mounted)
  }
}
