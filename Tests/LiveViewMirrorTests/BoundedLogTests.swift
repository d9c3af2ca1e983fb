import MarkupDocument
import MirrorViews
import RecordingFixtures
import RenderedTree
import Testing

@testable import LiveViewMirror
import MirrorAnalysis

/// A log with limits: what it keeps is exact, and evicted entries are reported as evicted.
@Suite struct BoundedLogTests {
  /// The state of a view when a version was the newest one.
  fileprivate struct Moment {
    var document: Document
    var rendered: String
    var record: ChangeRecord
  }

  @Test(
    arguments: OracleProfile.all, UpdateOptions.Pipeline.allCases)
  func `every kept version of random pages is unchanged, and earlier ones are evicted`(
    profile: OracleProfile, pipeline: UpdateOptions.Pipeline
  ) throws {
    var evicted = 0
    for seed in 0..<UInt64(12) {
      var page = RandomPage(profile: profile, seed: 7_000 + seed)
      let view = LiveViewCoordinator(
        id: "main", options: UpdateOptions(pipeline: pipeline).withAnalyses,
        limits: MirrorLimits(versions: 1 + Int(seed) % 10))
      var moments = [try Moment(of: view, after: view.mount(Array(page.mount().utf8), dialect: .html))]
      for step in 1...40 {
        let before = page
        let next = page.step()
        let record: ChangeRecord
        do throws(UpdateError) { record = try view.update(next.diff) } catch {
          (page.root, page.components) = (before.root, before.components)
          continue
        }
        if next.isSpoiled { break }
        if !next.destroyed.isEmpty { try view.receive(frame: OraclePair.frame(destroying: next.destroyed)) }
        moments.append(try Moment(of: view, after: record))
        if step % 3 == 0, let fault = try Self.fault(of: view, moments) {
          Issue.record("seed \(seed), step \(step): \(fault)")
          return
        }
      }
      evicted += view.log.evicted
    }
    #expect(evicted > 200)
  }

  @Test(arguments: WireForm.allCases)
  func `every kept version of a random server is unchanged`(wire: WireForm) throws {
    for seed in 0..<UInt64(12) {
      var server = RandomServer(wire: wire, seed: seed)
      let view = LiveViewCoordinator(
        id: "main", options: UpdateOptions().withAnalyses, limits: MirrorLimits(versions: 8))
      var moments = [try Moment(of: view, after: view.mount(Array(server.mount().utf8), dialect: .html))]
      for step in 1...40 {
        let (diff, destroyed, _) = server.step()
        let record = try view.update(diff)
        if !destroyed.isEmpty { try view.receive(frame: OraclePair.frame(destroying: destroyed)) }
        moments.append(try Moment(of: view, after: record))
        if step % 5 == 0, let fault = try Self.fault(of: view, moments) {
          Issue.record("seed \(seed), step \(step): \(fault)")
          return
        }
      }
      #expect(view.view?.firstVersion ?? 0 > 30)
    }
  }

  private static func fault(of view: LiveViewCoordinator, _ moments: [Moment]) throws -> String? {
    let state = try #require(view.view)
    let entries = state.log.last(.max)
    if entries.count != state.log.keptEntryCount { return "\(state.log.keptEntryCount) entries are counted" }
    if entries.count > state.bounds.entries { return "\(entries.count) entries are kept" }
    if state.log.keptBytes != state.log.recount { return "bytes are \(state.log.keptBytes), not \(state.log.recount)" }
    for (version, moment) in moments.enumerated() {
      if version < state.firstVersion {
        if state.document(at: version) != nil || state.rendered(at: version) != nil {
          return "\(version) is still there"
        }
        if state.log.record(of: version) != nil { return "the record of \(version) is still there" }
        continue
      }
      if state.document(at: version)?.isSame(as: moment.document) != true { return "document \(version) is another" }
      if state.rendered(at: version)?.json.text != moment.rendered { return "tree \(version) is another" }
      let record = state.log.record(of: version)
      // The newest version can always be read, even if rejections fill the log.
      if record == nil, version < state.version { return "there is no record of \(version)" }
      if let record, record.changeSet != moment.record.changeSet { return "record \(version) is another" }
    }
    return nil
  }

