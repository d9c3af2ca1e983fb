package import LiveViewMirror

/// Where a journal is kept, as `--journal` names it.
package enum JournalLocation: Sendable, Hashable, CustomStringConvertible {
  /// A SQLite database at a path.
  case sqlite(path: String)

  /// Reads the form of ``description``; `nil` for an empty text, and for a URL of another scheme than `sqlite`.
  package init?(_ text: String) {
    let path = text.hasPrefix("sqlite:") ? String(text.dropFirst("sqlite:".count)) : text
    if path.isEmpty || path.contains("://") { return nil }
    self = .sqlite(path: path)
  }

  package var description: String {
    switch self {
    case .sqlite(let path): path
    }
  }

  /// Opens the store, or creates it.
  ///
  /// - Throws: `JournalError` of the kind `unusable`, with what to do.
  package func open() throws(JournalError) -> any JournalStore {
    switch self {
    case .sqlite(let path): try SQLiteStore(path: path)
    }
  }
}
