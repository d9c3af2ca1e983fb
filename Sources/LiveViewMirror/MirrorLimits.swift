/// How much a mirror keeps. At a limit the oldest goes.
public struct MirrorLimits: Sendable, Hashable {
  /// Past versions of a view that can be looked at, rejected entries among them.
  public var versions: Int
  /// Bytes of memory that the logs of all views may take together; each has an equal share.
  public var logBytes: Int
  /// Views at the same time.
  public var views: Int
  /// How long a view is kept that is not updated; `nil` for ever.
  public var expiry: Duration?

  public init(versions: Int = 10_000, logBytes: Int = 256 << 20, views: Int = 1_000, expiry: Duration? = nil) {
    self.versions = versions
    self.logBytes = logBytes
    self.views = views
    self.expiry = expiry
  }
}
