internal import LiveViewMirror
internal import MarkupDocument

/// The pages of one mount of a view: the page of the mount, and the changes of each diff.
/// ``Recorder`` keeps them for a ``Comparison``. ``first`` with the change sets of ``diffs``,
/// applied in order, gives the page of each version.
struct Playback {
  let viewVersion: ViewVersion
  /// The page of the mount.
  let first: Document
  /// The mount as JSON.
  let input: String
  private(set) var diffs: [Diff] = []

  struct Diff {
    let changeSet: ChangeSet
    /// The diff as JSON.
    let input: String
    let cause: DiffCause
    /// The number of updates of the recording before this one.
    let ordinal: Int
  }

  /// The number of updates of the recording before the mount.
  let ordinal: Int

  init(_ record: ChangeRecord, of document: Document, ordinal: Int) {
    viewVersion = ViewVersion(view: record.view, epoch: record.epoch, version: 0)
    first = document
    input = record.input
    self.ordinal = ordinal
  }

  mutating func add(_ record: ChangeRecord, _ cause: DiffCause, ordinal: Int) {
    diffs.append(Diff(changeSet: record.changeSet, input: record.input, cause: cause, ordinal: ordinal))
  }
}
