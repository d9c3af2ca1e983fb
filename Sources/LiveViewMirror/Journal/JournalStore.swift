/// The place where a ``Journal`` keeps its entries: in memory, in SQLite, or in PostgreSQL.
///
/// Several threads call a store at the same time, so the store takes its own locks. Only the
/// journal's thread calls ``write(_:)`` and ``probe()``; that thread also reads the rows of views
/// that were cut (see ``Journal``). The follower's thread and threads of requests read news, rows
/// and views.
package protocol JournalStore: AnyObject, Sendable {
  /// Writes a group as one transaction: after a crash, all of it exists or nothing. When this
  /// function returns, the group survives the end of the process.
  ///
  /// - Returns: the ids of the views whose revision in the store is not
  ///   ``JournalGroup/View/previous``, because another mirror has changed them. Nothing of these
  ///   views was written. Empty if only one mirror writes.
  /// - Throws: the reason; then nothing of the group was written.
  @discardableResult
  func write(_ group: JournalGroup) throws(JournalError) -> Set<String>

  /// Checks whether the store accepts writes, after a write or a reading has failed.
  ///
  /// - Throws: the reason why it does not.
  func probe() throws(JournalError)

  /// The latest rows of all views.
  ///
  /// - Complexity: O(*views*).
  func views() throws(JournalError) -> [StoredRow]

  /// The row, the oldest kept snapshot, and all kept entries after it; `nil` for an unknown view.
  /// Loading applies these entries, so the log has all versions that are kept.
  ///
  /// - Complexity: O(*bytes of the snapshot and of the entries after it*).
  func view(_ id: String) throws(JournalError) -> StoredView?

  /// The latest row of a view and its kept entries after the given number, without a snapshot;
  /// `nil` for an unknown view. A mirror that follows another one reads its changes with this.
  ///
  /// - Complexity: O(*bytes of these entries*).
  func view(_ id: String, after number: Int) throws(JournalError) -> StoredView?

  /// The latest row of a view; `nil` for an unknown one.
  func row(of id: String) throws(JournalError) -> StoredRow?

  /// The latest rows of all pages.
  func pages() throws(JournalError) -> [(id: String, row: [UInt8])]

  /// Releases the store. The journal calls it when its thread has ended. Later calls fail.
  func close()
}

extension JournalStore {
  /// All views and pages. If the store is shared, also the position after which the changes of
  /// other mirrors are read next.
  var all: JournalNews {
    get throws(JournalError) {
      if let shared = self as? any SharedJournalStore { return try shared.news(after: nil) }
      var news = JournalNews(position: JournalPosition(""))
      (news.views, news.pages) = (try views(), try pages().map { ($0.id, .some($0.row)) })
      return news
    }
  }
}
