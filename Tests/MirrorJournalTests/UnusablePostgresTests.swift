import Foundation
import LiveViewMirror
import MirrorJournal
import PostgresFixture
import Testing

/// A database that cannot be a journal is refused with what to do.
@Suite(.enabled(if: !PostgresServer.isLeftOut, "\(PostgresServer.needed)"))
final class UnusablePostgresTests {
  private let server: PostgresServer
  private let database: String

  init() throws {
    server = try PostgresServer.common()
    database = try server.database()
  }

  deinit { server.drop(database) }

  private func refusal(_ url: String? = nil) throws -> String {
    let error = try #require(throws: JournalError.self) { _ = try postgres(url ?? server.url(database)) }
    #expect(error.kind == .unusable)
    return error.reason
  }

  @Test func `a wrong password, which is not shown`() throws {
    _ = try? server.sql("CREATE ROLE secret LOGIN PASSWORD 'right'")
    let reason = try refusal("postgres://secret:wr%6Fng-one@127.0.0.1:\(server.port)/\(database)")
    #expect(reason.contains("password authentication failed for user \"secret\"; check the user and the password"))
    #expect(reason.contains("postgres://secret@127.0.0.1:\(server.port)/\(database)"))
    #expect(!reason.contains("wrong-one") && !reason.contains("wr%6Fng"))
    #expect(try refusal(server.url(database, user: "secret")).contains("no password supplied; check the user"))
  }

  @Test func `a server that cannot be reached`() throws {
    let reason = try refusal("postgres://postgres@127.0.0.1:1/x")
    #expect(reason.hasPrefix("the journal postgres://postgres@127.0.0.1:1/x cannot be reached: "))
    #expect(reason.hasSuffix("Connection refused; check that the server runs, and the host and port of the URL"))
    #expect(try refusal("postgres://nowhere.invalid/x").contains("; check the host of the URL"))
  }

  @Test func `a database or a user that does not exist, and TLS that the server does not have`() throws {
    #expect(try refusal(server.url("missing")).hasSuffix("; create it with createdb, or name another one in the URL"))
    #expect(
      try refusal(server.url(database, user: "nobody")).hasSuffix(
        "; create it with createuser, or name another user in the URL"))
    #expect(try refusal(server.url(database) + "?sslmode=require").contains("; check sslmode, sslrootcert"))
  }

  @Test func `a user without the right to create the schema, and then with it`() throws {
    let user = "limited_\(database)"
    try server.sql("CREATE ROLE \(user) LOGIN")
    defer {
      server.drop(database)
      _ = try? server.sql("DROP ROLE \(user)")
    }
    let url = server.url(database, user: user)
    #expect(
      try refusal(url).contains(
        "permission denied for database \(database); the user needs the right to create the schema"))
    // An empty schema that an administrator has created suffices.
    try server.sql("CREATE SCHEMA liveview_mirror AUTHORIZATION \(user)", in: database)
    let store = try postgres(url)
    try store.probe()
    store.close()
  }

  @Test func `a read-only database`() throws {
    try server.sql("ALTER DATABASE \(database) SET default_transaction_read_only = on")
    #expect(try refusal().contains("cannot be written: the server is a standby or read-only"))
  }

  @Test func `a schema of another program is not changed`() throws {
    try server.sql(
      "CREATE SCHEMA liveview_mirror; CREATE TABLE liveview_mirror.migration(version bigint)", in: database)
    #expect(try refusal().contains("its schema liveview_mirror belongs to another program"))
    #expect(
      try server.sql("SELECT count(*) FROM pg_class WHERE relnamespace = 'liveview_mirror'::regnamespace", in: database)
        == "1\n")
  }

  @Test func `a schema that a newer version has written`() throws {
    try postgres(server.url(database)).close()
    try server.sql("INSERT INTO liveview_mirror.migration(version, title) VALUES (99, 'new')", in: database)
    #expect(
      try refusal().contains("was written by a newer version of liveview-mirror: use that version, or another database")
    )
  }

  @Test func `a database that a mirror of an older version uses`() throws {
    try postgres(server.url(database)).close()
    // Those mirrors hold the lock of migrations as long as they run.
    try server.sleep("SELECT pg_advisory_lock(\(0x4C56_4D6A_6F75_726E)); SELECT pg_sleep(60)", in: database)
    #expect(try refusal().contains("is in use by a mirror of an older version"))
  }

  @Test func `a URL is shown without its password, and other schemes are refused`() throws {
    for (text, shown) in [
      ("postgres://ada:secret@db:5433/app?sslmode=require&password=other", "postgres://ada@db:5433/app"),
      ("postgresql://db/app", "postgres://db/app"), ("postgres:///app", "postgres:///app"),
      ("mirror.sqlite", "mirror.sqlite"),
      ("sqlite:mirror.sqlite", "mirror.sqlite"),
    ] { #expect(JournalLocation(text)?.description == shown, "\(text)") }
    for text in ["mysql://ada@db/app", "postgres://ada:%zz@db/app", "postgres://db/app?colour=red", "file://x", ""] {
      #expect(JournalLocation(text) == nil, "\(text)")
    }
  }
}
