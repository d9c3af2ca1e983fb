import Foundation
import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import RecordingFixtures
import Testing

/// Random pages that are restored from snapshots and continue. See ``ScopedOracleTests`` for the
/// pages; `MIRROR_SNAPSHOT_STEPS` is the number of diffs over all profiles.
@Suite struct SnapshotOracleTests {
  private static let steps: Int = {
    if let stated = ProcessInfo.processInfo.environment["MIRROR_SNAPSHOT_STEPS"].flatMap({ Int($0) }) { return stated }
    return TestEffort.count(1_000, all: 50_000, long: 150_000)
  }()

  @Test(arguments: OracleProfile.all)
  func `restored at every tenth version, a random page continues as the original`(profile: OracleProfile) async throws {
    let pages = max(1, Self.steps / OracleProfile.all.count / OracleRun.stepsOfPage)
    try await withThrowingTaskGroup(of: String?.self) { group in
      let width = ProcessInfo.processInfo.activeProcessorCount
      for first in 0..<width {
        group.addTask {
          for page in stride(from: first, to: pages, by: width) {
            if let fault = try Self.fault(of: profile, seed: UInt64(page + 1)) { return fault }
          }
          return nil
        }
      }
      for try await fault in group { #expect(fault == nil) }
    }
  }

  /// - Returns: the first difference between a page and a restored one.
  private static func fault(of profile: OracleProfile, seed: UInt64) throws -> String? {
    var page = RandomPage(profile: profile, seed: seed)
    var random = SplitMix(state: ~seed)
    let dialect = random.one(in: 10) ? Dialect.native : .html
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    try view.mount(Array(page.mount().utf8), dialect: dialect)
    var views = RestoredViews(view)
    func at(_ step: Int, _ fault: String) -> String { "\(profile.name), seed \(seed), step \(step): \(fault)" }
    if let fault = try views.restore() { return at(0, fault) }
    for step in 1...OracleRun.stepsOfPage {
      let before = page
      let next = page.step()
      let (result, difference) = views.apply { view throws(UpdateError) in try view.update(next.diff) }
      if let difference { return at(step, difference) }
      if case .rejected = result {
        (page.root, page.components) = (before.root, before.components)
        continue
      }
      if next.isSpoiled { break }
      if !next.destroyed.isEmpty {
        let frame = OraclePair.frame(destroying: next.destroyed)
        let (_, difference) = views.apply { view throws(UpdateError) in
          try view.receive(frame: frame)
          return nil
        }
        if let difference { return at(step, difference) }
      }
      if step % 5 == 0, let fault = views.difference() { return at(step, fault) }
      if step % 10 == 0, let fault = try views.restore() { return at(step, fault) }
    }
    if let fault = views.difference() ?? views.pastDifference() { return at(.max, fault) }
    return nil
  }
}
