internal import RenderedTree

/// What an update does to the merged tree. Each ``ChangeRecord`` has one. ``Checkpoint`` repeats
/// the effect to rebuild a past version.
enum TreeEffect: Sendable {
  /// The input is merged. Then the tree forgets the entries of these streams.
  case merged(forgetting: ForgottenStreams?)
  /// One slot gets a text, which is the effect of most diffs. To repeat this effect, the input need
  /// not be decoded again.
  case text(String, slot: Int, of: InstancePath)
  /// The client stopped before it merged the input.
  case nothing
}
