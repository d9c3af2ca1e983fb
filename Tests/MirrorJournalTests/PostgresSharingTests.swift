import Foundation
import LiveViewMirror
import MirrorJournal
import MirrorSupport
import PostgresFixture
import RecordingFixtures
import Testing

/// Several stores on one database.
@Suite(.enabled(if: !PostgresServer.isLeftOut, "\(PostgresServer.needed)")) struct PostgresSharingTests {
  private let place: JournalPlace
  private let server: PostgresServer
  private let database: String

  init() throws {
    place = try JournalPlace(.postgres)
    server = try PostgresServer.common()
    database = try #require(place.database)
  }

  private func store() throws -> PostgresStore { try postgres(server.url(database)) }

  @Test func `a view that another mirror has changed is not written, and the others of the group are`() throws {
    let (first, second) = (try store(), try store())
    defer {
      first.close()
      second.close()
    }
    #expect(try first.write(PostgresTests.group("a", entry: 1)).isEmpty)
    #expect(try second.write(PostgresTests.group("a", entry: 2)).isEmpty)
    var group = PostgresTests.group("a", entry: 2, row: [9])
    group.views["b"] = PostgresTests.group("b", entry: 1, row: [3]).views["b"]
    group.views["a"]?.unneeded = 2
    group.views["a"]?.snapshots = [StoredView.Snapshot(number: 1, epoch: 1, bytes: [7])]
    group.pages = ["page:x": [1]]
    #expect(try first.write(group) == ["a"])
    let kept = try #require(try first.view("a"))
    #expect(kept.entries.map(\.number) == [1, 2] && kept.row == [1] && kept.revision == 2 && kept.snapshot == nil)
    #expect(try first.row(of: "b")?.bytes == [3])
    #expect(try first.pages().count == 1)
  }

  @Test func `a removed view keeps its revision`() throws {
    let store = try store()
    defer { store.close() }
    try store.write(PostgresTests.group("a", entry: 1))
    var removal = PostgresTests.group("a", entry: 2)
    removal.views["a"]?.entries = []
    removal.views["a"]?.isReplaced = true
    #expect(try store.write(removal).isEmpty)
    #expect(try store.view("a")?.revision == 2 && store.view("a")?.entries.isEmpty == true)
    #expect(try store.write(PostgresTests.group("a", entry: 1)) == ["a"])
    #expect(try store.write(PostgresTests.group("a", entry: 1, after: 2)).isEmpty)
  }

  /// Each writer writes the next revision of a random view, as far as it knows, and reads the view
  /// when another writer was first.
  @Test(arguments: [false, true])
  func `of several writers one writes each revision`(areConnectionsEnded: Bool) throws {
    let stores = try (0..<3).map { _ in try store() }
    defer {
      for store in stores { store.close() }
    }
    let ending = areConnectionsEnded ? PostgresTests.Ending(server, database) : nil
    let written = Guarded<[String: [Int]]>([:])
    let conflicts = Guarded(0)
    DispatchQueue.concurrentPerform(iterations: stores.count) { number in
      var random = SplitMix(state: UInt64(number))
      var round = 0
      var known: [String: Int] = [:]
      while round < TestEffort.count(60, long: 2_000) || ending.map({ $0.soFar < 5 }) == true {
        round += 1
        do {
          var group = JournalGroup()
          for _ in 0...random.below(4) {
            let id = "view \(random.below(5))"
            group.views[id] = PostgresTests.group(id, entry: known[id, default: 0] + 1).views[id]
          }
          let outdated = try stores[number].write(group)
          conflicts.withLock { $0 += outdated.count }
          for (id, view) in group.views {
            known[id] = outdated.contains(id) ? try stores[number].row(of: id)?.revision : view.revision
          }
          written.withLock { written in
            for (id, view) in group.views where !outdated.contains(id) {
              written[id, default: []].append(view.revision)
            }
          }
        } catch {
          Issue.record(error)
        }
      }
    }
    if let ending { #expect(ending.stop() > 3) }
    #expect(conflicts.current > 0)
    for (id, revisions) in written.current {
      #expect(revisions.sorted() == Array(1...revisions.count))
      #expect(try stores[0].view(id)?.entries.map(\.number) == Array(1...revisions.count))
    }
  }

  /// The server has written a transaction, and its answer is lost with the connection.
  @Test func `conflicts are right if the answer of the server is lost`() throws {
    let filter = try AnswerFilter(of: server.port)
    let second = try store()
    let first = try postgres("postgres://postgres@127.0.0.1:\(filter.port)/\(database)")
    defer {
      first.close()
      second.close()
    }
    for view in ["a", "b"] { try first.write(PostgresTests.group(view, entry: 1)) }
    try second.write(PostgresTests.group("b", entry: 2))
    filter.discardAnswers()
    let result = Guarded<Set<String>?>(nil)
    let done = DispatchSemaphore(value: 0)
    Thread {
      var group = PostgresTests.group("a", entry: 2)
      group.views["b"] = PostgresTests.group("b", entry: 2).views["b"]
      let outdated = try? first.write(group)
      result.withLock { $0 = outdated }
      done.signal()
    }.start()
    let revision = "SELECT revision FROM liveview_mirror.view WHERE id = 'a'"
    while try server.sql(revision, in: database) != "2\n" {}
    // Before the mirror learns that its change was written, another one builds on it.
    #expect(try second.write(PostgresTests.group("a", entry: 3)).isEmpty)
    filter.cut()
    done.wait()
    #expect(result.current == ["b"])
    #expect(try second.view("a")?.entries.map(\.number) == [1, 2, 3])
  }

  @Test func `mirrors that start at the same time create the tables once`() throws {
    let url = server.url(database)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      #expect(throws: Never.self) { try postgres(url).close() }
    }
    #expect(try server.sql("SELECT count(*) FROM liveview_mirror.migration", in: database) == "3\n")
  }

  @Test func `a change that is committed after a later one is not missed`() throws {
    let store = try store()
    defer { store.close() }
    for view in ["a", "b"] { try store.write(PostgresTests.group(view, entry: 1)) }
    let start = try store.news(after: nil)
    #expect(Set(start.views.map(\.id)) == ["a", "b"])
    try server.sleep(
      """
      BEGIN; UPDATE liveview_mirror.view SET revision = 7, change = pg_current_xact_id() WHERE id = 'a';
      DO $$ BEGIN
        LOOP EXIT WHEN EXISTS (SELECT FROM pg_class WHERE relname = 'go'); PERFORM pg_sleep(0.05); END LOOP;
      END $$;
      COMMIT
      """, in: database)
    try store.write(PostgresTests.group("b", entry: 2))
    let during = try store.news(after: start.position)
    #expect(during.views.map(\.id) == ["b"])
    #expect(try store.news(after: during.position).views.isEmpty)
    try server.sql("CREATE TABLE public.go ()", in: database)
    let deadline = ContinuousClock.now + .seconds(60)
    var after = during
    repeat { after = try store.news(after: during.position) } while after.views.isEmpty && .now < deadline
    #expect(after.views.map(\.revision) == [7])
  }

  @Test func `pages that were changed and deleted, and messages of others, are news once`() throws {
    let (first, second) = (try store(), try store())
    defer {
      first.close()
      second.close()
    }
    var group = JournalGroup()
    group.pages = ["page:x": [1], "page:y": [2]]
    try first.write(group)
    let start = try second.news(after: nil)
    #expect(start.pages.count == 2)
    group.pages["page:x"] = .some(nil)
    group.pages["page:y"] = [3]
    try first.write(group)
    for number in 0..<20 { try first.send([UInt8(number)]) }
    try second.send([99])
    let news = try second.news(after: start.position)
    #expect(news.pages.filter { $0.row == nil }.map(\.id) == ["page:x"])
    #expect(news.pages.compactMap(\.row) == [[3]])
    #expect(news.messages.map(\.bytes) == (0..<20).map { [UInt8($0)] })
    let next = try second.news(after: news.position)
    #expect(next.pages.isEmpty && next.messages.isEmpty)
    #expect(try second.news(after: nil).pages.map(\.id) == ["page:y"])
    // Those of which a mirror asks again, and the messages of a group.
    group = JournalGroup()
    group.messages = [[7], [8]]
    first.awaitNews(for: .milliseconds(1_200))
    try first.write(group)
    let again = try second.news(after: next.position, andPages: ["page:x", "page:y", "page:z"])
    #expect(Set(again.pages.map { "\($0.id) \($0.row ?? [])" }) == ["page:x []", "page:y [3]"])
    #expect(again.messages.map(\.bytes) == [[7], [8]])
  }

  @Test func `what no mirror needs any more is deleted`() throws {
    var group = JournalGroup()
    group.pages = ["page:x": [1], "page:y": [2]]
    let first = try store()
    defer { first.close() }
    try first.write(group)
    group.pages = ["page:x": nil as [UInt8]?]
    try first.write(group)
    try first.send([1])
    try server.sql(
      """
      UPDATE liveview_mirror.page SET deleted_at = deleted_at - interval '2 hours';
      UPDATE liveview_mirror.message SET at = at - interval '2 minutes';
      INSERT INTO liveview_mirror.mirror(id, seen_at) VALUES ('gone', now() - interval '2 days')
      """, in: database)
    let next = try store()
    defer { next.close() }
    for (table, count) in [("page", 1), ("message", 0), ("mirror", 2)] {
      #expect(try server.sql("SELECT count(*) FROM liveview_mirror.\(table)", in: database) == "\(count)\n", "\(table)")
    }
  }

  @Test func `a mirror counts the others that are connected, and none that has ended`() throws {
    let first = try store()
    defer { first.close() }
    #expect(try first.otherMirrors() == 0)
    let others = try (0..<2).map { _ in try store() }
    for other in others { other.awaitNews(for: .milliseconds(300)) }
    #expect(try first.otherMirrors() == 2)
    others[0].close()
    // The server notices the end of a connection within a moment.
    let deadline = ContinuousClock.now + .seconds(60)
    while try first.otherMirrors() != 1, .now < deadline { usleep(2_000) }
    #expect(try first.otherMirrors() == 1)
    others[1].close()
  }

  @Test func `a mirror is woken by others, and not by itself`() throws {
    let (first, second) = (try store(), try store())
    defer {
      first.close()
      second.close()
    }
    // Both learn of each other.
    for store in [first, second] { store.awaitNews(for: .milliseconds(1_200)) }
    func time(_ body: () throws -> Void) rethrows -> Duration { try ContinuousClock().measure(body) }
    try second.write(PostgresTests.group("a", entry: 1))
    #expect(time { first.awaitNews(for: .seconds(60)) } < .seconds(50))
    try first.write(PostgresTests.group("a", entry: 2))
    #expect(time { first.awaitNews(for: .milliseconds(700)) } >= .milliseconds(600))
    #expect(time { second.awaitNews(for: .seconds(60)) } < .seconds(50))
  }

  @Test func `tables of the first version are migrated`() throws {
    let store = try store()
    try store.write(PostgresTests.group("a", entry: 1))
    store.close()
    try server.sql(
      """
      DELETE FROM liveview_mirror.migration WHERE version >= 2; DROP TABLE liveview_mirror.mirror, liveview_mirror.message;
      ALTER TABLE liveview_mirror.view DROP revision, DROP change, DROP removed_at;
      ALTER TABLE liveview_mirror.page DROP deleted_at, DROP change;
      CREATE TABLE liveview_mirror.writer(single boolean PRIMARY KEY, mirror text NOT NULL, number bigint NOT NULL)
      """, in: database)
    let next = try self.store()
    defer { next.close() }
    #expect(try next.view("a")?.entries.count == 1)
    #expect(try next.write(PostgresTests.group("a", entry: 2, after: 0)).isEmpty)
    #expect(try next.news(after: nil).views.map(\.revision) == [1])
  }
}
