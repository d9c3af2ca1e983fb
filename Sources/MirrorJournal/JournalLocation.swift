package import LiveViewMirror

/// Where a journal is kept, as `--journal` names it. The settings of `serve` have it, and `serve`
/// opens the store.
package enum JournalLocation: Sendable, Hashable, CustomStringConvertible {
  /// A SQLite database at a path.
  case sqlite(path: String)
  /// A PostgreSQL database.
  case postgres(PostgresAddress)

  /// The form that a text must have, as the end of a sentence that begins with the text.
  package static let expectation =
    "must be the path of a file, such as mirror.sqlite, or a PostgreSQL URL, such as postgres://user@host:5432/database with parameters that libpq knows"

  /// Reads the path of a file, also after `sqlite:`, or the URL of a PostgreSQL database; `nil` for
  /// an empty text, a URL of another scheme, and a URL that libpq cannot read.
  package init?(_ text: String) {
    if PostgresAddress.schemes.contains(where: text.hasPrefix) {
      guard let address = PostgresAddress(text) else { return nil }
      self = .postgres(address)
      return
    }
    let path = text.hasPrefix("sqlite:") ? String(text.dropFirst("sqlite:".count)) : text
    if path.isEmpty || path.contains("://") { return nil }
    self = .sqlite(path: path)
  }

  /// The form in which an error message may show a text that ``init(_:)`` refuses. Of a URL, only
  /// the scheme is shown, because a malformed URL can contain a password anywhere, and the name of
  /// a parameter that libpq does not know.
  package static func redacted(_ text: String) -> String {
    guard let scheme = text.firstRange(of: "://") else { return text }
    let parameter =
      PostgresAddress.schemes.contains(where: text.hasPrefix) ? PostgresAddress.unknownParameter(of: text) : nil
    return text[..<scheme.upperBound] + "…" + (parameter.map { "?\($0)=…" } ?? "")
  }

  /// The path, or the URL without its password and parameters.
  package var description: String {
    switch self {
    case .sqlite(let path): path
    case .postgres(let address): address.description
    }
  }

  /// Opens the store, or creates it.
  ///
  /// - Throws: `JournalError` of the kind `unusable`, with what to do.
  package func open() throws(JournalError) -> any JournalStore {
    switch self {
    case .sqlite(let path): try SQLiteStore(path: path)
    case .postgres(let address): try PostgresStore(address)
    }
  }
}
