package import MarkupDocument

/// What one diff of a recording did. ``Recorder`` makes one for each diff. A ``Measurement`` has
/// these, the mounts and the empty answers of its recording.
package struct MeasuredDiff: Sendable, Hashable {
  package var viewVersion: ViewVersion
  package var origin = ViewOrigin()
  package var cause: DiffCause
  /// The size of the diff as JSON.
  package var bytes: Int
  /// The number of changes of the page.
  package var nodes: Int
  /// The size of the values that the page already had.
  package var wastedBytes: Int
  /// The number of views that were evaluated again.
  package var renders = 0
  /// The number of these evaluations whose result was the same as before.
  package var idleRenders = 0
  /// The time from the client's event to the answer in milliseconds; `nil` if it is not known.
  package var latency: Double?
  package var resentLists: [MeasuredResentList] = []
  package var lostIdentities: [LostIdentity] = []
}

/// A mount of a view.
package struct MeasuredMount: Sendable, Hashable {
  package var viewVersion: ViewVersion
  package var origin: ViewOrigin
  /// The size of the Rendered as JSON.
  package var bytes: Int
}

/// An event that was answered without a diff.
package struct EmptyAnswer: Sendable, Hashable {
  package var cause: DiffCause
  package var origin = ViewOrigin()
  /// In milliseconds.
  package var latency: Double
}

/// The properties of a view that a limit can name.
package struct ViewOrigin: Sendable, Hashable {
  /// The module of the LiveView; `nil` if the app has no debug annotations.
  package var module: String?
  /// The path of the page, such as `/products/7`; `nil` if the recording does not contain the join.
  package var page: String?
}

/// A version of a view in a recording.
package struct ViewVersion: Sendable, Hashable {
  /// The id of the view.
  package var view: String
  /// The epoch: the first mount of the view is 1, and each remount adds 1.
  package var epoch: Int
  /// The version: 0 for the mount, then one more for each diff.
  package var version: Int
}

/// A list whose entries one diff sent again, although they did not change.
package struct MeasuredResentList: Sendable, Hashable {
  /// Why the entries were sent.
  package enum Reason: Sendable, Hashable {
    /// The list has no keys, and an entry before them was inserted or removed.
    case shifted
    /// As ``shifted``, in the form of LiveView 1.0, which has no `:key`.
    case positional
    /// Every slot of every entry was sent, and at least half of the entries already had the sent
    /// values.
    case unchanged
  }

  /// The slot of the diff or of the template that holds the list, such as `1`.
  package var slot: String
  package var reason: Reason
  /// The number of entries that were sent needlessly.
  package var entries: Int
  /// The number of entries of the list, or for ``Reason/unchanged`` the number of entries that were
  /// sent.
  package var count: Int
  /// The line of the list in the app; `nil` if the app has no debug annotations.
  package var source: SourceLocation?
}

/// An element with an id that one diff removed and added again, so that it is another node for
/// every client and hook.
package struct LostIdentity: Sendable, Hashable {
  package var id: String
  /// The tag of the removed element.
  package var oldTag: String
  /// The tag of the added element.
  package var newTag: String
}
