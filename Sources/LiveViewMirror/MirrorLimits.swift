/// The limits of a mirror's memory. The options of `serve`, and programs, set them. ``LiveViews``
/// enforces them. If a limit is exceeded, log entries or views are removed. A limit never refuses
/// an update.
public struct MirrorLimits: Sendable, Hashable {
  /// The maximum number of entries in a view's log, including rejections. The version of each entry
  /// can be rebuilt. At least 1.
  public var versions: Int
  /// The maximum memory of the logs of all views together in bytes, estimated. One view may use all
  /// of it. If the sum exceeds the limit, logs lose their oldest entries, one log after the other:
  /// first the logs of ended epochs, beginning with the oldest epoch, then the largest log among
  /// the views that have ended, then the largest log of all. The newest entry of each view is kept.
  public var logBytes: Int
  /// The maximum memory of the pages of all views in bytes, estimated. It includes the oldest
  /// version that each view keeps, the drawn views, the totals per slot, and the pages of ended
  /// epochs. If the sum exceeds the limit, ended epochs are dropped first. Then views are removed:
  /// those of closed pages first, then large ones by their size and the time since their last
  /// update. A single page that takes more than the limit is kept.
  public var pageBytes: Int
  /// The maximum number of views. At least 1. If there are more, the least recently updated view is
  /// removed. Views of closed pages are removed before the others.
  public var views: Int
  /// The time after which a view without updates is removed; `nil` for never.
  public var expiry: Duration?

  /// Creates limits.
  public init(
    versions: Int = 10_000, logBytes: Int = 64 << 20, pageBytes: Int = 64 << 20, views: Int = 1_000,
    expiry: Duration? = nil
  ) {
    self.versions = versions
    self.logBytes = logBytes
    self.pageBytes = pageBytes
    self.views = views
    self.expiry = expiry
  }

  /// The bounds of the ended epochs of one view.
  var epochBounds: EpochBounds { EpochBounds(pageBytes: max(0, pageBytes)) }
  /// The log bounds of a view that belongs to no ``LiveViews``.
  var bounds: LogBounds { LogBounds(entries: versions, bytes: logBytes) }
}

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

  /// The number of entries that an eviction removes in addition to those that exceed the bound.
  /// With a slack of 0, every new entry of a full log would cause an eviction. A large slack would
  /// delay a single update for long, because evicting an entry costs as much as merging it did.
  var entrySlack: Int { min(entries / 8, 127) }
  /// The bytes that an eviction frees in addition to those that exceed the bound; see
  /// ``entrySlack``.
  var byteSlack: Int { min(bytes / 8, 1 << 20) }
}
