/// The bounds of one view's log. The logs of all views of a mirror also share a ``MemoryBudget``.
struct LogBounds: Sendable, Hashable {
  /// The maximum number of entries, including rejections.
  var entries = Int.max
  /// The maximum memory of the entries in bytes.
  var bytes = Int.max

  init() {}

  init(entries: Int, bytes: Int = .max) {
    self.entries = max(1, entries)
    self.bytes = max(0, bytes)
  }

  /// The number of entries to evict beyond the bound. Evicting an entry costs as much as merging it did. With some slack, not
  /// every new entry causes an eviction; with too much, a single update would wait for long.
  var entrySlack: Int { min(entries / 8, 127) }
  /// The bytes to evict beyond the bound.
  var byteSlack: Int { min(bytes / 8, 1 << 20) }
}
