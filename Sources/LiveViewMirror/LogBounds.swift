/// How much of one view's log is kept.
struct LogBounds: Sendable, Hashable {
  /// Entries, rejected ones among them.
  var entries = Int.max
  /// Bytes of memory.
  var bytes = Int.max

  init() {}

  init(entries: Int, bytes: Int) {
    self.entries = max(1, entries)
    self.bytes = max(0, bytes)
  }

  /// Letting an entry go costs as much as merging it did. Some go at a time, so that it is not begun for each, and not
  /// more, so that no update has to wait for long.
  var entrySlack: Int { min(entries / 8, 127) }
  var byteSlack: Int { min(bytes / 8, 1 << 20) }
}
