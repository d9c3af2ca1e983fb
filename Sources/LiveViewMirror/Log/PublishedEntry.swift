/// The last entry of a view of which the listener has been notified, or is being notified.
///
/// ``LiveViewCoordinator`` guards it by a lock of its own. So the journal's thread can change it
/// while an update has the lock of the state. The position never moves back.
struct PublishedEntry: Sendable {
  /// `nil` until the view is mounted.
  var position: LogPosition?
  /// The number of the entry in a shared journal.
  var number = 0
}
