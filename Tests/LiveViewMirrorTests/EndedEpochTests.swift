import MarkupDocument
import MirrorSupport
import NodeObservation
import RecordingFixtures
import RenderedTree
import Testing

@testable import LiveViewMirror
import MirrorAnalysis

/// The epochs that remounts have ended stay readable, within bounds.
@Suite struct EndedEpochTests {
  private static func page(_ text: String = "0") -> [UInt8] { Array(#"{"0":"\#(text)","s":["<p>","</p>"]}"#.utf8) }
  private static func diff(_ text: String) -> [UInt8] { Array(#"{"0":"\#(text)"}"#.utf8) }
  private static func text(_ length: Int) -> String { String(repeating: "x", count: length) }

  /// The budget counts the logs of all epochs, and the usage agrees.
  private static func checkCount(of views: LiveViews) {
    let states = views.all.flatMap { view in view.epochs.compactMap { views[view.id]?.view(ofEpoch: $0.epoch) } }
    #expect(views.logBudget.bytes == states.reduce(0) { $0 + $1.log.keptBytes })
    #expect(views.usage.logEntries == states.reduce(0) { $0 + $1.log.keptEntryCount })
    #expect(views.usage.logBytes == views.logBudget.bytes)
  }

  // MARK: - Time travel

  private struct Moment {
    var state: ViewState
    var markup: String
  }

  private static func moments(of view: LiveViewCoordinator, feeding step: () throws -> Void) throws -> Moment? {
    let before = view.view.map { [$0.epoch, $0.version] }
    try step()
    guard let state = view.view, before != [state.epoch, state.version] else { return nil }
    return Moment(state: state, markup: state.document.markup)
  }

  @Test(arguments: Recording.all.filter { !$0.name.hasSuffix("big_table") })
  func `every version of every epoch is exact in recordings that are fed twice`(recording: Recording) throws {
    var views = RecordedViews(recording)
    var moments: [String: [Moment]] = [:]
    for _ in 1...2 {
      for step in recording.steps {
        let (view, receive) = try views.next(step)
        let moment = try Self.moments(of: view) { _ = try receive() }
        if let moment { moments[step.topic, default: []].append(moment) }
      }
    }
    var ended = 0
    for (topic, moments) in moments {
      let view = try #require(views.all[topic])
      let epochs = try #require(view.view?.epochs)
      #expect(epochs.map(\.epoch) == Set(moments.map(\.state.epoch)).sorted(by: >))
      ended += epochs.count - 1
      for moment in moments {
        let state = try #require(view.view(ofEpoch: moment.state.epoch))
        let version = moment.state.version
        let document = try #require(state.document(at: version))
        #expect(document.isSame(as: moment.state.document), "\(topic) epoch \(state.epoch) version \(version)")
        #expect(document.markup == moment.markup)
        // Components that were destroyed after the version are not part of what a client could see.
        let rendered = try #require(state.rendered(at: version))
        #expect(try rendered.render().markup == (try moment.state.rendered.render()).markup)
        #expect(state.log.record(of: version)?.epoch == state.epoch)
      }
    }
    #expect(ended > 0)
  }

  @Test
  func `frames with two joins make two epochs, and the client's join decides the content before the second`() throws {
    let views = LiveViews(options: UpdateOptions().withAnalyses)
    func join(_ ref: Int, _ text: String) -> String {
      #"["\#(ref)","\#(ref)","lv:x","phx_reply",{"status":"ok","response":{"rendered":{"0":"\#(text)","s":["<p>","</p>"]}}}]"#
    }
    let frames = [
      join(4, "a"), #"["4",null,"lv:x","diff",{"0":"b"}]"#, join(7, "c"), #"["7",null,"lv:x","diff",{"0":"d"}]"#,
    ]
    _ = try views.receive(frames: Array(frames.joined(separator: "\n").utf8), dialect: .html)
    let view = try #require(views["lv:x"])
    let first = try #require(view.view(ofEpoch: 1))
    #expect((0...1).map { first.document(at: $0)?.markup } == ["<p>a</p>", "<p>b</p>"])
    #expect((0...1).map { view.view(ofEpoch: 2)?.document(at: $0)?.markup } == ["<p>c</p>", "<p>d</p>"])
    // The publishers belong to the current epoch.
    #expect((first.observers.count, view.view?.observers.count) == (0, 2))
    #expect(first.observers.publishers.counts().isEmpty && !first.isCurrent)
    #expect(first.endedAt == view.view?.mountedAt)
    #expect(first.currentEpoch == view.view?.summary && first.epochs == view.view?.epochs)
    #expect(view.view(ofEpoch: 3) == nil && view.view(ofEpoch: 0) == nil)
  }

  // MARK: - Bounds

  @Test
  func `10,000 remounts keep eight ended epochs and no more memory than nine`() throws {
    let views = LiveViews(options: UpdateOptions().withAnalyses)
    var memory: [Int: (log: Int, pages: Int)] = [:]
    for number in 1...10_000 {
      _ = try views.mount("main", Self.page("a"), dialect: .html)
      _ = try views.update("main", Self.diff("b"))
      if [20, 10_000].contains(number) { memory[number] = (views.logBudget.bytes, views.usage.pageBytes) }
    }
    let view = try #require(views["main"])
    #expect(view.view?.epochs.map(\.epoch) == Array((9_992...10_000).reversed()))
    #expect(view.view(ofEpoch: 9_991) == nil)
    #expect(view.view(ofEpoch: 9_992)?.document(at: 1)?.markup == "<p>b</p>")
    let (early, late) = (try #require(memory[20]), try #require(memory[10_000]))
    #expect(early.log == late.log && early.pages == late.pages)
    // Two entries of each dropped epoch, and no entry twice.
    #expect(views.usage.evictedEntries == 9_991 * 2 && views.usage.logEntries == 18)
    Self.checkCount(of: views)
    #expect(views.remove("main") && views.logBudget.bytes == 0)
    _ = try views.mount("main", Self.page(), dialect: .html)
    #expect(views["main"]?.view?.epochs.map(\.epoch) == [10_001])
  }

  @Test
  func `entries of ended epochs are evicted first, oldest epoch first, then those of ended and of live views`() throws {
    let limit = 1 << 20
    let views = LiveViews(options: UpdateOptions().withAnalyses, limits: MirrorLimits(logBytes: limit))
    // Ended in the order b1, a1, b2, b3. The largest one is not the oldest.
    for (id, count) in [("b", 40), ("a", 150), ("b", 60)] {
      _ = try views.mount(id, Self.page(), dialect: .html)
      for number in 1...count { _ = try views.update(id, Self.diff("\(number)\(Self.text(400))")) }
      _ = id == "a" ? try views.mount("a", Self.page(), dialect: .html) : nil
      if id == "b", count == 40 { _ = try views.mount("b", Self.page(), dialect: .html) }
    }
    _ = try views.mount("b", Self.page(), dialect: .html)
    #expect(views["b"]?.view?.epochs.map(\.epoch) == [4, 3, 2, 1] && views["a"]?.view?.epochs.map(\.epoch) == [2, 1])
    #expect(views.usage.evictedEntries == 0)
    let live = try #require(views["b"])
    func state(_ id: String, _ epoch: Int) -> ViewState? { views[id]?.view(ofEpoch: epoch) }
    var sawTrimmed = false
    var number = 0
    while live.log.evicted == 0, number < 10_000 {
      number += 1
      _ = try views.update("b", Self.diff("\(number)\(Self.text(400))"))
      #expect(views.usage.logBytes <= limit)
      // An epoch loses entries only when all that ended before it are dropped.
      let order = [state("b", 1), state("a", 1), state("b", 2), state("b", 3)]
      for (older, newer) in zip(order, order.dropFirst()) where newer == nil || newer?.log.evicted ?? 0 > 0 {
        let isKept = older != nil
        #expect(!isKept, "update \(number)")
      }
      if let trimmed = order.compactMap({ $0 }).first, trimmed.log.evicted > 0 {
        sawTrimmed = true
        #expect(trimmed.document(at: trimmed.firstVersion - 1) == nil)
        for version in [trimmed.firstVersion, trimmed.version] {
          #expect(trimmed.document(at: version)?.markup == "<p>\(version)\(Self.text(400))</p>")
          #expect(trimmed.rendered(at: version).map { try? $0.render().markup.count } != nil)
        }
      }
    }
    #expect(sawTrimmed && live.log.evicted > 0)
    #expect(views["a"]?.view?.epochs.map(\.epoch) == [2] && views["b"]?.view?.epochs.map(\.epoch) == [4])
    Self.checkCount(of: views)
  }

  @Test
  func `pages of ended epochs count, and are dropped before a view is removed`() throws {
    let large = Array(#"{"s":["\#(String(repeating: "<br>", count: 2_000))"]}"#.utf8)
    let single = LiveViewCoordinator(id: "single", options: UpdateOptions().withAnalyses)
    try single.mount(large, dialect: .html)
    let one = single.pageMemory
    let limit = 7 * one + one / 2
    let views = LiveViews(options: UpdateOptions().withAnalyses, limits: MirrorLimits(pageBytes: limit))
    _ = try views.mount("old", large, dialect: .html)
    for _ in 1...4 { _ = try views.mount("loop", large, dialect: .html) }
    #expect(views["loop"]?.view?.epochs.count == 4 && views["loop"]?.pageMemory ?? 0 >= 4 * one)
    for _ in 1...30 { _ = try views.mount("loop", large, dialect: .html) }
    #expect(views.usage.pageBytes <= limit && views.usage.evictedViews == 0)
    #expect(views["loop"]?.view?.epochs.map(\.epoch) == [34, 33, 32, 31, 30, 29])
    // A view that needs the room drops the oldest epochs of the other one.
    for id in 0..<4 { _ = try views.mount("v\(id)", large, dialect: .html) }
    #expect(views.usage.evictedViews == 0 && views.usage.pageBytes <= limit)
    #expect(views["loop"]?.view?.epochs.map(\.epoch) == [34, 33])
    for id in 4..<6 { _ = try views.mount("v\(id)", large, dialect: .html) }
    #expect(views["loop"]?.view?.epochs.map(\.epoch) == [34] && views["old"] == nil && views.usage.evictedViews == 1)
    Self.checkCount(of: views)
  }

  @Test
  func `a view on its own keeps its logs and pages within the limits`() throws {
    var view = LiveViewCoordinator(
      id: "main", options: UpdateOptions().withAnalyses, limits: MirrorLimits(logBytes: 128 << 10))
    for _ in 1...6 {
      try view.mount(Self.page(), dialect: .html)
      for number in 1...25 { try view.update(Self.diff("\(number)\(Self.text(300))")) }
    }
    let epochs = try #require(view.view?.epochs)
    #expect(epochs.count > 1 && epochs.count < 6)
    let bytes = epochs.compactMap { view.view(ofEpoch: $0.epoch)?.log.keptBytes }.reduce(0, +)
    #expect(bytes <= 128 << 10 && bytes > 64 << 10)
    let large = Array(#"{"s":["\#(String(repeating: "<br>", count: 3_000))"]}"#.utf8)
    view = LiveViewCoordinator(
      id: "main", options: UpdateOptions().withAnalyses, limits: MirrorLimits(pageBytes: 2 << 20))
    for _ in 1...4 { try view.mount(large, dialect: .html) }
    #expect(view.pageMemory <= 2 << 20 && view.pageMemory > 1 << 20)
    // A page that takes more than the limit leaves no room.
    try view.mount(Array(#"{"s":["\#(String(repeating: "<br>", count: 9_000))"]}"#.utf8), dialect: .html)
    #expect(view.view?.epochs.count == 1 && view.pageMemory > 2 << 20)
  }

  @Test
  func `a failed remount ends no epoch`() throws {
    let view = LiveViewCoordinator(id: "main", options: UpdateOptions().withAnalyses)
    try view.mount(Self.page(), dialect: .html)
    #expect(throws: UpdateError.self) { try view.mount(Array(#"{"0":"x"}"#.utf8), dialect: .html) }
    #expect(view.view?.epochs.count == 1 && view.view?.isCurrent == true)
  }

  @Test
  func `readers of ended epochs see complete versions while the view remounts and evicts`() async throws {
    let views = LiveViews(options: UpdateOptions().withAnalyses, limits: MirrorLimits(logBytes: 64 << 10))
    _ = try views.mount("main", Self.page("0"), dialect: .html)
    await withTaskGroup(of: Void.self) { group in
      for _ in 1...3 {
        group.addTask {
          for _ in 1...300 {
            guard let view = views["main"], let state = view.view else { continue }
            for epoch in state.epochs {
              guard let past = view.view(ofEpoch: epoch.epoch) else { continue }
              #expect(past.epoch == epoch.epoch && past.document.epoch == epoch.epoch)
              #expect(past.document(at: past.firstVersion) != nil && past.log.record(of: past.version) != nil)
            }
          }
        }
      }
      group.addTask {
        for number in 1...300 {
          _ = try? views.mount("main", Self.page("\(number)"), dialect: .html)
          for diff in 1...8 { _ = try? views.update("main", Self.diff("\(diff)\(Self.text(400))")) }
        }
      }
    }
    #expect(views.usage.logBytes <= 64 << 10)
    Self.checkCount(of: views)
  }
}
