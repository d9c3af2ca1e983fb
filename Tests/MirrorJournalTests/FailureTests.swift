import Foundation
import MarkupDocument
import MirrorSupport
import TestSupport
import Testing

@testable import LiveViewMirror
@testable import MicroHTTP

/// While the store accepts no writes, nothing is answered with 200, and nothing that was answered
/// is lost.
@Suite struct FailureTests {
  private let store = MemoryStore()
  private let mirror: JournaledMirror
  private static let full = JournalError(.unavailable, "the disk of the journal is full")

  init() throws {
    mirror = try JournaledMirror(store)
    try mirror.post("/views/counter/rendered", #"{"0":"0","s":["<p>Count: ","</p>"]}"#)
    try mirror.post("/views/counter/diffs", #"{"0":"1"}"#)
  }

  @Test func `a diff that cannot be written is answered with 503, and the view does not have it`() throws {
    defer { mirror.stop() }
    let before = try mirror.everything()
    store.failure = Self.full
    let answer = try mirror.send(.post, "/views/counter/diffs", #"{"0":"2"}"#.utf8)
    #expect(answer.status.code == 503)
    #expect(answer.headers["Retry-After"] == "1")
    #expect(String(decoding: answer.bytes, as: UTF8.self).contains("the disk of the journal is full"))
    let after = difference(before, try mirror.everything())
    #expect(after == nil)
  }

  @Test func `the answers to diffs are held back without waiting, also those of rejected ones`() throws {
    let slow = SlowStore(MemoryStore())
    let mirror = try JournaledMirror(slow)
    defer { mirror.stop() }
    try mirror.post("/views/counter/rendered", #"{"0":"0","s":["<p>Count: ","</p>"]}"#)
    slow.isBlocked.change { $0 = true }
    let answers = try [#"{"0":"1"}"#, #"{"7":"1"}"#].map {
      try mirror.send(.post, "/views/counter/diffs", $0.utf8, deferring: true)
    }
    #expect(answers.map(\.status.code) == [200, 422])
    let decisions = Guarded<[DeferredResponse.Completion]>([])
    for answer in answers {
      try #require(answer.deferred).whenCompleted { decision in decisions.change { $0.append(decision) } }
    }
    #expect(decisions.withLock { $0.isEmpty })
    slow.isBlocked.change { $0 = false }
    #expect(decisions.wait(until: .now + .seconds(60)) { $0.count == 2 })
    for decision in decisions.current { if case .send = decision {} else { Issue.record("\(decision)") } }
  }

  @Test func `an update that was accepted is applied again, however little memory the process has then`() throws {
    let rows = (0..<30_000).map { "[\"\($0)\"]" }.joined(separator: ",")
    let page = { (tag: String) in #"{"0":{"s":["<\#(tag)>","</\#(tag)>"],"d":[\#(rows)]},"s":["<div>","</div>"]}"# }
    try mirror.post("/views/list/rendered", page("p"))
    try mirror.post("/views/list/diffs", page("b"))
    mirror.stop()
    let again = try JournaledMirror(store, options: UpdateOptions(drawsPage: true, memory: 1))
    defer { again.stop() }
    #expect(try again.text("/views/list/html").contains("<b>29999</b>"))
    #expect(try again.post("/views/list/diffs", page("p")) == 503)
  }

  static let frames = """
    ["1","1","lv:a","phx_reply",{"status":"ok","response":{"rendered":{"0":"0","s":["<p>","</p>"]}}}]
    ["1",null,"lv:a","diff",{"0":"1"}]
    ["1",null,"lv:a","diff",{"0":"2"}]
    """

  @Test func `frames that are sent again have their turn when the first ones are applied`() throws {
    let (isApplying, mayGoOn, known) = (Guarded(false), Guarded(false), Guarded<Int?>(nil))
    let views = mirror.views
    let receive = { @Sendable (each: (LiveViews.FrameOutcome) -> Void) in
      try? views.receive(
        frames: Array(Self.frames.utf8), dialect: .html, container: nil, of: PageFeedParameters(id: "p", first: 0),
        each: each)
    }
    defer { mirror.stop() }
    Thread.detachNewThread {
      _ = receive { _ in
        isApplying.change { $0 = true }
        _ = mayGoOn.wait(until: .now + .seconds(60)) { $0 }
      }
    }
    #expect(isApplying.wait(until: .now + .seconds(60)) { $0 })
    Thread.detachNewThread {
      let report = receive { _ in }
      known.change { $0 = report?.known ?? -1 }
    }
    #expect(!known.wait(until: .now + .milliseconds(200)) { $0 != nil })
    mayGoOn.change { $0 = true }
    #expect(known.wait(until: .now + .seconds(60)) { $0 == 3 })
    #expect(views["lv:a~p"]?.view?.version == 2)
  }

  @Test func `frames that are sent again are not answered with 200 if the first ones are not written`() throws {
    let (memory, decisions) = (MemoryStore(), Guarded<[DeferredResponse.Completion]>([]))
    let slow = SlowStore(memory)
    let mirror = try JournaledMirror(slow)
    defer { mirror.stop() }
    slow.isBlocked.change { $0 = true }
    for known in [0, 3] {
      let answer = try mirror.send(.post, "/frames?page=p&first=0", Self.frames.utf8, deferring: true)
      #expect(String(decoding: answer.bytes, as: UTF8.self).contains("\"known_frames\":\(known)"))
      try #require(answer.deferred).whenCompleted { decision in decisions.change { $0.append(decision) } }
    }
    memory.failure = Self.full
    slow.isBlocked.change { $0 = false }
    #expect(decisions.wait(until: .now + .seconds(60)) { $0.count == 2 })
    for decision in decisions.current { if case .make = decision {} else { Issue.record("\(decision)") } }
  }

  @Test func `waiting for all items includes those before one that is lost at once`() throws {
    let slow = SlowStore(MemoryStore())
    let journal = try Journal(slow)
    defer { journal.stop() }
    slow.isBlocked.change { $0 = true }
    journal.add(.page(.page("x"), [1]))
    let view = ViewJournal(of: "a", in: journal)
    view.cut = JournalError(.outdated, "another mirror was first")
    journal.add(.view(view, entry: nil, row: JournalRow(lastEpoch: 0), revision: 1))
    let isDone = Guarded(false)
    let thread = Thread {
      #expect(throws: Never.self) { try journal.flush() }
      isDone.change { $0 = true }
    }
    thread.start()
    #expect(!isDone.wait(until: .now + .milliseconds(200)) { $0 })
    slow.isBlocked.change { $0 = false }
    #expect(isDone.wait(until: .now + .seconds(60)) { $0 })
  }

  @Test func `until the store recovers, every input is refused and the health check says so`() throws {
    defer { mirror.stop() }
    store.failure = Self.full
    #expect(try mirror.post("/views/counter/diffs", #"{"0":"2"}"#) == 503)
    for (path, body) in [
      ("/views/counter/diffs", #"{"0":"2"}"#), ("/views/other/rendered", #"{"s":["<p></p>"]}"#),
      ("/frames", #"[null,null,"counter","diff",{"0":"2"}]"#), ("/pages/tab", "{}"),
    ] { #expect(try mirror.post(path, body) == 503, "\(path)") }
    #expect(try mirror.send(.delete, "/views/counter", []).status.code == 503)
    #expect(try mirror.send(.get, "/healthz?ready", []).status.code == 503)
    #expect(try mirror.send(.get, "/healthz", []).status.code == 200)
    #expect(try mirror.text("/views").contains(#""journal_problem":"the disk of the journal is full""#))
  }

  @Test func `after the store has recovered, the same diff is applied once`() throws {
    store.failure = Self.full
    #expect(try mirror.post("/views/counter/diffs", #"{"0":"2"}"#) == 503)
    store.failure = nil
    var code = 503
    for _ in 0..<1_000 where code == 503 {
      Thread.sleep(forTimeInterval: 0.05)
      code = try mirror.post("/views/counter/diffs", #"{"0":"2"}"#)
    }
    #expect(code == 200)
    #expect(mirror.views["counter"]?.view?.version == 2)
    let before = try mirror.everything()
    mirror.stop()
    let next = try JournaledMirror(store)
    let change = difference(before, try next.everything())
    #expect(change == nil)
    next.stop()
  }

  /// Waits until the store is written again, and posts.
  private func postAfterRecovery(_ path: String, _ body: String) throws -> Int {
    store.failure = nil
    var code = 503
    for _ in 0..<1_000 where code == 503 {
      Thread.sleep(forTimeInterval: 0.05)
      code = try mirror.post(path, body)
    }
    return code
  }

  @Test func `frames that were answered with 503 are applied when they are sent again`() throws {
    defer { mirror.stop() }
    try mirror.post(
      "/frames?page=p&first=0",
      #"["1","1","lv:a","phx_reply",{"status":"ok","response":{"rendered":{"0":"0","s":["<p>","</p>"]}}}]"#)
    store.failure = Self.full
    let diff = #"["1",null,"lv:a","diff",{"0":"1"}]"#
    #expect(try mirror.post("/frames?page=p&first=1", diff) == 503)
    #expect(try postAfterRecovery("/frames?page=p&first=1", diff) == 200)
    #expect(mirror.views["lv:a~p"]?.view?.version == 1)
  }

  /// The store fails with an earlier item, and recovers, while a body is applied that was accepted
  /// before.
  @Test func `no frames are missing after a body that was accepted before a failure`() throws {
    let memory = MemoryStore()
    let slow = SlowStore(memory)
    let mirror = try JournaledMirror(slow)
    defer { mirror.stop() }
    try mirror.post("/views/counter/rendered", #"{"0":"0","s":["<p>","</p>"]}"#)
    let mount = #"["1","1","lv:a","phx_reply",{"status":"ok","response":{"rendered":{"0":"0","s":["<p>","</p>"]}}}]"#
    try mirror.post("/frames?page=p&first=0", mount)
    let journal = try #require(mirror.journal)
    let end = journal.end
    slow.isBlocked.change { $0 = true }
    Thread.detachNewThread {
      #expect(throws: UpdateError.self) { try mirror.views.update("counter", Array(#"{"0":"1"}"#.utf8)) }
    }
    while journal.end == end { usleep(1_000) }
    let other = #"[null,"5","phoenix","phx_reply",{"status":"ok","response":{}}]"#
    let page = PageFeedParameters(id: "p", first: 1)
    let report = Result {
      try mirror.views.receive(frames: Array(other.utf8), dialect: .html, container: nil, of: page) { _ in
        memory.failure = Self.full
        slow.isBlocked.change { $0 = false }
        while journal.failure == nil { usleep(1_000) }
        Thread.detachNewThread {
          usleep(100_000)
          memory.failure = nil
        }
      }
    }
    func post(_ first: Int, _ frame: String) throws -> HTTPResponse {
      while journal.failure != nil { usleep(1_000) }
      return try mirror.send(.post, "/frames?page=p&first=\(first)", frame.utf8)
    }
    if case .failure = report { #expect(try post(1, other).status.code == 200) }
    let answer = try post(2, #"["1",null,"lv:a","diff",{"0":"1"}]"#)
    #expect(String(decoding: answer.bytes, as: UTF8.self).contains(#""missing_frames":0"#))
  }

  @Test func `an item that is added while the store fails is lost`() throws {
    let store = MemoryStore()
    let journal = try Journal(store)
    defer { journal.stop() }
    store.failure = Self.full
    journal.add(.page(.page("a"), [1]))
    #expect(throws: JournalError.self) { try journal.flush() }
    let place = journal.end
    journal.add(.page(.page("b"), [1]))
    store.failure = nil
    #expect(throws: JournalError.self) { try journal.flush(after: place) }
    for _ in 0..<6_000 where journal.failure != nil { Thread.sleep(forTimeInterval: 0.01) }
    #expect(throws: Never.self) { try journal.flush(after: journal.end) }
    #expect(try store.pages().isEmpty)
  }

  @Test func `a page that was read again since it has received frames does not have them`() {
    var pages = PageTable(views: 1)
    _ = pages.open("p", url: nil, at: 0)
    _ = pages.receive(2, first: 0, of: "p")
    let isFirstKept = pages.didReceive(2, of: "p")
    _ = pages.receive(1, first: 2, of: "p")
    pages.forgetUnkept(of: "p")
    let isSecondKept = pages.didReceive(3, of: "p")
    #expect(isFirstKept && !isSecondKept && pages["p"]?.kept == 2)
  }

  @Test func `idle views are not unloaded while the store fails, and go on afterwards`() throws {
    defer { mirror.stop() }
    try mirror.post("/views/idle/rendered", #"{"0":"0","s":["<p>","</p>"]}"#)
    store.failure = Self.full
    #expect(try mirror.post("/views/counter/diffs", #"{"0":"2"}"#) == 503)
    #expect(mirror.views.unloadIdle(for: .zero) == 0)
    #expect(try postAfterRecovery("/views/idle/diffs", #"{"0":"1"}"#) == 200)
    #expect(mirror.views.unloadIdle(for: .zero) == 1)
    #expect(try mirror.post("/views/idle/diffs", #"{"0":"2"}"#) == 200)
  }

  @Test func `a mount that was not written leaves the epochs and pages as they were`() throws {
    defer { mirror.stop() }
    #expect(try mirror.send(.delete, "/views/counter", []).status.code == 204)
    try mirror.post("/pages/tab", #"{"title":"Shop"}"#)
    let pages = try mirror.text("/pages")
    store.failure = Self.full
    #expect(try mirror.post("/views/counter/rendered", #"{"s":["<p></p>"]}"#) == 503)
    #expect(try mirror.post("/pages/tab", #"{"title":"Other"}"#) == 503)
    #expect(try postAfterRecovery("/views/counter/rendered", #"{"s":["<p></p>"]}"#) == 201)
    #expect(mirror.views["counter"]?.view?.epoch == 2)
    #expect(try mirror.text("/pages") == pages)
  }

  @Test func `a view whose mount was not written does not exist`() throws {
    defer { mirror.stop() }
    store.failure = Self.full
    #expect(try mirror.post("/views/new/rendered", #"{"s":["<p></p>"]}"#) == 503)
    #expect(try mirror.send(.get, "/views/new", []).status.code == 404)
  }

  @Test func `a view whose removal was not written exists`() throws {
    defer { mirror.stop() }
    let before = try mirror.everything()
    store.failure = Self.full
    // The first change that finds the failure.
    #expect(try mirror.send(.delete, "/views/counter", []).status.code == 503)
    let after = difference(before, try mirror.everything())
    #expect(after == nil)
  }

  @Test func `views are listed while the journal can be neither written nor read, and are as before afterwards`() throws
  {
    defer { mirror.stop() }
    let before = try mirror.everything()
    (store.failure, store.readFailure) = (Self.gone, Self.gone)
    for (path, body) in [("counter/diffs", #"{"0":"2"}"#), ("new/rendered", #"{"s":["<p></p>"]}"#)] {
      #expect(try mirror.post("/views/\(path)", body) == 503)
    }
    #expect(try mirror.text("/views").contains(#""view":"counter""#))
    #expect(try mirror.send(.get, "/views/counter", []).status.code == 503)
    (store.failure, store.readFailure) = (nil, nil)
    #expect(try postUntilAccepted("/views/counter/diffs", #"{"7":"x"}"#) == 422)
    #expect(try mirror.send(.get, "/views/new", []).status.code == 404)
    #expect(try mirror.text("/views/counter/html") == before["/views/counter/html"])
    #expect(mirror.views["counter"]?.view?.version == 1)
  }

  @Test func `a removal that could not be written, nor its view be read, has changed nothing`() throws {
    defer { mirror.stop() }
    (store.failure, store.readFailure) = (Self.gone, Self.gone)
    #expect(try mirror.send(.delete, "/views/counter", []).status.code == 503)
    (store.failure, store.readFailure) = (nil, nil)
    #expect(try postUntilAccepted("/views/counter/diffs", #"{"0":"2"}"#) == 200)
    #expect(mirror.views["counter"]?.view?.version == 2)
  }

  private static let gone = JournalError(.unavailable, "the server of the journal is gone")

  private func postUntilAccepted(_ path: String, _ body: String) throws -> Int {
    var code = 503
    for _ in 0..<1_000 where code == 503 || code == 404 {
      Thread.sleep(forTimeInterval: 0.05)
      code = try mirror.post(path, body)
    }
    return code
  }
}
