/// Hears of everything that is written into the logs of views.
///
/// Called on the updating thread, in the order of the log for each view, when all subscribers have been told and the
/// entry can be read. It must not wait, nor update a view.
package protocol LogListener: AnyObject, Sendable {
  /// - Parameter cursor: where the entry stands in the log of its epoch.
  func wrote(_ entry: ChangeLog.Entry, at cursor: ChangeLog.Cursor, of view: String)

  /// The view is gone, with its log. Called once, behind everything that was written of it, and before anything is of
  /// another view that was mounted under the same id.
  func removed(_ view: String, because reason: RemovalReason)
}

extension ChangeLog {
  /// A place in the logs of all epochs of a view.
  package struct Place: Sendable, Hashable {
    package var epoch: Int
    package var cursor: Cursor
  }
}

/// Why a view is gone.
package enum RemovalReason: String, Sendable, Hashable, CaseIterable {
  /// Somebody asked for it.
  case deleted
  /// It was not updated for longer than views are kept.
  case expired
  /// There were more views than are kept, and it was not updated for longer than the others.
  case evicted
}
