internal import MarkupDocument
internal import NodeObservation
internal import RenderedTree

/// One input of a view, with the facts that a repeated application would not give: times, and what
/// depended on clients.
///
/// A view writes one for each entry of its log, and for components that the server has destroyed.
/// Loading a view and following another mirror apply entries again (`LiveViewCoordinator.replay`).
///
/// The entries of a view, applied in order to its snapshot or from the first one on, recreate the
/// view with its log.
struct JournalEntry: Sendable {
  enum Content: Sendable {
    case mount(MountFacts, UpdateFacts)
    case diff(UpdateFacts)
    /// The components that the server has destroyed.
    case destroyed([Int])
    case rejected(Rejection)
  }

  /// The entries of a view are numbered from 1 on, without gaps.
  var number: Int
  /// The epoch and version of the view after the entry.
  var epoch: Int
  var version: Int
  var content: Content

  /// The kind of the entry in a word, which queries of the store show.
  var kind: String {
    switch content {
    case .mount: "mount"
    case .diff: "diff"
    case .destroyed: "destroyed"
    case .rejected: "rejected"
    }
  }
}

/// The inputs of a mount besides its Rendered.
struct MountFacts: Sendable {
  var dialect: Dialect
  var container: ContainerContent
  var markupBefore: String?
  var versions: LiveViewVersions
  var isFedWithFrames: Bool
  /// The time of the mount, in milliseconds since 1970.
  var mountedAt: Int64
}

/// An update that was applied: its input, and the facts that a replay puts into the new record.
struct UpdateFacts: Sendable {
  /// The update as JSON, as it was received.
  var input: String
  /// The time of the record, in milliseconds since 1970.
  var at: Int64
  /// When the mirror applied the update, in milliseconds since 1970.
  var appliedAt: Int64
  var cause: UpdateCause?
  var path: UpdatePath
  var timings: ChangeRecord.Timings
  var isolation: IsolationReport
  var audience: ChangeRecord.Audience
  /// The problems that drawn views have noted. They are the last of the record's diagnostics.
  var notes: [DocumentDiagnostic]
}

extension ChangeRecord {
  /// The subscribers that an update has reached.
  struct Audience: Sendable, Hashable {
    /// The number of subscribers of the notified nodes.
    var notified: Int
    /// The number of subscribers of all nodes.
    var all: Int
    /// The number of publishers that finished.
    var finished: Int
  }
}

extension UpdateFacts {
  /// - Parameters:
  ///   - notes: the number of the record's diagnostics that drawn views have noted.
  ///   - time: when the update was applied.
  init(_ record: ChangeRecord, notes: Int, at time: Int64) {
    self.init(
      input: record.input, at: record.at, appliedAt: time, cause: record.cause, path: record.path,
      timings: record.timings, isolation: record.isolation, audience: record.audience,
      notes: Array(record.diagnostics.suffix(notes)))
  }

  /// Puts the facts of the first application into the record of a repeated application of the same
  /// update.
  func restore(_ record: inout ChangeRecord) {
    record.path = path
    record.timings = timings
    record.isolation = isolation
    record.restore(audience, at: at)
    record.diagnostics += notes
    record.cause = cause
  }
}
