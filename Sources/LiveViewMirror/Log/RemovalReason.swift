/// The reason why a view was removed. ``LogListener/removed(_:because:)`` passes it to event
/// streams and metrics, and a ``JournalRow`` stores it.
///
/// Journals and metrics have the raw values, so these must not change.
package enum RemovalReason: String, Sendable, Hashable, CaseIterable {
  /// A caller or a client requested it.
  case deleted
  /// The view was not updated for the time of ``MirrorLimits/expiry``.
  case expired
  /// A limit of ``MirrorLimits`` was exceeded.
  case evicted
}
