import Dispatch
import MarkupDocument
import MirrorSupport
import MirrorViews
import NodeObservation
import TestSupport
import Testing

@testable import LiveViewMirror
import MirrorAnalysis

/// The limits for views and logs, the lifetime of views, and the events that a `LogListener`
/// receives.
@Suite struct ViewLifetimeTests {
  static let page = Array(#"{"0":"0","s":["<p>","</p>"]}"#.utf8)
  static func diff(_ number: Int) -> [UInt8] { Array(#"{"0":"\#(number)"}"#.utf8) }

  /// The received events as lines.
  final class Listener: LogListener {
    private let heard = Heard()
    var all: [String] { heard.all }

    func wrote(_ entry: ChangeLog.Entry, of view: String) {
      heard.note("\(view) \(entry.epoch)/\(entry.cursor)\(entry.record == nil ? " rejected" : "")")
    }

    func removed(_ view: String, because reason: RemovalReason) { heard.note("\(view) \(reason.rawValue)") }
  }

  private static func views(_ limits: MirrorLimits = MirrorLimits()) -> (LiveViews, Listener) {
    let listener = Listener()
    return (LiveViews(options: UpdateOptions().withAnalyses, limits: limits, listener: listener), listener)
  }

  // MARK: - Mounts and components

  @Test
  func `a message that a component is destroyed does not remove a component that the page shows`() throws {
    let views = LiveViews(options: UpdateOptions().withAnalyses)
    let report = try views.receive(
      frames: Array(
        #"""
        {"rendered":{"0":1,"s":["",""],"c":{"1":{"0":"a","s":["<p>","</p>"]},"2":{"s":["<i></i>"]}}}}
        ["1","2","main","phx_reply",{"status":"ok","response":{"cids":[1,2]}}]
        {"diff":{"c":{"1":{"0":"b"}}}}
        {"diff":{"c":{"2":{"0":"b"}}}}
        """#.utf8), dialect: .html)
    #expect(
      (report.applied, report.rejected.map(\.error.reason)) == (
        2, ["component 2 is unknown: the view has no such component"]
      ))
    #expect(views["main"]?.document?.markup(of: NodeRef(epoch: 1, number: 1)) == "<p>b</p>")
  }

  @Test
  func `a view that two threads mount at once is listed once, even if one mount fails`() async throws {
    for _ in 0..<50 {
      let views = LiveViews(options: UpdateOptions().withAnalyses)
      let mounted = await withTaskGroup(of: Bool.self) { group in
        for body in [#"{"s":["<p></p>"]}"#, "{}", #"{"s":["<i></i>"]}"#] {
          group.addTask { (try? views.mount("main", Array(body.utf8), dialect: .html)) != nil }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(mounted == 2)
      #expect(views["main"] != nil)
    }
  }

  // MARK: - Events

  @Test
  func `a listener receives all events in log order, and then the end of the view once`() throws {
    let (views, listener) = Self.views()
    #expect(throws: UpdateError.self) { try views.mount("a", Array("{}".utf8), dialect: .html) }
    _ = try views.mount("a", Self.page, dialect: .html)
    _ = try views.update("a", Self.diff(1))
    #expect(throws: UpdateError.self) { try views.update("a", Array(#"{"7":""}"#.utf8)) }
    _ = try views.update("a", Self.diff(2))
    _ = try views.mount("a", Self.page, dialect: .html)
    let kept = try #require(views["a"])
    #expect(views.remove("a") && !views.remove("a"))
    for update in [{ try kept.update(Self.diff(3)) }, { try kept.mount(Self.page, dialect: .html) }] {
      #expect(throws: UpdateError.self) { try update() }
    }
    #expect(throws: UpdateError.self) { try kept.update(Array(#"{"7":""}"#.utf8)) }
    #expect(listener.all == ["a 1/0", "a 1/1", "a 1/1.1 rejected", "a 1/2", "a 2/0", "a deleted"])
  }

  @Test
  func `a view that its subscriber removes publishes all its events before its id is mounted again`() throws {
    let (views, listener) = Self.views()
    _ = try views.mount("a", Self.page, dialect: .html)
    let view = try #require(views["a"])
    let heard = Heard()
    let subscription = view.publishers.subscribe(to: NodeRef(epoch: 1, number: 2)) { signal in
      if case .finished = signal { return }
      heard.note("\(views.remove("a")) \(views["a"] == nil)")
      do throws(UpdateError) { _ = try views.mount("a", Self.page, dialect: .html) } catch {
        heard.note("\(error.kind)")
      }
    }
    _ = try views.update("a", Self.diff(1))
    #expect(heard.all == ["true true", "calledBySubscriber"])
    #expect(listener.all == ["a 1/0", "a 1/1", "a deleted"])
    let (record, isFirst) = try views.mountNoting("a", Self.page, dialect: .html)
    #expect((record.epoch, isFirst) == (2, true))
    #expect(listener.all.last == "a 2/0")
    subscription.cancel()
  }

  @Test
  func `on several threads no event arrives between the end of a view and its next mount`() throws {
    let (views, listener) = Self.views()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<300 {
        switch thread {
        case 0: _ = views.remove("a")
        case 1: _ = try? views.mount("a", Self.page, dialect: .html)
        default: _ = try? views.update("a", number % 9 == 0 ? Array(#"{"7":""}"#.utf8) : Self.diff(number))
        }
      }
    }
    _ = views.remove("a")
    var (epoch, next, isThere) = (0, ChangeLog.Cursor(version: -1), false)
    for line in listener.all {
      let words = line.split(separator: " ")
      if words[1] == "deleted" {
        #expect(isThere, "the view was removed twice")
        isThere = false
        continue
      }
      let parts = words[1].split(separator: "/")
      let (itsEpoch, cursor) = (Int(parts[0]) ?? 0, try #require(ChangeLog.Cursor(String(parts[1]))))
      if cursor == ChangeLog.Cursor(version: 0) {
        #expect(itsEpoch == epoch + 1)
        epoch = itsEpoch
        isThere = true
      } else {
        #expect(isThere && itsEpoch == epoch && cursor > next, "\(line) follows \(next)")
      }
      next = cursor
    }
    #expect(!isThere && epoch > 0)
    #expect(views.all.isEmpty && views.directory.withLock { $0.leaving.isEmpty })
  }

  @Test
  func `of several concurrent mounts of one id, exactly one is reported as the first`() throws {
    for _ in 0..<20 {
      let (views, listener) = Self.views()
      let firsts = Guarded(0)
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        let body = thread == 0 ? Array("[]".utf8) : Self.page
        if (try? views.mountNoting("a", body, dialect: .html))?.isFirst == true { firsts.withLock { $0 += 1 } }
      }
      #expect(firsts.current == 1)
      // The rejected page is logged only if another thread has already mounted the view.
      #expect(listener.all.filter { !$0.hasSuffix("rejected") } == ["a 1/0", "a 2/0", "a 3/0"])
    }
  }

  // MARK: - Epochs

  @Test
  func `a removed view that is mounted again has the next epoch, and a failed mount uses no epoch`() throws {
    let (views, _) = Self.views()
    for epoch in [1, 2, 3] {
      #expect(throws: UpdateError.self) { try views.mount("a", Array("[]".utf8), dialect: .html) }
      let (record, isFirst) = try views.mountNoting("a", Self.page, dialect: .html)
      #expect((record.epoch, isFirst) == (epoch, true))
      #expect(views.remove("a"))
    }
    #expect(try views.mount("b", Self.page, dialect: .html).epoch == 1)
  }

  @Test
  func `recent values are kept for the newest ids and evicted for the oldest`() {
    var epochs = RecentValues<Int>()
    for number in 0...RecentValues<Int>.limit { epochs.remember(number + 1, of: "\(number)") }
    #expect((epochs.take("0"), epochs.take("1"), epochs.take("1")) == (nil, 2, nil))
    epochs.remember(7, of: "2")
    #expect((epochs.take("2"), epochs.take("\(RecentValues<Int>.limit)")) == (7, RecentValues<Int>.limit + 1))
  }

  // MARK: - Limits

  @Test
  func `above the limit of views the least recently updated view is evicted, never the new view`() throws {
    let (views, listener) = Self.views(MirrorLimits(views: 3))
    for id in ["a", "b", "c"] { _ = try views.mount(id, Self.page, dialect: .html) }
    let b = try #require(views["b"])
    let ends = Heard()
    let subscription = b.publishers.subscribe(to: NodeRef(epoch: 1, number: 2)) { _ in ends.note("end") }
    _ = try views.update("a", Self.diff(1))
    #expect(throws: UpdateError.self) { try views.mount("d", Array("[]".utf8), dialect: .html) }
    #expect(views.all.map(\.id).sorted() == ["a", "b", "c"])
    _ = try views.mount("d", Self.page, dialect: .html)
    #expect(views.all.map(\.id).sorted() == ["a", "c", "d"])
    #expect(listener.all.last == "b evicted")
    #expect(ends.all == ["end"])
    _ = try views.mount("a", Self.page, dialect: .html)
    #expect(views.all.count == 3)
    _ = try views.mount("e", Self.page, dialect: .html)
    #expect(views.all.map(\.id).sorted() == ["a", "d", "e"])
    #expect(views.usage.evictedViews == 2)
    subscription.cancel()
  }

  @Test
  func `a limit of one view holds under concurrent mounts`() throws {
    for _ in 0..<20 {
      let (views, _) = Self.views(MirrorLimits(views: 1))
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        _ = try? views.mount("\(thread)", Self.page, dialect: .html)
      }
      #expect(views.all.count == 1)
      #expect((views.usage.views, views.usage.evictedViews) == (1, 3))
    }
  }

  @Test
  func `views without updates expire`() throws {
    let (views, listener) = Self.views(MirrorLimits(expiry: .seconds(60)))
    _ = try views.mount("a", Self.page, dialect: .html)
    _ = try views.mount("b", Self.page, dialect: .html)
    #expect(views.removeIdle() == [] && views.removeIdle(after: .seconds(50)) == [])
    #expect(views.removeIdle(after: .seconds(61)) == ["a", "b"])
    #expect(Set(listener.all.suffix(2)) == ["a expired", "b expired"])
    #expect((views.usage.expiredViews, views.usage.views, views.all.count) == (2, 0, 0))
    let (eternal, _) = Self.views()
    _ = try eternal.mount("a", Self.page, dialect: .html)
    #expect(eternal.removeIdle(after: .seconds(Int64.max / 4)) == [])
  }

  @Test
  func `views expire by the monotonic clock and survive a change of the wall clock`() throws {
    let hours = Guarded(0)
    let clock = WallClock { 1_800_000_000_000 + Int64(hours.current) * 3_600_000 }
    let views = LiveViews(
      options: UpdateOptions().withAnalyses, limits: MirrorLimits(expiry: .seconds(60)), listener: Listener(),
      clock: clock)
    for (number, jump) in [0, 2, -2, 10_000].enumerated() {
      hours.withLock { $0 = jump }
      #expect(views.removeIdle() == [])
      _ = try views.mount("v\(number)", Self.page, dialect: .html)
      _ = try views.update("v\(number)", Self.diff(number))
      // The log still shows the time of the wall clock.
      #expect(views["v\(number)"]?.log.record(of: 1)?.at == 1_800_000_000_000 + Int64(jump) * 3_600_000)
    }
    hours.withLock { $0 = -10_000 }
    #expect(views.removeIdle(after: .seconds(50)) == [])
    _ = try views.update("v0", Self.diff(1))
    #expect(views.removeIdle(after: .seconds(61)).count == 4)
  }

  @Test
  func `the eviction order does not depend on the wall clock`() throws {
    let time = Guarded(Int64(1_800_000_000_000))
    let clock = WallClock {
      time.withLock { time in
        time -= 1_000; return time
      }
    }
    let views = LiveViews(
      options: UpdateOptions().withAnalyses, limits: MirrorLimits(views: 2), listener: Listener(), clock: clock)
    for id in ["a", "b", "c"] { _ = try views.mount(id, Self.page, dialect: .html) }
    #expect(Set(views.all.map(\.id)) == ["b", "c"])
  }

  @Test
  func `all logs share one memory limit`() throws {
    let (views, _) = Self.views(MirrorLimits(logBytes: 1 << 20))
    _ = try views.mount("a", Self.page, dialect: .html)
    for number in 0..<1_500 { _ = try views.update("a", Self.diff(number)) }
    let alone = views.usage
    #expect(alone.logBytes <= 1 << 20 && alone.logBytes > 1 << 19)
    for id in 0..<40 { _ = try views.mount("v\(id)", Self.page, dialect: .html) }
    let shared = views.usage
    #expect(shared.logBytes <= 1 << 20 && shared.logBytes > 1 << 19)
    #expect(shared.logEntries == views.all.reduce(0) { $0 + $1.log.keptEntryCount })
    for id in 0..<40 { #expect(views.remove("v\(id)")) }
    #expect(views.usage.evictedEntries >= shared.evictedEntries)
  }

  @Test
  func `evicted entries are counted even if their view is removed`() throws {
    let (views, _) = Self.views(MirrorLimits(versions: 8))
    _ = try views.mount("a", Self.page, dialect: .html)
    for number in 0..<50 { _ = try views.update("a", Self.diff(number)) }
    let (before, view) = (views.usage.evictedEntries, try #require(views["a"]))
    let heard = Heard()
    let subscription = view.publishers.subscribe(to: NodeRef(epoch: 1, number: 2)) { signal in
      if case .finished = signal { return }
      // Entries are evicted after all subscribers were notified, so this update has evicted none
      // yet.
      _ = views.remove("a")
      heard.note("\(views.usage.evictedEntries == before)")
    }
    _ = try views.update("a", Self.diff(50))
    #expect(before > 40 && heard.all == ["true"])
    #expect(views.usage.evictedEntries >= before)
    subscription.cancel()
  }

  @Test
  func `many evicted views leave no entries behind in the list of views`() throws {
    let (views, listener) = Self.views(MirrorLimits(views: 20))
    for number in 0..<1_000 {
      _ = try views.mount("v\(number)", Self.page, dialect: .html)
      _ = try views.update("v\(number)", Self.diff(number))
    }
    #expect(Set(views.all.map(\.id)) == Set((980..<1_000).map { "v\($0)" }))
    #expect(views.directory.withLock { ($0.views.count, $0.leaving.count) } == (20, 0))
    #expect(listener.all.count == 2_980)
  }
}
