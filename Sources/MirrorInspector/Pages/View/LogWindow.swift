internal import LiveViewMirror

/// The part of a log that one page shows, oldest entry first, and the positions of the pages before
/// and after it. ``ViewPage`` makes one for its timeline.
struct LogWindow {
  /// The maximum number of entries of a page. The oldest page has the mount in addition.
  static let size = 50

  private(set) var entries: [ChangeLog.Entry] = []
  /// The position after which the page of older entries begins; `nil` if there is no such page.
  private(set) var older: ChangeLog.Cursor?
  /// The position after which the page of newer entries begins; `nil` if there is no such page.
  private(set) var newer: ChangeLog.Cursor?
  /// The number of all entries that match the filter; `nil` without a filter.
  private(set) var matches: Int?
  /// The words of the filter that cannot be read, as ``LogFilter/problems``.
  private(set) var problems: [String] = []

  /// - Parameters:
  ///   - cursor: shows the entries after this position; `nil` shows the last entries.
  ///   - version: shows the entries around this version, if the entries that `cursor` selects do
  ///     not contain it.
  ///   - filter: shows only the newest entries that match. `cursor` and `version` have no effect
  ///     then, and there are no other pages.
  /// - Complexity: O(log *entries* + *rejected entries*); with a filter O(*changes in the log*),
  ///   for a slot O(*bytes in the log*).
  init(of log: ChangeLog, after cursor: ChangeLog.Cursor?, around version: Int, filter: LogFilter? = nil) {
    if let filter {
      let matching = log.entries.filter(filter.matches)
      entries = Array(matching.suffix(Self.size))
      matches = matching.count
      problems = filter.problems
      return
    }
    let last = log.last(Self.size)
    let isAmongLast = last.first.map { $0.cursor.version <= version } ?? true
    let start = cursor ?? (isAmongLast ? nil : ChangeLog.Cursor(version: max(-1, version - Self.size / 2)))
    if let start {
      // Version 0, the mount, has no position before it that an address can name, so it belongs to
      // the first page.
      let isFirst = start == ChangeLog.Cursor(version: 0)
      let slice =
        isFirst
        ? log.slice(after: ChangeLog.Cursor(version: -1), limit: Self.size + 1)
        : log.slice(after: start, limit: Self.size)
      entries = slice.entries
      newer = slice.next
    } else {
      entries = last
    }
    if let first = entries.first { older = Self.start(before: first.cursor, in: log) }
  }

  /// The position exactly one page of entries before `first`. If there are fewer entries, it is the
  /// position before all of them. So the oldest page is also full, and overlaps the next one.
  private static func start(before first: ChangeLog.Cursor, in log: ChangeLog) -> ChangeLog.Cursor? {
    let start = ChangeLog.Cursor(version: max(-1, first.version - size - 1))
    let before = log.slice(after: start, limit: size + log.rejectionCount + 1).entries.prefix { $0.cursor < first }
    if before.isEmpty { return nil }
    return before.count > size ? before[before.count - size - 1].cursor : max(start, ChangeLog.Cursor(version: 0))
  }
}
