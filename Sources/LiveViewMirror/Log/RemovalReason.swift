/// The reason why a view was removed.
package enum RemovalReason: String, Sendable, Hashable, CaseIterable {
  /// A caller or a client requested it.
  case deleted
  /// The view was not updated for the time of ``MirrorLimits/expiry``.
  case expired
  /// A limit of ``MirrorLimits`` was exceeded.
  case evicted
}
