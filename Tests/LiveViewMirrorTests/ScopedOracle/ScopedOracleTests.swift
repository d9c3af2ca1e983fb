import Foundation
import LiveViewMirror
import Testing

/// Scoped updates against full ones, on random pages: after every diff the two must hold the same.
///
/// `MIRROR_ORACLE_STEPS` says how many diffs there are, over all profiles, and `MIRROR_ORACLE_SEED` where the seeds begin.
/// A failure names the seed of its page: with that as `MIRROR_ORACLE_SEED`, the page is the first one of its profile.
@Suite struct ScopedOracleTests {
  private static let steps = number("MIRROR_ORACLE_STEPS") ?? 200_000
  private static let firstSeed = UInt64(number("MIRROR_ORACLE_SEED") ?? 1)
  /// Pages are made in portions, one a task.
  private static let pagesOfTask = 10

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  @Test("scoped updates do what full ones do", arguments: OracleProfile.all)
  func oracle(profile: OracleProfile) async throws {
    let wanted = Self.steps / OracleProfile.all.count
    let start = ContinuousClock.now
    var (statistics, fault) = (OracleStatistics(), OracleRun.Fault?.none)
    try await withThrowingTaskGroup(of: (OracleStatistics, OracleRun.Fault?).self) { group in
      var seed = Self.firstSeed
      func portion() {
        let first = seed
        seed += UInt64(Self.pagesOfTask)
        group.addTask { try Self.run(profile, seeds: first..<first + UInt64(Self.pagesOfTask)) }
      }
      for _ in 0..<ProcessInfo.processInfo.activeProcessorCount { portion() }
      for try await (part, found) in group {
        statistics.add(part)
        // The first of all, whichever task is the faster one.
        if let found, found.seed < fault?.seed ?? .max { fault = found }
        if fault == nil, statistics.steps < wanted { portion() }
      }
    }
    if let fault { Issue.record("\(profile.name), \(fault.report)") }
    let time = start.duration(to: .now)
    print("oracle, \(profile.name): \(Int(Double(statistics.steps) / (time / .seconds(1)))) steps/s")
    print(statistics.report)
    #expect(statistics.scopedShare * 100 >= Double(profile.scopedShare))
  }

  private static func run(
    _ profile: OracleProfile, seeds: Range<UInt64>
  ) throws -> (OracleStatistics, OracleRun.Fault?) {
    var statistics = OracleStatistics()
    for seed in seeds {
      var run = OracleRun(profile: profile, seed: seed)
      let fault = try run.run()
      statistics.add(run.statistics)
      if let fault { return (statistics, fault) }
    }
    return (statistics, nil)
  }
}
