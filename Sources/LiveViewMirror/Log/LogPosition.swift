/// A position in the logs of all epochs of a view. The journal compares positions to decide which
/// entries a snapshot contains and which entries are kept. Positions are ordered by their epochs,
/// then by their cursors.
package struct LogPosition: Sendable, Hashable, Comparable {
  /// The epoch.
  package var epoch: Int
  /// The position in the log of the epoch.
  package var cursor: ChangeLog.Cursor

  package static func < (a: Self, b: Self) -> Bool { (a.epoch, a.cursor) < (b.epoch, b.cursor) }
}
