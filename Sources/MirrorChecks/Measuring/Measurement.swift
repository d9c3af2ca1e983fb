package import MarkupDocument

/// What one recording did: every diff, and the faults of its pages. ``Recorder`` makes it, and
/// ``Check`` and ``Comparison`` read it.
package struct Measurement: Sendable {
  /// A fault that a diagnostic names.
  package struct Fault: Sendable, Hashable {
    /// The first version that has it.
    package var viewVersion: ViewVersion
    package var cause: DiffCause?
    /// What is wrong.
    package var text: String
  }

  /// A frame that was rejected.
  package struct RejectedFrame: Sendable, Hashable {
    /// The index of the frame in the file.
    package var frame: Int
    package var view: String?
    package var reason: String
  }

  /// A slot of a template whose values were sent without effect.
  package struct WastedSlot: Sendable, Hashable {
    package var slot: String
    package var bytes: Int
    package var source: SourceLocation?
  }

  /// The file or address.
  package var name: String
  /// The ids of the views, in the order of their first mounts.
  package var views: [String] = []
  /// In the order of the recording.
  package var diffs: [MeasuredDiff] = []
  package var mounts: [MeasuredMount] = []
  /// The events that were answered without a diff.
  package var emptyAnswers: [EmptyAnswer] = []
  /// The ids that are on more than one element of a page, each once for a view.
  package var duplicateIDs: [Fault] = []
  /// The updates at which LiveView's client stops with an error.
  package var clientThrows: [Fault] = []
  /// The views whose client and server are different minor versions of LiveView.
  package var versionSkews: [Fault] = []
  /// The first rejected frames.
  package var rejected: [RejectedFrame] = []
  /// The number of rejected frames.
  package var rejectedFrameCount = 0
  /// The slots with the most wasted bytes, at most ``listedSlots``.
  package var wastedSlots: [WastedSlot] = []

  package static let listedSlots = 3
  package static let listedRejections = 100

  package init(name: String) { self.name = name }

  /// The causes of all diffs and of the answers without a diff, events first.
  package var causes: [DiffCause] { Set(diffs.map(\.cause)).union(emptyAnswers.map(\.cause)).sorted() }

  /// The sums of all diffs.
  ///
  /// - Complexity: O(*n* log *n*) for *n* diffs.
  package func summary() -> DiffSummary { scope(of: .all).summary }
}
