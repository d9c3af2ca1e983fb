/// The last entry of a view of which the listener has been notified, or is being notified.
struct PublishedEntry: Sendable {
  /// `nil` until the view is mounted.
  var place: ChangeLog.Place?
  /// Its number in a shared journal.
  var number = 0
}
