internal import CPostgres

/// The address of a database, as libpq reads it:
/// `postgres://user@host:5432/database?sslmode=require`. ``JournalLocation`` reads it, and
/// ``PostgresConnection`` connects to it.
///
/// What the URL leaves out comes from libpq's environment variables (`PGPASSWORD`, `PGSSLMODE`, …)
/// and from `.pgpass`.
package struct PostgresAddress: Sendable, Hashable, CustomStringConvertible {
  /// The whole URL. It can contain a password.
  let url: String
  /// The URL without password and parameters.
  package let description: String
  /// Parts of the URL that must not be shown.
  private let secrets: [String]

  package static let schemes = ["postgres://", "postgresql://"]

  /// - Returns: `nil` if libpq cannot read the URL. If libpq is not installed, every URL is
  ///   accepted, and the first connection fails with an error that states this.
  package init?(_ url: String) {
    guard Self.schemes.contains(where: url.hasPrefix) else { return nil }
    guard postgres_open() == nil else {
      (self.url, description, secrets) = (url, "postgres://…", [])
      return
    }
    guard let options = Self.parse(url) else { return nil }
    self.url = url
    var text = "postgres://"
    if let user = options["user"] { text += user + "@" }
    if let host = options["host"] ?? options["hostaddr"] { text += host }
    if let port = options["port"] { text += ":" + port }
    if let database = options["dbname"] { text += "/" + database }
    description = text
    secrets = [options["password"], options["sslpassword"]].compactMap { $0 }.filter { !$0.isEmpty }
  }

  /// The parameters by their libpq keywords; `nil` for a malformed URL. libpq's message is not
  /// used: it can quote the password.
  private static func parse(_ url: String) -> [String: String]? {
    var message: UnsafeMutablePointer<CChar>?
    let parsed = PQconninfoParse(url, &message)
    if let message { PQfreemem(message) }
    guard let parsed else { return nil }
    defer { PQconninfoFree(parsed) }
    var options: [String: String] = [:]
    var option = parsed
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val { options[String(cString: keyword)] = String(cString: value) }
      option += 1
    }
    return options
  }

  /// The first parameter of a URL that libpq does not know; `nil` if it knows all of them.
  package static func unknownParameter(of url: String) -> String? {
    guard postgres_open() == nil, let query = url.split(separator: "?", maxSplits: 1).dropFirst().first,
      let known = PQconndefaults()
    else { return nil }
    defer { PQconninfoFree(known) }
    // libpq accepts `ssl=true`, the form of JDBC, but does not list it.
    var keywords: Set = ["ssl"]
    var option = known
    while let keyword = option.pointee.keyword {
      keywords.insert(String(cString: keyword))
      option += 1
    }
    let names = query.split(separator: "&").map { $0.prefix { $0 != "=" } }
    return names.first { !keywords.contains(String($0)) }.map { String($0.prefix(64)) }
  }

  /// A text of libpq or of the server, in one line, without passwords.
  func redacted(_ text: String) -> String {
    let lines = text.split(separator: "\n").map { $0.drop { $0.isWhitespace } }
    // The line with libpq's advice is removed, because `PostgresErrors` gives better advice.
    let facts = lines.filter { !$0.hasPrefix("Is the server running") }
    return secrets.reduce(facts.joined(separator: "; ")) { $0.replacing($1, with: "***") }
  }
}
