import MarkupDocument
import MirrorSupport
import RenderedTree
import TestSupport
import Testing

@testable import LiveViewMirror
import MirrorAnalysis

/// One limit for the logs of all views: nothing is evicted below it, and the order of eviction
/// above it.
@Suite struct LogBudgetTests {
  private static let page = Array(#"{"0":"0","s":["<p>","</p>"]}"#.utf8)
  private static func diff(_ number: Int, _ size: Int = 0) -> [UInt8] {
    Array(#"{"0":"\#(number)\#(String(repeating: "x", count: size))"}"#.utf8)
  }

  private static func frame(_ view: String, _ event: String) -> [UInt8] {
    Array(#"["1",null,"\#(view)","\#(event)",{}]"#.utf8)
  }
  private static func join(_ view: String) -> [UInt8] {
    Array(
      #"["1","1","\#(view)","phx_reply",{"status":"ok","response":{"rendered":{"0":"0","s":["<p>","</p>"]}}}]"#.utf8)
  }

  /// The bytes that the budget counts are those of the logs.
  private static func checkCount(of views: LiveViews) {
    #expect(views.logBudget.bytes == views.all.reduce(0) { $0 + $1.log.keptBytes })
  }

  @Test
  func `one busy view among 24 loses nothing while all logs together are below the limit`() throws {
    let views = LiveViews(
      options: UpdateOptions().withAnalyses, limits: MirrorLimits(versions: 20_000, logBytes: 256 << 20))
    for id in 0..<24 { _ = try views.mount("v\(id)", Self.page, dialect: .html) }
    for number in 1...10_316 { _ = try views.update("v7", Self.diff(number, 600)) }
    let usage = views.usage
    // More than the 24th part of the limit.
    #expect(usage.logBytes > 256 << 20 / 24 && usage.logBytes < 256 << 20)
    #expect((usage.evictedEntries, usage.logEntries) == (0, 10_316 + 24))
    #expect(views["v7"]?.view?.document(at: 1)?.markup.contains("1xxx") == true)
    Self.checkCount(of: views)
  }

  @Test
  func `entries are evicted from the largest log of an ended view first, then from the largest log`() throws {
    let views = LiveViews(options: UpdateOptions().withAnalyses, limits: MirrorLimits(logBytes: 2 << 20))
    func kept(_ id: String) -> Int { views[id]?.log.keptEntryCount ?? 0 }
    for id in ["small", "left", "closed", "crashed", "live"] {
      _ = try views.receive(frames: Self.join(id), dialect: .html)
    }
    for (id, count) in [("small", 20), ("left", 60), ("closed", 120), ("crashed", 90), ("live", 200)] {
      for number in 1...count { _ = try views.update(id, Self.diff(number, 400)) }
    }
    #expect(views.usage.evictedEntries == 0)
    for (id, event) in [("left", "phx_leave"), ("closed", "phx_close"), ("crashed", "phx_error")] {
      _ = try views.receive(frames: Self.frame(id, event), dialect: .html)
    }
    /// The views in the order in which their logs began to lose entries.
    var order: [String] = []
    let before = Dictionary(uniqueKeysWithValues: views.all.map { ($0.id, $0.log.keptEntryCount) })
    var (number, firstLive) = (200, 0)
    while order.last != "small", number < 20_000 {
      number += 1
      _ = try views.update("live", Self.diff(number, 400))
      for id in ["closed", "crashed", "left"] where !order.contains(id) && kept(id) < before[id] ?? 0 {
        order.append(id)
      }
      if !order.contains("live"), views["live"]?.log.evicted ?? 0 > 0 {
        order.append("live")
        firstLive = number
      }
      if firstLive > 0, number > firstLive + 2_000 { break }
      #expect(views.usage.logBytes <= 2 << 20)
    }
    #expect(order == ["closed", "crashed", "left", "live"])
    #expect(["closed", "crashed", "left"].map(kept) == [1, 1, 1])
    // A running view with a smaller log loses nothing, and the newest version of an ended view can
    // still be read.
    #expect((views["small"]?.log.evicted, kept("small")) == (0, 21))
    #expect(views["closed"]?.view?.version == 120)
    Self.checkCount(of: views)
  }

  @Test
  func `a view that joins again is not an ended one`() throws {
    let views = LiveViews(options: UpdateOptions().withAnalyses, limits: MirrorLimits(logBytes: 1 << 20))
    for id in ["a", "b"] { _ = try views.receive(frames: Self.join(id), dialect: .html) }
    _ = try views.receive(frames: Self.frame("a", "phx_error"), dialect: .html)
    #expect(views.directory.withLock { ($0.pages.hasEnded("a"), $0.pages.hasEnded("b")) } == (true, false))
    _ = try views.receive(frames: Self.join("a"), dialect: .html)
    #expect(views.directory.withLock { $0.pages.hasEnded("a") } == false)
    #expect(Set(ViewStatus.allCases.filter(\.isEnded)) == [.crashed, .left, .closed])
  }

  @Test
  func `the sum of the logs stays within the limit while many threads update many views`() async throws {
    let limit = 2 << 20
    let views = LiveViews(
      options: UpdateOptions().withAnalyses, limits: MirrorLimits(versions: 100_000, logBytes: limit))
    for id in 0..<60 { _ = try views.mount("v\(id)", Self.page, dialect: .html) }
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<6 {
        group.addTask {
          for number in 1...1_500 {
            let id = "v\(thread * 10 + number % 10)"
            _ = try? views.update(id, Self.diff(number, number % 700))
            // Threads wait for an eviction above nine eighths, and each may have written one entry
            // before.
            #expect(views.logBudget.bytes <= limit + limit / 8 + 6 * 8_192)
            if number % 250 == 0, thread == 0 {
              _ = views.remove("v\(number % 60)")
              _ = try? views.mount("v\(number % 60)", Self.page, dialect: .html)
            }
          }
        }
      }
    }
    let usage = views.usage
    #expect(usage.logBytes <= limit && usage.logBytes > limit / 2)
    #expect(usage.evictedEntries > 3_000)
    #expect(usage.logEntries == views.all.reduce(0) { $0 + $1.log.keptEntryCount })
    Self.checkCount(of: views)
    // Every version that a log still has can be rebuilt.
    for view in views.all.compactMap({ views[$0.id]?.view }) {
      for version in [view.firstVersion, (view.firstVersion + view.version) / 2, view.version] {
        let rendered = try #require(view.rendered(at: version))
        let document = try #require(view.document(at: version))
        #expect(Array(document.markup.utf8) == (try rendered.render()).markup)
      }
    }
  }

  @Test
  func `an update does not wait for an eviction, unless the logs exceed the limit by more than an eighth`() throws {
    let limit = 1 << 20
    let views = LiveViews(
      options: UpdateOptions().withAnalyses, limits: MirrorLimits(versions: 100_000, logBytes: limit))
    for id in ["other", "busy"] { _ = try views.mount(id, Self.page, dialect: .html) }
    while views.logBudget.bytes < limit - 8_192 { _ = try views.update("other", Self.diff(1, 2_000)) }
    // As a thread that evicts.
    views.logBudget.eviction.lock()
    let updates = Guarded(0)
    let feed = OtherThread {
      for number in 1...200 {
        _ = try? views.update("busy", Self.diff(number, 2_000))
        updates.change { $0 += 1 }
      }
    }
    // The feed exceeds the limit, and waits when it has exceeded it by an eighth.
    #expect(updates.wait(until: .now + .seconds(60)) { _ in views.logBudget.bytes > limit + limit / 8 })
    #expect(updates.wait(until: .now + .seconds(1)) { $0 > 100 } == false)
    #expect(updates.current > 5 && views.usage.evictedEntries == 0)
    views.logBudget.eviction.unlock()
    feed.join()
    #expect(updates.current == 200)
    #expect(views.logBudget.bytes <= limit && views.usage.evictedEntries > 100)
    Self.checkCount(of: views)
  }

  @Test
  func `versions are exact while another view evicts them`() throws {
    let views = LiveViews(options: UpdateOptions().withAnalyses, limits: MirrorLimits(logBytes: 256 << 10))
    for id in ["past", "busy"] { _ = try views.mount(id, Self.page, dialect: .html) }
    for number in 1...200 { _ = try views.update("past", Self.diff(number, 300)) }
    var evicted = 0
    for number in 1...600 {
      _ = try views.update("busy", Self.diff(number, 300))
      guard let view = views["past"]?.view, view.log.evicted > evicted else { continue }
      evicted = view.log.evicted
      #expect(view.firstVersion == evicted)
      for version in [view.firstVersion, 200] {
        #expect(view.document(at: version)?.markup == "<p>\(version)\(String(repeating: "x", count: 300))</p>")
        #expect(view.log.record(of: version)?.version == version)
      }
      #expect(view.document(at: view.firstVersion - 1) == nil)
    }
    #expect(evicted > 50)
    // The page of the evicted version counts for the memory of the view.
    #expect(try #require(views["past"]).pageMemory == #require(views["past"]?.view).memory)
  }

  @Test
  func `newest entries above the limit do not cause a search at every update`() throws {
    let views = LiveViews(options: UpdateOptions().withAnalyses, limits: MirrorLimits(logBytes: 64 << 10))
    let text = String(repeating: "y", count: 8_000)
    for id in 0..<20 {
      _ = try views.mount("v\(id)", Array(#"{"0":"\#(text)","s":["<p>","</p>"]}"#.utf8), dialect: .html)
    }
    // No log has an entry to evict.
    #expect(views.usage.logBytes > 64 << 10 && views.usage.evictedEntries == 0)
    var searches = 0
    for number in 1...200 {
      let before = views.usage.evictedEntries
      _ = try views.update("v0", Self.diff(number))
      if views.usage.evictedEntries > before { searches += 1 }
    }
    #expect(searches > 0 && searches < 60)
    // The mounts of the other views stay, since they are the newest entries.
    #expect((1..<20).allSatisfy { views["v\($0)"]?.log.evicted == 0 })
    for id in 0..<20 { #expect(views.remove("v\(id)")) }
    #expect(views.logBudget.bytes == 0)
  }

  @Test
  func `a view on its own, and one whose mirror does not exist any more, keep to the limit`() throws {
    let alone = LiveViewCoordinator(
      id: "main", options: UpdateOptions().withAnalyses, limits: MirrorLimits(logBytes: 128 << 10))
    try alone.mount(Self.page, dialect: .html)
    var views: LiveViews? = LiveViews(options: UpdateOptions().withAnalyses, limits: MirrorLimits(logBytes: 128 << 10))
    _ = try views?.mount("kept", Self.page, dialect: .html)
    _ = try views?.mount("other", Self.page, dialect: .html)
    let kept = try #require(views?["kept"])
    weak let mirror = views
    views = nil
    #expect(mirror == nil)
    for view in [alone, kept] {
      for number in 1...500 { try view.update(Self.diff(number, 300)) }
      #expect(view.log.keptBytes <= 128 << 10 && view.log.keptBytes > 64 << 10)
    }
  }
}
