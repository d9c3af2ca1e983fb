import Foundation
import LiveViewMirror
import MicroHTTP
import MirrorJournal
import Testing

/// A file that cannot be a journal is refused with what to do, and is not changed.
@Suite final class UnusableStoreTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "unusable-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private var path: String { folder.appending(path: "mirror.sqlite").path }

  private func refusal(_ path: String? = nil) throws -> String {
    let error = #expect(throws: JournalError.self) { _ = try SQLiteStore(path: path ?? self.path) }
    #expect(error?.kind == .unusable)
    return error?.reason ?? ""
  }

  private func sqlite(_ sql: String) throws { try MirrorJournalTests.sqlite(sql, in: path) }

  @Test func `a file that is no database`() throws {
    let content = Data("{\"views\": []}\n".utf8)
    try content.write(to: URL(filePath: path))
    #expect(try refusal() == "\(path) is not a SQLite database: name another file, or move this one away")
    #expect(try Data(contentsOf: URL(filePath: path)) == content)
  }

  @Test func `the database of another program`() throws {
    try sqlite("CREATE TABLE notes(text); PRAGMA user_version = 3;")
    #expect(try refusal().contains("the database belongs to another program"))
    try sqlite("INSERT INTO notes VALUES ('still there')")
  }

  @Test func `a database that a newer version has written`() throws {
    try SQLiteStore(path: path).close()
    try sqlite("INSERT INTO grdb_migrations VALUES ('99: something new')")
    #expect(
      try refusal().contains("was written by a newer version of liveview-mirror: use that version, or another file"))
  }

  @Test func `a database that is open in another process`() throws {
    let store = try SQLiteStore(path: path)
    #expect(try refusal().contains("is open in another process: stop it, or use another file"))
    store.close()
    try SQLiteStore(path: path).close()
  }

  @Test func `a database that another name leads to is open in another process`() throws {
    let link = folder.appending(path: "link.sqlite").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    let store = try SQLiteStore(path: link)
    #expect(try refusal().contains("is open in another process: stop it, or use another file"))
    store.close()
    try SQLiteStore(path: path).close()
  }

  @Test(arguments: ["", "-wal"])
  func `a file that is removed or replaced while it is open`(suffix: String) throws {
    let store = try SQLiteStore(path: path)
    let mirror = try JournaledMirror(store)
    #expect(try mirror.post("/views/main/rendered", SharedMirrors.counter) == 201)
    let (file, away) = (path + suffix, folder.appending(path: "away").path)
    try FileManager.default.moveItem(atPath: file, toPath: away)
    let answer = try mirror.send(.post, "/views/main/diffs", #"{"0":"1"}"#.utf8)
    #expect(answer.status.code == 503)
    #expect(String(decoding: answer.bytes, as: UTF8.self).contains("was removed or replaced while the mirror runs"))
    #expect(try mirror.post("/views/main/diffs", #"{"0":"1"}"#) == 503)
    try Data().write(to: URL(filePath: file))
    #expect(throws: JournalError.self) { try store.probe() }
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.moveItem(atPath: away, toPath: file)
    try store.probe()
    var code = 503
    for _ in 0..<1_000 where code == 503 {
      usleep(10_000)
      code = try mirror.post("/views/main/diffs", #"{"0":"1"}"#)
    }
    // The refused diffs were not applied.
    #expect(code == 200 && mirror.views["main"]?.view?.version == 1)
    mirror.stop()
    let next = try JournaledMirror(SQLiteStore(path: path))
    #expect(next.views["main"]?.view?.version == 1)
    next.stop()
  }

  @Test func `a database with a hard link is refused under each name`() throws {
    try SQLiteStore(path: path).close()
    let other = folder.appending(path: "other.sqlite").path
    try FileManager.default.linkItem(atPath: path, toPath: other)
    for name in [path, other] { #expect(try refusal(name).contains("has other names (hard links)")) }
    try FileManager.default.removeItem(atPath: other)
    try SQLiteStore(path: path).close()
  }

  @Test func `a URL with a parameter that libpq does not know is named without its values`() {
    #expect(JournalLocation("postgres://ada:secret@db/app?sslmode=disable&bogus=1") == nil)
    #expect(JournalLocation.redacted("postgres://ada:secret@db/app?sslmode=disable&bogus=1") == "postgres://…?bogus=…")
    #expect(JournalLocation.redacted("postgres://ada:secret@db/app?sslmode=disable") == "postgres://…")
    #expect(JournalLocation.redacted("mysql://ada:secret@db/app?bogus=1") == "mysql://…")
  }

  @Test func `a folder, a missing folder, and a folder that cannot be written`() throws {
    #expect(try refusal(folder.path).contains("is a folder: name a file for the journal"))
    #expect(try refusal(folder.path + "/missing/mirror.sqlite").contains("its folder must exist and be writable"))
    // Root may write everywhere, except where the system allows nobody.
    #expect(try refusal("/proc/mirror.sqlite").contains("its folder must exist and be writable"))
  }

  @Test func `a damaged database`() throws {
    let mirror = try JournaledMirror(SQLiteStore(path: path))
    for view in 0..<50 {
      try mirror.post("/views/v\(view)/rendered", #"{"s":["<p>\#(String(repeating: "x", count: 3_000))</p>"]}"#)
    }
    mirror.stop()
    var data = try Data(contentsOf: URL(filePath: path))
    for byte in stride(from: 4_096, to: data.count, by: 97) { data[byte] ^= 0x5A }
    try data.write(to: URL(filePath: path))
    let error = #expect(throws: JournalError.self) {
      _ = try JournaledMirror(SQLiteStore(path: path))
    }
    #expect(error?.kind == .damaged && error?.reason.contains("restore a copy") == true, "\(error?.reason ?? "")")
  }

  @Test func `bytes of an entry that were changed are an error of the view alone`() throws {
    let mirror = try JournaledMirror(SQLiteStore(path: path))
    for view in ["a", "b"] { try mirror.post("/views/\(view)/rendered", #"{"s":["<p></p>"]}"#) }
    mirror.stop()
    try sqlite("UPDATE entry SET data = zeroblob(20) WHERE view = (SELECT key FROM view WHERE id = 'a')")
    let next = try JournaledMirror(SQLiteStore(path: path))
    #expect(try next.post("/views/a/diffs", "{}") == 500)
    #expect(try next.text("/views/a").contains("the journal of the view a is damaged at entry 1"))
    #expect(try next.post("/views/b/diffs", "{}") == 200)
    #expect(try next.text("/views").contains(#""view":"a""#))
    #expect(try next.send(.delete, "/views/a", []).status.code == 204)
    #expect(try next.post("/views/a/rendered", #"{"s":["<p></p>"]}"#) == 201)
    next.stop()
  }
}
