import Foundation
import LiveViewMirror
import RecordingFixtures
import Testing

/// Compares scoped with full updates on random pages: both must have the same state after every
/// diff.
///
/// `script/test` applies only a few diffs; `script/test --all` applies 100,000.
/// `MIRROR_ORACLE_STEPS` is the number of diffs over all profiles, and `MIRROR_ORACLE_SEED` the
/// first seed. A failure names the seed of its page: with that value as `MIRROR_ORACLE_SEED`, the
/// page is the first one of its profile. `MIRROR_ORACLE_PROFILE` limits the run to one profile, and
/// `MIRROR_ORACLE_FAULTS` is the number of failing pages after which the run stops.
@Suite struct ScopedOracleTests {
  private static let steps =
    number("MIRROR_ORACLE_STEPS") ?? TestEffort.count(800 * profiles.count, all: 100_000, long: 300_000)
  private static let firstSeed = UInt64(number("MIRROR_ORACLE_SEED") ?? 1)
  private static let faults = number("MIRROR_ORACLE_FAULTS") ?? 1
  /// The pages whose permitted differences are counted, so that ``OracleProfile/deviations`` can
  /// bound them. Always run.
  private static let countedSeeds: Range<UInt64> = 1..<41
  /// The number of pages in one task.
  private static let pagesOfTask = 10

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  /// All profiles, or the one in `MIRROR_ORACLE_PROFILE`.
  private static let profiles = OracleProfile.all.filter { profile in
    ProcessInfo.processInfo.environment["MIRROR_ORACLE_PROFILE"].map { $0 == profile.name } ?? true
  }

  @Test(arguments: profiles)
  func `scoped updates equal full updates on random pages`(profile: OracleProfile) async throws {
    let wanted = Self.steps / Self.profiles.count
    let start = ContinuousClock.now
    var (statistics, faults) = (OracleStatistics(), [OracleRun.Fault]())
    var deviations: [String: Int] = [:]
    try await withThrowingTaskGroup(of: (UInt64, OracleStatistics, [OracleRun.Fault]).self) { group in
      var seed = Self.firstSeed
      func portion() {
        let first = seed
        seed += UInt64(Self.pagesOfTask)
        group.addTask {
          let (part, found) = try Self.run(profile, seeds: first..<first + UInt64(Self.pagesOfTask))
          return (first, part, found)
        }
      }
      for _ in 0..<ProcessInfo.processInfo.activeProcessorCount { portion() }
      for try await (first, part, found) in group {
        statistics.add(part)
        faults += found
        if Self.countedSeeds.contains(first) { deviations.merge(part.deviations, uniquingKeysWith: +) }
        if faults.count < Self.faults, statistics.steps < wanted || Self.countedSeeds.contains(seed) { portion() }
      }
    }
    // The fault with the lowest seed, independent of the order in which the tasks end.
    for fault in faults.sorted(by: { $0.seed < $1.seed }).prefix(Self.faults) {
      Issue.record("\(profile.name), \(fault.report)")
    }
    let time = start.duration(to: .now)
    print("oracle, \(profile.name): \(Int(Double(statistics.steps) / (time / .seconds(1)))) steps/s")
    print(statistics.report)
    #expect(statistics.scopedShare * 100 >= Double(profile.scopedShare))
    guard Self.firstSeed == Self.countedSeeds.lowerBound else { return }
    print("permitted differences of the counted pages of \(profile.name): \(deviations.sorted { $0.key < $1.key })")
    for (deviation, count) in deviations {
      #expect(count <= profile.deviations[deviation] ?? 0, "more diffs differ in \(deviation) than are permitted")
    }
  }

  private static func run(
    _ profile: OracleProfile, seeds: Range<UInt64>
  ) throws -> (OracleStatistics, [OracleRun.Fault]) {
    var (statistics, faults) = (OracleStatistics(), [OracleRun.Fault]())
    for seed in seeds {
      var run = OracleRun(profile: profile, seed: seed)
      let fault = try run.run()
      statistics.add(run.statistics)
      if let fault { faults.append(fault) }
    }
    return (statistics, faults)
  }
}
