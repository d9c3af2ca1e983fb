/// Is notified of each new entry in the logs of views. The event streams and the metrics of the
/// inspector are listeners.
///
/// Called for each view in the order of its log, after all subscribers have been notified and the
/// entry can be read: on the updating thread, or with a journal on the journal's thread, after the
/// entry was written. An implementation must neither wait nor update a view.
package protocol LogListener: AnyObject, Sendable {
  /// A log has a new entry.
  func wrote(_ entry: ChangeLog.Entry, of view: String)

  /// A log has a new entry that another mirror has accepted. By default the same as
  /// ``wrote(_:of:)``.
  func followed(_ entry: ChangeLog.Entry, of view: String)

  /// Whether clients read the entries of a view, so that it must stay in memory. `false` by
  /// default.
  func isListening(to view: String) -> Bool

  /// The ids of the views whose entries clients read. Empty by default.
  var listened: [String] { get }

  /// The subscribers of a view will receive no more signals, because the view's
  /// ``LiveViewCoordinator`` is abandoned and the view is loaded again from the journal. Does
  /// nothing by default.
  ///
  /// - Parameter isGap: whether entries of the view may be missing.
  func reloads(_ view: String, isGap: Bool)

  /// A view was removed, with its log. Called once, after all entries of the view, and before the
  /// first entry of another view with the same id.
  func removed(_ view: String, because reason: RemovalReason)

  /// The server has answered an event of the client without a diff, so there is no entry. Does
  /// nothing by default.
  func answered(_ cause: UpdateCause, of view: String)

  /// The view's process has crashed (`phx_error`), so it answers no earlier event of the client.
  /// Does nothing by default.
  func crashed(_ view: String)
}

extension LogListener {
  package func followed(_ entry: ChangeLog.Entry, of view: String) {
    wrote(entry, of: view)
  }

  package func isListening(to view: String) -> Bool { false }

  package var listened: [String] { [] }

  package func reloads(_ view: String, isGap: Bool) {}

  package func answered(_ cause: UpdateCause, of view: String) {}

  package func crashed(_ view: String) {}
}
