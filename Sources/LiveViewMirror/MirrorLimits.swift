/// How much a mirror keeps. At a limit the oldest goes.
public struct MirrorLimits: Sendable, Hashable {
  /// Past versions of a view that can be looked at, rejected entries among them. At least 1.
  public var versions: Int
  /// Bytes of memory that the logs of all views may take together; each has an equal share, but never less than
  /// ``leastShare``. About so much: what entries take is estimated.
  public var logBytes: Int
  /// Bytes of memory that the pages of all views may take together, estimated, with the oldest version that each keeps and the
  /// views that were drawn. One page may take more.
  public var pageBytes: Int
  /// Views at the same time. At least 1.
  public var views: Int
  /// How long a view is kept that is not updated; `nil` for ever.
  public var expiry: Duration?

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

  /// So much of its log a view keeps, however many views there are.
  public static let leastShare = 64 << 10

  /// What each of some views keeps.
  func bounds(ofEach views: Int) -> LogBounds {
    LogBounds(entries: versions, bytes: max(Self.leastShare, logBytes / max(1, views)))
  }
}
