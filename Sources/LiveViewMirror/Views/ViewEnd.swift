internal import MirrorSupport
internal import NodeObservation

/// The epoch and the revision of a view when it was removed. A later view with the same id begins
/// with higher numbers, so an event, a link or a node reference of the earlier view never refers to
/// the later one.
///
/// ``ViewDirectory`` remembers the end of each view, and ``LiveViews`` passes it to the next view
/// with the same id.
struct ViewEnd: Sendable, Hashable {
  /// The epoch of the last mount; 0 if there was none.
  var epoch = 0
  /// The revision of the last change: ``StoredRow/revision``.
  var revision = 0
  /// The reason why the view was evicted; `nil` if it was deleted or has expired.
  var eviction: Eviction?

  /// The item of the journal that removes the view.
  func removal(of id: String, because reason: RemovalReason) -> Journal.Item.Content {
    var row = JournalRow(lastEpoch: epoch)
    row.removal = reason
    return .removal(of: id, row, revision: revision)
  }
}

/// The reason and the time of an eviction. The log of the server, the start page and the error for
/// a missing view show it.
package struct Eviction: Sendable, Hashable {
  /// The limit that was exceeded.
  package enum Bound: Sendable, Hashable {
    /// ``MirrorLimits/views``
    case views
    /// ``MirrorLimits/pageBytes``
    case pageBytes
  }

  /// The id of the view.
  package let view: String
  package let bound: Bound
  /// In milliseconds since 1970.
  package let time: Int64
}

extension MirrorLimits {
  /// The limit that was exceeded, and the flag that raises it.
  package func cause(of eviction: Eviction) -> String {
    switch eviction.bound {
    case .views: "there were more than \(views) views (--max-views)"
    case .pageBytes: "the pages of all views took more than \(pageBytes >> 20) MiB (--page-bytes)"
    }
  }
}
