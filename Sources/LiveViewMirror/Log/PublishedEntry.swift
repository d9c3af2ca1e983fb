/// The newest entry of a view that was passed to the ``LogListener``, or is being passed to it.
///
/// ``LiveViewCoordinator`` guards this value with a separate lock, so that the journal's thread can
/// change the value while an update holds the lock of the state. The position never moves back.
struct PublishedEntry: Sendable {
  /// `nil` until the view is mounted.
  var position: LogPosition?
  /// The number of the last published entry in the journal; kept up to date only if the journal is
  /// shared.
  var number = 0
}
