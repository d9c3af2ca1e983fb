import Foundation
import LiveViewMirror
import MirrorAnalysis
import MarkupDocument
import MirrorViews
import RecordingFixtures
import RenderedTree
import Testing

/// Frames of a join that is not the current join of their topic, and the container content that a
/// join push determines. The reference for stale frames is phoenix.js: `Channel.isMember`.
@Suite struct TopicJoinTests {
  /// A mirror of the topic `lv:x`, and the results of its frames.
  final class Feed {
    let views = LiveViews(options: UpdateOptions().withAnalyses)
    private(set) var report: LiveViews.FramesReport

    init() throws { report = try views.receive(frames: Array("[]".utf8), dialect: .html) }

    func frames(_ lines: String..., container: ContainerContent? = nil) throws {
      report = try views.receive(
        frames: Array(lines.joined(separator: "\n").utf8), dialect: .html, container: container)
    }

    var view: LiveViewCoordinator? { views["lv:x"] }
    var markup: String? { view?.markup }
    var container: ContainerContent? { view?.view?.container }
    /// The numbers of applied, ignored, stale and rejected frames of the last call. Stale frames
    /// are ignored frames too.
    var counts: [Int] { [report.applied, report.ignored, report.staleFrameCount, report.rejectedFrameCount] }
  }

  static func page(_ text: String, join: String) -> String {
    #"["\#(join)","\#(join)","lv:x","phx_reply",{"response":{"rendered":{"0":"\#(text)","s":["<p>","</p>"]}},"status":"ok"}]"#
  }

  static func reply(_ text: String, join: String, ref: Int = 20) -> String {
    #"["\#(join)","\#(ref)","lv:x","phx_reply",{"response":{"diff":{"0":"\#(text)"}},"status":"ok"}]"#
  }

  static func push(_ join: String, _ payload: String = #"{"url":"http://x/"}"#) -> String {
    #"["\#(join)","\#(join)","lv:x","phx_join",\#(payload)]"#
  }

  // MARK: - Without the client's frames

