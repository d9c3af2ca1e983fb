/// The last entry of a view of which the listener has been notified, or is being notified. It has a
/// lock of its own, which the journal's thread takes while an update has the state's lock. It never
/// moves back.
struct PublishedEntry: Sendable {
  /// `nil` until the view is mounted.
  var position: LogPosition?
  /// The number of the entry in a shared journal.
  var number = 0
}
