import Foundation
import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import RecordingFixtures
import TestSupport
import Testing

@testable import LiveViewMirror

/// Random pages that are loaded from their journal: all inputs are applied again, and the log is
/// evicted and snapshots are written on the way. See ``ScopedOracleTests`` for the pages;
/// `MIRROR_JOURNAL_STEPS` is the number of diffs over all profiles.
@Suite struct JournalOracleTests {
  private static let steps: Int = {
    if let stated = ProcessInfo.processInfo.environment["MIRROR_JOURNAL_STEPS"].flatMap({ Int($0) }) { return stated }
    return TestEffort.count(1_000, all: 50_000, long: 150_000)
  }()

  @Test(arguments: OracleProfile.all)
  func `a random page that is loaded from its journal is the same, byte for byte`(profile: OracleProfile) throws {
    let pages = max(1, Self.steps / OracleProfile.all.count / OracleRun.stepsOfPage)
    for seed in 1...UInt64(pages) {
      var page = RandomPage(profile: profile, seed: seed)
      let store = MemoryStore()
      // Few versions, so that entries are evicted and the view is loaded from a snapshot.
      let limits = MirrorLimits(versions: seed.isMultiple(of: 2) ? 40 : 10_000)
      let journal = try Journal(store)
      defer { journal.stop() }
      let views = try LiveViews(options: UpdateOptions().withAnalyses, limits: limits, listener: nil, journal: journal)
      _ = try views.mount("main", Array(page.mount().utf8), dialect: .html)
      for _ in 1...OracleRun.stepsOfPage {
        let before = page
        let next = page.step()
        do { _ = try views.update("main", Array(next.diff.utf8)) } catch {
          (page.root, page.components) = (before.root, before.components)
          continue
        }
        if next.isSpoiled { break }
      }
      let before = try #require(views["main"]?.view)
      #expect(views.unloadIdle(for: .zero) == 1)
      let after = try #require(views["main"]?.view)
      #expect(after.snapshot() == before.snapshot(), "seed \(seed)")
      #expect(after.firstVersion == before.firstVersion)
      #expect(after.document.isSame(as: before.document))
      let (left, right) = (before.log.last(.max), after.log.last(.max))
      #expect(left.map(\.cursor) == right.map(\.cursor))
      for (one, other) in zip(left, right) {
        let texts = [one.comparable, other.comparable]
        if texts[0] != texts[1] { Issue.record("seed \(seed), \(one.cursor): \(texts[0])\n\(texts[1])"); break }
      }
    }
  }
}

extension ChangeLog.Entry {
  /// Everything in an entry.
  fileprivate var comparable: String {
    switch outcome {
    case .applied(let record):
      "\(destroyed) \(record.epoch).\(record.version) \(record.at) \(record.bytes) \(record.nodeCount) \(record.changeSet) \(record.slots) "
        + "\(record.notified) \(record.observerCount) \(record.waste) \(record.isolation) \(record.path) \(record.timings) "
        + "\(record.diagnostics) \(record.input)"
    case .rejected(let rejection): "\(destroyed) \(rejection)"
    }
  }
}