  @Test func `a reply to the previous join changes nothing and is counted as stale`() throws {
    let feed = try Feed()
    try feed.frames(
      #"["4","4","lv:x","phx_reply",{"response":{"rendered":{"s":["<p>","</p><b>","</b>"],"0":"a","1":"b"}},"status":"ok"}]"#,
      #"["12","12","lv:x","phx_reply",{"response":{"rendered":{"s":["<i>","</i><b>","</b>"],"0":"c","1":"d"}},"status":"ok"}]"#,
      #"["4","8","lv:x","phx_reply",{"response":{"diff":{"1":"1"}},"status":"ok"}]"#)
    #expect(feed.counts == [2, 1, 1, 0])
    #expect(feed.markup == "<i>c</i><b>d</b>")
    #expect((feed.view?.view?.version, feed.view?.log.keptEntryCount) == (0, 1))
    try feed.frames(Self.reply("e", join: "12"))
    #expect((feed.counts, feed.markup) == ([1, 0, 0, 0], "<i>e</i><b>d</b>"))
  }

  @Test(arguments: ["null", #""""#]) func `a frame without a join_ref is accepted in every join`(ref: String) throws {
    let feed = try Feed()
    try feed.frames(Self.page("a", join: "4"), Self.page("b", join: "12"), #"[\#(ref),null,"lv:x","diff",{"0":"c"}]"#)
    #expect((feed.counts, feed.markup) == ([3, 0, 0, 0], "<p>c</p>"))
  }

  @Test func `a pushed diff of the previous join is stale`() throws {
    let feed = try Feed()
    try feed.frames(Self.page("a", join: "4"), Self.page("b", join: "12"), #"["4",null,"lv:x","diff",{"0":"c"}]"#)
    #expect((feed.counts, feed.markup) == ([2, 1, 1, 0], "<p>b</p>"))
  }

  @Test func `a reply to an earlier join destroys no component of the current join`() throws {
    let feed = try Feed()
    let rendered = #"{"s":["<p>","</p>"],"0":"","c":{"1":{"s":["<i></i>"],"r":1}}}"#
    for join in ["4", "12"] {
      try feed.frames(
        #"["\#(join)","\#(join)","lv:x","phx_reply",{"response":{"rendered":\#(rendered)},"status":"ok"}]"#)
    }
    let destroyed = #","9","lv:x","phx_reply",{"response":{"cids":[1]},"status":"ok"}]"#
    try feed.frames(#"["4""# + destroyed)
    #expect(feed.counts == [0, 1, 1, 0])
    #expect(feed.report.destroyedComponents == 0)
    #expect(feed.view?.view?.rendered.components[1] != nil)
    try feed.frames(#"["12""# + destroyed)
    #expect(feed.counts == [0, 1, 0, 0])
    #expect(feed.view?.view?.rendered.components[1] == nil)
  }

  @Test func `an empty reply to an earlier join is counted as stale`() throws {
    let feed = try Feed()
    try feed.frames(
      Self.page("a", join: "4"), Self.page("b", join: "12"),
      #"["4","5","lv:x","phx_reply",{"response":{},"status":"ok"}]"#, #"["12","5","lv:x","phx_reply",{"response":{}}]"#)
    #expect(feed.counts == [2, 2, 1, 0])
  }

  @Test func `without a join push each reply with a page begins a join`() throws {
    let feed = try Feed()
    for _ in 1...2 {
      // A recording that is played twice starts again with its first `join_ref`.
      try feed.frames(Self.page("a", join: "4"), Self.reply("b", join: "4"), Self.page("c", join: "12"))
      #expect((feed.counts, feed.markup) == ([3, 0, 0, 0], "<p>c</p>"))
    }
    #expect(feed.view?.view?.epoch == 4)
  }

  @Test func `a frame that is posted twice is applied twice`() throws {
    let feed = try Feed()
    try feed.frames(Self.page("a", join: "4"), Self.reply("b", join: "4"), Self.reply("b", join: "4"))
    #expect((feed.counts, feed.view?.view?.version) == ([3, 0, 0, 0], 2))
  }

  @Test func `a rejected page leaves the join unchanged`() throws {
    let feed = try Feed()
    try feed.frames(
      Self.page("a", join: "4"),
      #"["12","12","lv:x","phx_reply",{"response":{"rendered":{"0":"x","s":["<p>"]}},"status":"ok"}]"#,
      Self.reply("b", join: "4"), Self.reply("c", join: "12"))
    #expect((feed.counts, feed.markup) == ([2, 1, 1, 1], "<p>b</p>"))
  }

  @Test func `after a mount without a frame, frames of every join are applied`() throws {
    let feed = try Feed()
    try feed.frames(Self.page("a", join: "4"))
    try feed.frames(#"{"view":"lv:x","rendered":{"0":"b","s":["<p>","</p>"]}}"#, Self.reply("c", join: "7"))
    #expect((feed.counts, feed.markup) == ([2, 0, 0, 0], "<p>c</p>"))
  }

  @Test func `a diff before the first page is rejected because the view does not exist`() throws {
    let feed = try Feed()
    try feed.frames(Self.reply("a", join: "4"), Self.page("b", join: "4"), Self.reply("c", join: "4"))
    #expect((feed.counts, feed.markup) == ([2, 0, 0, 1], "<p>c</p>"))
    #expect(feed.report.rejected.first?.error.kind == .unknownView)
  }

  @Test func `frames of a join are dropped after its phx_close`() throws {
    let feed = try Feed()
    let close = { (join: String) in #"["\#(join)","\#(join)","lv:x","phx_close",{}]"# }
    try feed.frames(Self.page("a", join: "4"), close("3"), Self.reply("b", join: "4"))
    #expect((feed.counts, feed.markup) == ([2, 1, 1, 0], "<p>b</p>"))
    try feed.frames(close("4"), #"["4","9","lv:x","phx_reply",{"response":{}}]"#, Self.reply("c", join: "4"))
    #expect((feed.counts, feed.markup) == ([0, 3, 1, 0], "<p>b</p>"))
    try feed.frames(Self.page("d", join: "4"), Self.reply("e", join: "4"))
    #expect((feed.counts, feed.markup) == ([2, 0, 0, 0], "<p>e</p>"))
  }

  @Test func `a join stays current after phx_error until the client joins again`() throws {
    let feed = try Feed()
    try feed.frames(Self.page("a", join: "4"), #"["4","4","lv:x","phx_error",{}]"#, Self.reply("b", join: "4"))
    #expect((feed.counts, feed.markup) == ([2, 1, 0, 0], "<p>b</p>"))
  }

  @Test func `of two tabs with one topic, the last join is mirrored`() throws {
    let feed = try Feed()
    try feed.frames(
      Self.push("4"), Self.page("tab 1", join: "4"), Self.push("13"), Self.page("tab 2", join: "13"),
      Self.reply("of tab 1", join: "4"), Self.reply("of tab 2", join: "13"))
    #expect((feed.counts, feed.markup) == ([3, 3, 1, 0], "<p>of tab 2</p>"))
  }

  @Test func `joins of different topics are independent`() throws {
    let feed = try Feed()
    let other = Self.page("b", join: "12").replacing("lv:x", with: "lv:y")
    try feed.frames(Self.page("a", join: "4"), other, Self.reply("c", join: "4"))
    #expect((feed.counts, feed.markup) == ([3, 0, 0, 0], "<p>c</p>"))
  }

  // MARK: - With the client's frames

  @Test func `a join push makes its join current at once`() throws {
    let feed = try Feed()
    try feed.frames(Self.push("4"), Self.page("a", join: "4"), Self.push("12"), Self.reply("b", join: "4"))
    #expect((feed.counts, feed.markup) == ([1, 3, 1, 0], "<p>a</p>"))
    try feed.frames(Self.page("late", join: "4"), Self.page("c", join: "12"), Self.reply("d", join: "12"))
    #expect((feed.counts, feed.markup) == ([2, 1, 1, 0], "<p>d</p>"))
    try feed.frames(Self.page("later", join: "4"))
    #expect((feed.counts, feed.markup) == ([0, 1, 1, 0], "<p>d</p>"))
  }

  @Test func `a later join is mounted even without its push`() throws {
    let feed = try Feed()
    try feed.frames(Self.push("4"), Self.page("a", join: "4"), Self.page("b", join: "12"), Self.reply("c", join: "12"))
    #expect((feed.counts, feed.markup) == ([3, 1, 0, 0], "<p>c</p>"))
  }

  @Test func `a refused join keeps the page and drops frames of the previous join`() throws {
    let feed = try Feed()
    try feed.frames(
      Self.push("4"), Self.page("a", join: "4"), Self.push("12"),
      #"["12","12","lv:x","phx_reply",{"response":{"reason":"unauthorized"},"status":"error"}]"#,
      Self.reply("b", join: "4"), Self.reply("c", join: "12"))
    #expect((feed.counts, feed.markup) == ([1, 4, 1, 1], "<p>a</p>"))
    #expect(feed.report.rejected.first?.error.kind == .unfitting)
    try feed.frames(Self.push("14"), Self.page("d", join: "14"))
    #expect(feed.markup == "<p>d</p>")
  }

  @Test func `a join push before the first page applies to that page`() throws {
    let feed = try Feed()
    try feed.frames(Self.push("12", #"{"redirect":"http://x/"}"#))
    #expect(feed.view == nil)
    try feed.frames(Self.page("stale", join: "4"), Self.reply("stale", join: "4"), Self.reply("early", join: "12"))
    #expect((feed.counts, feed.markup) == ([0, 2, 2, 1], nil))
    try feed.frames(Self.page("a", join: "12"), container: .dead)
    #expect((feed.counts, feed.markup, feed.container) == ([1, 0, 0, 0], "<p>a</p>", .empty))
    #expect(feed.views.usage.staleFrameCount == 2)
  }

  @Test(arguments: [
    (#"{"url":"http://x/","params":{"_mounts":0}}"#, ContainerContent.dead),
    (#"{"redirect":"http://x/","params":{"_mounts":0}}"#, .empty),
    (#"{"url":"http://x/","params":{"_mounts":1}}"#, .kept), (#"{"redirect":"/","params":{"_mounts":7}}"#, .kept),
    (#"{"params":{"_mounts":0},"static":"SFMyNTY"}"#, .dead), (#"{"params":{"_mounts":0},"static":null}"#, .empty),
    (#"{"url":null,"redirect":null}"#, .dead), (#"{}"#, .dead), (#"[]"#, .dead),
  ])
  func `the join push determines the content of the container`(payload: String, container: ContainerContent) throws {
    let feed = try Feed()
    try feed.frames(Self.push("4"), Self.page("a", join: "4"), Self.push("12", payload))
    try feed.frames(Self.page("b", join: "12"), container: .dead)
    #expect((feed.container, feed.view?.view?.epoch) == (container, 2))
  }

  @Test(arguments: [
    (#"{"url":"http://x/","params":{"_format":"swiftui"}}"#, Dialect.native),
    (#"{"redirect":"/","params":{"_format":"jetpack"}}"#, .native), (#"{"params":{"_format":"html"}}"#, .html),
    (#"{"url":"http://x/","params":{"_mounts":0}}"#, .html), (#"{"params":{"_format":7}}"#, .html),
  ])
  func `the format of the join push determines the dialect`(payload: String, dialect: Dialect) throws {
    let feed = try Feed()
    let page = { (join: String) in
      #"["\#(join)","\#(join)","lv:x","phx_reply",{"response":{"rendered":{"s":["<Image systemName=\"x\"/>"]}},"status":"ok"}]"#
    }
    for join in ["4", "12"] {
      try feed.frames(Self.push(join, payload), page(join))
      #expect(feed.view?.document?.dialect == dialect)
      #expect(feed.view?.view?.findings.map(\.code) == (dialect == .html ? ["image-tag"] : []))
    }
    // The format is that of a join: a reply to another join, whose push was not fed, has the
    // dialect of the feed.
    try feed.frames(page("20"))
    #expect(feed.view?.document?.dialect == .html)
  }

  @Test func `a rejoin without an earlier mount is treated as a first page load`() throws {
    let feed = try Feed()
    try feed.frames(Self.push("4", #"{"url":"/","params":{"_mounts":3}}"#), Self.page("a", join: "4"))
    #expect(feed.container == .dead)
  }

  @Test func `without a join push the given container content is used, by default empty for a later join`() throws {
    let feed = try Feed()
    try feed.frames(Self.page("a", join: "4"), container: .empty)
    #expect(feed.container == .empty)
    try feed.frames(Self.push("12", "{}"), Self.page("b", join: "12"), container: .dead)
    #expect(feed.container == .dead)
    try feed.frames(Self.page("c", join: "20"))
    #expect(feed.container == .empty)
  }

  @Test func `the sent member of a line separates frames of the client from frames of the server`() throws {
    let feed = try Feed()
    let line = { (sent: Bool, frame: String) in #"{"at":17,"sent":\#(sent),"frame":\#(frame)}"# }
    try feed.frames(
      line(true, Self.push("4", #"{"redirect":"/"}"#)), line(false, Self.page("a", join: "4")),
      line(true, #"["4","8","lv:x","event",{"type":"click","event":"inc","value":{}}]"#),
      line(false, Self.reply("b", join: "4")))
    #expect((feed.counts, feed.markup, feed.container) == ([2, 2, 0, 0], "<p>b</p>", .empty))
    // A frame of the client is not an update, and a frame of the server is not a join.
    try feed.frames(line(true, Self.reply("c", join: "4")), line(false, Self.push("12")), Self.reply("d", join: "4"))
    #expect((feed.counts, feed.markup) == ([1, 2, 1, 0], "<p>d</p>"))
  }

  @Test(arguments: [1, 100]) func `pushes for topics without a view are bounded`(count: Int) throws {
    let feed = try Feed()
    let limit = 10_000
    let pushes = (0..<limit + count).map { Self.push("4").replacing("lv:x", with: "lv:\($0)") }
    try feed.frames(pushes.joined(separator: "\n"))
    #expect(feed.counts == [0, limit + count, 0, 0])
    let stale = Self.page("a", join: "3")
    try feed.frames(
      stale.replacing("lv:x", with: "lv:\(count)"), stale.replacing("lv:x", with: "lv:\(count - 1)"))
    // The oldest pushes have been evicted.
    #expect(feed.counts == [1, 1, 1, 0])
  }

  @Test(arguments: ["true", "1.5"]) func `a join_ref that is not a string or null is rejected`(ref: String) throws {
    let feed = try Feed()
    try feed.frames(Self.page("a", join: "4"), #"[\#(ref),null,"lv:x","diff",{"0":"b"}]"#)
    #expect((feed.counts, feed.markup) == ([1, 0, 0, 1], "<p>a</p>"))
  }

  // MARK: - Recordings

  @Test(arguments: Recording.all)
  func `only frames of an abandoned join are stale in a recording`(recording: Recording) throws {
    let frames = recording.steps.map { String(decoding: $0.frame, as: UTF8.self) }
    let (views, updates) = (LiveViews(options: UpdateOptions().withAnalyses), recording.steps.count(where: \.isUpdate))
    let dialect = recording.isNative ? Dialect.native : .html
    let report = try views.receive(frames: Array(frames.joined(separator: "\n").utf8), dialect: dialect)
    #expect((report.applied, report.staleFrameCount) == (updates, 0))

    // The file also has the frames of the client.
    let file = Array(try Data(contentsOf: recording.url))
    let whole = try LiveViews(options: UpdateOptions().withAnalyses).receive(frames: file, dialect: dialect)
    #expect((whole.frames, whole.applied) == (frames.count, updates))
    // `phx_close` and the reply to `phx_leave` arrive after the push of the next join.
    #expect(whole.staleFrameCount == (recording.name.contains("09_events") ? 2 : 0))
  }

  // MARK: - One diff

  @Test func `a diff of an earlier join is refused and not logged`() throws {
    let feed = try Feed()
    try feed.frames(Self.page("a", join: "4"), Self.page("b", join: "12"))
    let error = #expect(throws: UpdateError.self) {
      try feed.views.update("lv:x", Array(Self.reply("c", join: "4").utf8))
    }
    #expect(error?.kind == .staleFrame)
    #expect(error?.reason == "the frame belongs to join 4, and the current join of the view is 12")
    #expect((feed.markup, feed.view?.log.rejectionCount, feed.views.usage.staleFrameCount) == ("<p>b</p>", 0, 1))
    #expect(try feed.views.update("lv:x", Array(Self.reply("c", join: "12").utf8)).version == 1)
  }

  @Test func `a page of an earlier join is mounted and makes that join current`() throws {
    let feed = try Feed()
    try feed.frames(Self.push("12"), Self.page("a", join: "12"))
    _ = try feed.views.mount("lv:x", Array(Self.page("b", join: "4").utf8), dialect: .html)
    try feed.frames(Self.reply("c", join: "12"), Self.reply("d", join: "4"))
    #expect((feed.counts, feed.markup) == ([1, 1, 1, 0], "<p>d</p>"))
  }
}
