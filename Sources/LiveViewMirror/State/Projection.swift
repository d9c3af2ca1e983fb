package import MarkupDocument
package import MirrorSupport
package import RenderedTree

/// One analysis of a view: what is derived from the updates of an epoch, such as the costs of its
/// slots.
///
/// Each analysis is a type that conforms to this protocol, in a file of its own.
/// ``UpdateOptions/projections`` lists the analyses of a mirror, and each log has a value of each
/// in ``ChangeLog/projections``. An update is added when it is committed. Its record is added
/// later, when subscribers were notified. When the entries of a journal are applied again, both are
/// added in the same way. Values are changed in place, under the lock of the view's state.
package protocol Projection: Sendable {
  /// The name in snapshots.
  static var name: String { get }

  /// The analysis before the mount.
  init()

  /// Adds an update that is committed. Its record does not exist yet.
  ///
  /// - Parameters:
  ///   - rendered: the tree after the update.
  ///   - document: the document after the update.
  ///   - notes: gets the diagnostics, extras and costs that the record will contain.
  /// - Complexity: at most that of the update itself, so that scoped updates stay fast.
  mutating func add(
    _ update: PreparedUpdate, making version: Int, of rendered: Rendered, _ document: Document,
    noting notes: inout UpdateNotes)

  /// Adds the record of an update, which is complete because its subscribers were notified.
  mutating func add(_ record: ChangeRecord)

  /// Adds a rejected input.
  mutating func add(_ rejection: Rejection)

  /// Notes that the server has destroyed components. The page did not show these components.
  mutating func remove(components: [Int])

  /// The analysis with which the next epoch begins.
  func afterRemount() -> Self

  /// The number of problems that the list of views shows for the analysis.
  ///
  /// - Parameter view: the view, whose log has this value.
  func findingCount(in view: ViewState) -> Int

  /// An estimate in bytes, for ``MirrorLimits/pageBytes``.
  ///
  /// - Complexity: O(1).
  var memory: Int { get }

  /// Writes the analysis to a snapshot. Equal values write equal bytes in every process.
  func write(to writer: inout SnapshotWriter, _ statics: inout StaticsWriter)

  /// Reads what ``write(to:_:)`` has written.
  init(from reader: inout SnapshotReader, _ statics: inout StaticsReader) throws(SnapshotError)
}

extension Projection {
  package mutating func add(
    _ update: PreparedUpdate, making version: Int, of rendered: Rendered, _ document: Document,
    noting notes: inout UpdateNotes
  ) {}
  package mutating func add(_ record: ChangeRecord) {}
  package mutating func add(_ rejection: Rejection) {}
  package mutating func remove(components: [Int]) {}
  package func afterRemount() -> Self { Self() }
  package func findingCount(in view: ViewState) -> Int { 0 }
  package var memory: Int { 0 }
}

/// What the analyses of an update add to its record.
package struct UpdateNotes {
  /// The diagnostics of the analyses. The record lists them before its other diagnostics.
  package var diagnostics: [DocumentDiagnostic] = []
  /// The extras of the update. `SlotTotals` adds the lists with shifted entries.
  package var extras: UpdateExtras
  /// What the update sent for each slot of a template.
  package var slotCosts: [SlotCost] = []
}
