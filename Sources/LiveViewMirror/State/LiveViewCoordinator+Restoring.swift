internal import MarkupDocument
package import MirrorSupport
internal import NodeObservation
internal import Synchronization

/// Restores a coordinator from a snapshot, so that its view continues from there. Used when a view
/// is loaded from the journal, and in tests.
extension LiveViewCoordinator {
  /// A view that continues from a snapshot; see ``ViewState/snapshot()``.
  ///
  /// The snapshot does not name the current join, so frames of any join are accepted until the
  /// client pushes the next join.
  ///
  /// - Parameters:
  ///   - id: the id of the view whose snapshot it is.
  ///   - options: those of that view.
  ///   - limits: how many versions and how many bytes of log are kept.
  /// - Throws: if the bytes are not a snapshot, or are a snapshot of another view.
  package convenience init(
    restoring snapshot: [UInt8], id: String, options: UpdateOptions = UpdateOptions(),
    limits: MirrorLimits = MirrorLimits()
  ) throws(SnapshotError) {
    self.init(id: id, options: options, limits: limits)
    try restore(snapshot)
  }

  /// Restores the state of a view that is not mounted yet.
  ///
  /// - Throws: as ``init(restoring:id:options:limits:)``. The view is then not mounted.
  /// - Complexity: that of reading the snapshot.
  package func restore(_ snapshot: [UInt8]) throws(SnapshotError) {
    let view = try ViewState(restoring: snapshot, publishers: publishers, options: options, clock: clock)
    guard view.id == id else {
      publishers.finishAll()
      throw .malformed("it is a snapshot of the view \(view.id), not of \(id)", at: 0)
    }
    state.withLock { $0.restore(view) }
    drawing.mount(self, in: view.document.dialect)
  }
}
