import Foundation
import LiveViewMirror
import MicroHTTP
import MirrorJournal
import PostgresFixture
import RecordingFixtures
import Testing

/// What can happen to a journal in PostgreSQL while the mirror runs.
@Suite(.enabled(if: !PostgresServer.isLeftOut, "\(PostgresServer.needed)")) struct PostgresTests {
  private static let counter = #"{"0":"0","s":["<p>Count: ","</p>"]}"#

  /// - Parameter previous: the revision before; `nil` for that after one group for each earlier
  ///   entry.
  static func group(
    _ view: String, entry number: Int, of count: Int = 1, row: [UInt8] = [1], after previous: Int? = nil
  ) -> JournalGroup {
    var group = JournalGroup()
    var change = JournalGroup.View()
    change.row = row
    change.previous = previous ?? number - 1
    change.revision = change.previous + 1
    change.entries = (number..<number + count).map {
      JournalGroup.IndexedEntry(number: $0, epoch: 1, version: $0 - 1, kind: "diff", bytes: Array("entry \($0)".utf8))
    }
    group.views[view] = change
    return group
  }

  @Test func `a group with an entry that exists is refused as a whole, and the store goes on`() throws {
    let place = try JournalPlace(.postgres)
    let store = try place.open()
    defer { store.close() }
    try store.write(Self.group("a", entry: 1))
    var group = Self.group("b", entry: 1)
    group.views["a"] = Self.group("a", entry: 1, row: [2], after: 1).views["a"]
    group.pages = ["page:x": [1]]
    let error = #expect(throws: JournalError.self) { try store.write(group) }
    #expect(error?.kind == .unavailable && error?.reason.contains("reports an error of PostgreSQL") == true)
    #expect(try store.views().map(\.id) == ["a"])
    #expect(try store.view("a")?.row == [1])
    #expect(try store.pages().isEmpty)
    try store.probe()
    try store.write(Self.group("a", entry: 2))
    #expect(try store.view("a")?.entries.map(\.number) == [1, 2])
  }

  @Test func `ids and bytes of every kind and length are kept`() throws {
    let place = try JournalPlace(.postgres)
    let store = try place.open()
    defer { store.close() }
    let ids = ["a\0b", "", "ä\u{301}🙂", String(repeating: "long", count: 5_000), "a'; DROP TABLE x; --"]
    for id in ids {
      try store.write(Self.group(id, entry: 1, row: Array(0...255) + Array(repeating: 0, count: 3_000_000)))
    }
    #expect(Set(try store.views().map(\.id)) == Set(ids))
    for id in ids { #expect(try store.view(id)?.row.count == 3_000_256) }
    #expect(try store.view("ä\u{301}🙂")?.row.prefix(256) == Array(0...255)[...])
    #expect(try store.view("unknown") == nil)
  }

  /// The server ends the connections of the mirror at random moments; a `COMMIT` may be under way.
  @Test func `every acknowledged write exists once, although connections are ended`() throws {
    let place = try JournalPlace(.postgres)
    let (server, database) = (try PostgresServer.common(), try #require(place.database))
    let store = try place.open()
    defer { store.close() }
    let ending = Ending(server, database)
    var random = SplitMix(state: 5)
    var acknowledged = 0
    var round = 0
    // A fast machine writes many groups between two ends.
    while round < TestEffort.count(400, long: 10_000) || ending.soFar < 5 {
      defer { round += 1 }
      let count = random.below(20) + 1
      let outdated = try store.write(Self.group("a", entry: acknowledged + 1, of: count, after: round))
      #expect(outdated.isEmpty)
      acknowledged += count
    }
    #expect(ending.stop() > 3)
    let kept = try #require(try store.view("a"))
    #expect(kept.entries.map(\.number) == Array(1...acknowledged))
  }

  @Test func `reading takes no memory that is not released`() throws {
    let place = try JournalPlace(.postgres)
    let store = try place.open()
    defer {
      store.close()
      withExtendedLifetime(place) {}
    }
    try store.write(Self.group("a", entry: 1))
    func read(_ count: Int) throws -> Int {
      for _ in 0..<count { _ = try store.row(of: "a") }
      let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
      return (Int(pages) ?? 0) * 4_096
    }
    let before = try read(2_000)
    // A result that is not released takes 2 kB.
    #expect(try read(10_000) - before < 8 << 20)
  }

  /// Ends connections again and again, on a thread of its own.
  final class Ending: @unchecked Sendable {
    private let done = DispatchSemaphore(value: 0)
    private let lock = NSLock()
    private var isStopping = false
    private var count = 0

    init(_ server: PostgresServer, _ database: String) {
      let thread = Thread { [self] in
        while !lock.withLock({ isStopping }) {
          let ended = try? server.sql(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '\(database)'")
          lock.withLock { count += Int(ended?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "") ?? 0 }
          // A mirror gives up after five lost connections in a row, so a busy machine must have the
          // time to make one.
          usleep(25_000)
        }
        done.signal()
      }
      thread.start()
    }

    /// The number of connections that were ended so far.
    var soFar: Int { lock.withLock { count } }

    /// - Returns: the number of connections that were ended.
    func stop() -> Int {
      lock.withLock { isStopping = true }
      done.wait()
      return count
    }
  }

  @Test(arguments: [PostgresServer.Stop.fast, .crash])
  func `while the server is stopped inputs are refused, and nothing that was answered is lost`(
    stop: PostgresServer.Stop
  ) throws {
    let server = try PostgresServer()
    let database = try server.database()
    let mirror = try JournaledMirror(postgres(server.url(database)))
    #expect(try mirror.post("/views/counter/rendered", Self.counter) == 201)
    #expect(try mirror.post("/views/idle/rendered", Self.counter) == 201)
    var accepted = 0
    func post(until condition: (Int) -> Bool) throws {
      for _ in 0..<2_000 {
        let code = try mirror.post("/views/counter/diffs", #"{"0":"\#(accepted + 1)"}"#)
        if code == 200 { accepted += 1 }
        #expect(code == 200 || code == 503)
        if condition(code) { return }
        if code == 503 { usleep(20_000) }
      }
      Issue.record("the mirror does not come to the expected answer")
    }
    try post { _ in accepted == 20 }
    try server.stop(stop)
    try post { $0 == 503 }
    #expect(try mirror.send(.get, "/healthz?ready", []).status.code == 503)
    #expect(try mirror.text("/views").contains(#""view":"counter""#))
    try server.start()
    try post { $0 == 200 }
    try post { _ in accepted >= 40 }
    #expect(mirror.views["counter"]?.view?.version == accepted)
    let before = try mirror.everything()
    mirror.stop()
    let next = try JournaledMirror(postgres(server.url(database)))
    let change = difference(before, try next.everything())
    #expect(change == nil)
    next.stop()
    try server.stop(.fast)
  }

  @Test func `a server that has lost what it had confirmed is not written to`() throws {
    let place = try JournalPlace(.postgres)
    let (server, database) = (try PostgresServer.common(), try #require(place.database))
    let store = try place.open()
    defer { store.close() }
    for number in 1...3 { try store.write(Self.group("a", entry: number)) }
    // As after a failover to a standby that has received the first two transactions.
    try server.sql(
      """
      UPDATE liveview_mirror.mirror SET number = 2; DELETE FROM liveview_mirror.entry WHERE number = 3;
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(database)' AND pid <> pg_backend_pid()
      """, in: database)
    for _ in 1...2 {
      let error = #expect(throws: JournalError.self) { try store.write(Self.group("a", entry: 4)) }
      #expect(error?.reason.contains("has lost what it had confirmed") == true)
    }
    #expect(try store.view("a")?.entries.count == 2)
  }

  @Test func `a short stop of the server is not noticed`() throws {
    let server = try PostgresServer()
    let store = try postgres(server.url(server.database()))
    try store.write(Self.group("a", entry: 1))
    try server.stop(.crash)
    try server.start()
    try store.write(Self.group("a", entry: 2))
    #expect(try store.view("a")?.entries.count == 2)
    store.close()
    try server.stop(.fast)
  }
}
