internal import LiveViewMirror

/// The part of a log that one page shows, and the ways to the parts beside it. In the log's own order, oldest first.
struct LogWindow {
  static let size = 50

  let entries: [(cursor: ChangeLog.Cursor, entry: ChangeLog.Entry)]
  /// What to ask for to see the entries before these; `nil` where there are none.
  private(set) var older: ChangeLog.Cursor?
  /// What to ask for to see the entries behind these.
  private(set) var newer: ChangeLog.Cursor?

  /// - Parameters:
  ///   - cursor: entries behind it are shown, and without one the last entries,
  ///   - version: or, where those do not hold it, the entries around this version.
  /// - Complexity: O(log *entries* + *rejected entries*).
  init(of log: ChangeLog, after cursor: ChangeLog.Cursor?, around version: Int) {
    let last = log.last(Self.size)
    let isAmongLast = last.first.map { $0.cursor.version <= version } ?? true
    let start = cursor ?? (isAmongLast ? nil : ChangeLog.Cursor(version: max(-1, version - Self.size / 2)))
    if let start {
      let page = log.page(after: start, limit: Self.size)
      entries = page.entries
      newer = page.next
    } else {
      entries = last
    }
    if let first = entries.first { older = Self.place(before: first.cursor, in: log) }
  }

  /// The place that has exactly one page of entries between it and `first`. Where there are fewer, the place before
  /// them all: the oldest page is full too and repeats what stood on the one after it.
  private static func place(before first: ChangeLog.Cursor, in log: ChangeLog) -> ChangeLog.Cursor? {
    let start = ChangeLog.Cursor(version: max(-1, first.version - size - 1))
    let before = log.page(after: start, limit: size + log.rejected + 1).entries.prefix { $0.cursor < first }
    if before.isEmpty { return nil }
    return before.count > size ? before[before.count - size - 1].cursor : start
  }
}
