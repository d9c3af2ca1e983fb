/// A store that several mirrors use at the same time, such as `PostgresStore`. ``JournalFollower``
/// reads its news, and ``LiveViews`` sends requests to other mirrors through it.
package protocol SharedJournalStore: JournalStore {
  /// Waits until a mirror has written or sent something, or until the time is over. May return
  /// earlier. Only the follower's thread calls it.
  func awaitNews(for time: Duration)

  /// The changes that were written after a position, also by this mirror, and messages of other
  /// mirrors.
  ///
  /// Called by one thread at a time: the follower's thread, or a request that catches up.
  ///
  /// - Parameters:
  ///   - position: the position that the last call returned. With `nil`, the call returns all
  ///     views and pages, and no messages.
  ///   - pages: the ids of pages whose rows are returned even if they were not changed.
  /// - Complexity: O(*changes* + *changes that were under way at the last call* + *pages*).
  func news(after position: JournalPosition?, andPages pages: Set<String>) throws(JournalError) -> JournalNews

  /// Sends a message to all other mirrors. Those that are not connected do not receive it.
  func send(_ message: [UInt8]) throws(JournalError)

  /// The number of other mirrors that are connected.
  func otherMirrors() throws(JournalError) -> Int
}

extension SharedJournalStore {
  /// As ``news(after:andPages:)``, with an empty set of pages.
  package func news(after position: JournalPosition?) throws(JournalError) -> JournalNews {
    try news(after: position, andPages: [])
  }
}