  // MARK: - One view

  private static func counter(_ limits: LogBounds) throws -> LiveViewCoordinator {
    let view = LiveViewCoordinator(
      id: "main", options: UpdateOptions().withAnalyses, bounds: limits, registry: nil, listener: nil)
    try view.mount(Array(#"{"0":"0","s":["<p>","</p>"]}"#.utf8), dialect: .html)
    return view
  }

  @Test
  func `the sums count all entries ever added, and entries are found by version`() throws {
    let view = try Self.counter(LogBounds(entries: 300, bytes: .max))
    for number in 1...2_000 {
      try view.update(#"{"0":"\#(number)"}"#)
      if number % 4 == 0 { #expect(throws: UpdateError.self) { try view.update(#"{"9":"x"}"#) } }
    }
    let log = view.log
    #expect((log.diffCount, log.rejectionCount, log.isolation.diffs) == (2_000, 500, 2_000))
    #expect(log.keptEntryCount + log.evicted == 2_501)
    #expect((260...300).contains(log.keptEntryCount))
    let first = try #require(log.first)
    #expect(log.slice(after: nil, limit: 1).entries.map(\.cursor) == [first])
    #expect(log.slice(after: .init(version: 0), limit: 1).entries.map(\.cursor) == [first])
    for version in (first.version + 1)...2_000 { #expect(log.record(of: version)?.input == #"{"0":"\#(version)"}"#) }
    #expect(log.record(of: first.version - 1) == nil)
    let all = log.slice(after: nil, limit: .max).entries.map(\.cursor)
    #expect(all == all.sorted() && all.count == log.keptEntryCount && all == log.last(.max).map(\.cursor))
  }

  @Test
  func `a log obeys its byte limit but always keeps its newest entry`() throws {
    let view = try Self.counter(LogBounds(entries: .max, bytes: 65_000))
    for number in 1...300 {
      try view.update(#"{"0":"\#(String(repeating: "x", count: number * 20))"}"#)
      #expect(view.log.keptBytes <= 65_000)
    }
    // The last entries take more than 18 kB each, so an eviction can leave two or three of them.
    #expect(view.log.keptEntryCount >= 2)
    #expect(try view.update(#"{"0":"\#(String(repeating: "y", count: 100_000))"}"#).version == 301)
    #expect((view.log.keptEntryCount, view.log.first?.version) == (1, 301))
    #expect(view.log.keptBytes > 65_000)
    #expect(view.view?.firstVersion == 301)
    try view.update(#"{"0":"z"}"#)
    // The snapshot retains the earlier page with the large text.
    #expect(view.log.keptEntryCount == 1)
    try view.update(#"{"0":"a"}"#)
    #expect((view.log.keptEntryCount, view.log.first?.version) == (1, 303))
    try view.update(#"{"0":"b"}"#)
    #expect((view.log.keptEntryCount, view.log.first?.version) == (2, 303))
    #expect(view.view?.document(at: 303).map { $0.markup(of: $0.root) } == "<p>a</p>")
  }

  @Test
  func `rejections evict old versions but never the newest page`() throws {
    let view = try Self.counter(LogBounds(entries: 4, bytes: .max))
    for number in 1...3 { try view.update(#"{"0":"\#(number)"}"#) }
    for _ in 0..<20 { #expect(throws: UpdateError.self) { try view.update(#"{"9":"x"}"#) } }
    let state = try #require(view.view)
    #expect((state.log.keptEntryCount, state.firstVersion, state.version) == (4, 3, 3))
    #expect(state.log.first?.description == "3.17")
    #expect(state.log.keepsAll(after: .init(version: 3, rejections: 16)))
    #expect(!state.log.keepsAll(after: .init(version: 3, rejections: 15)))
    #expect(state.document(at: 3) != nil && state.rendered(at: 3) != nil && state.document(at: 2) == nil)
    try view.update(#"{"0":"4"}"#)
    try view.update(#"{"0":"5"}"#)
    #expect(view.view?.document(at: 4).map { $0.markup(of: $0.root) } == "<p>4</p>")
    #expect(try view.view?.rendered(at: 4)?.render().markup == Array("<p>4</p>".utf8))
  }

  @Test
  func `a snapshot stays unchanged while its view's log evicts entries`() throws {
    let view = try Self.counter(LogBounds(entries: 8, bytes: .max))
    var copies: [ViewState] = []
    for number in 1...100 {
      try view.update(#"{"0":"\#(number)"}"#)
      if number % 7 == 0 { copies.append(try #require(view.view)) }
    }
    for copy in copies {
      for version in copy.firstVersion...copy.version {
        #expect(copy.document(at: version).map { $0.markup(of: $0.root) } == "<p>\(version)</p>")
      }
    }
  }

  @Test
  func `a remount begins a new log with the same limits`() throws {
    let view = try Self.counter(LogBounds(entries: 8, bytes: .max))
    for number in 1...100 { try view.update(#"{"0":"\#(number)"}"#) }
    let before = view.log.evicted
    try view.mount(Array(#"{"0":"0","s":["<b>","</b>"]}"#.utf8), dialect: .html)
    #expect((view.log.keptEntryCount, view.log.evicted, view.view?.firstVersion) == (1, 0, 0))
    #expect(view.log.keptBytes == view.log.recount)
    for number in 1...100 { try view.update(#"{"0":"\#(number)"}"#) }
    #expect(view.log.keptEntryCount <= 8)
    #expect(view.view?.document(at: 99).map { $0.markup(of: $0.root) } == "<b>99</b>")
    #expect(before > 90 && view.logUsage.evicted == before + view.log.evicted)
  }

  @Test
  func `components that are already destroyed are not logged again`() throws {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    try view.mount(
      Array(#"{"0":1,"1":"","c":{"1":{"s":["<b>x</b>"]}},"s":["<p>","","</p>"]}"#.utf8), dialect: .html)
    try view.update(#"{"0":""}"#)
    for _ in 0..<50 { try view.receive(frame: OraclePair.frame(destroying: [1, 2])) }
    #expect(view.log.entries.map(\.destroyed) == [[], [1]])
  }

  @Test
  func `a page of the log is cut before its entries exceed the memory limit`() throws {
    let view = try LiveViewCoordinator.mounted(#"{"0":"","s":["<p>","</p>"]}"#)
    for number in 0..<6 { try view.update(#"{"0":"\#(number)\#(String(repeating: "x", count: 1 << 20))"}"#) }
    var pages: [[Int]] = []
    var next: ChangeLog.Cursor?
    repeat {
      let page = view.log.slice(after: next, limit: 100)
      pages.append(page.entries.map(\.cursor.version))
      next = page.next
    } while next != nil
    #expect(pages == [[0, 1, 2], [3, 4], [5, 6]])
  }
}

extension BoundedLogTests.Moment {
  fileprivate init(of view: LiveViewCoordinator, after record: ChangeRecord) throws {
    let state = try #require(view.view)
    self.init(document: state.document, rendered: state.rendered.json.text, record: record)
  }
}

extension ChangeLog {
  /// The bytes of the kept entries, counted independently of the log.
  fileprivate var recount: Int {
    last(.max).reduce(into: ChangeLog()) { log, item in
      switch item.outcome {
      case .applied(let record):
        log.append(record)
        log.complete(record)
      case .rejected(let rejection): log.append(rejection)
      }
    }.keptBytes
  }
}
