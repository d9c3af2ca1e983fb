internal import MirrorSupport

/// Why and when a view was evicted.
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

extension LiveViews {
  /// Notes an eviction. Called under the lock of the list. The caller passes the result to ``whenEvicted`` after the lock.
  func note(evictionOf id: String, over bound: Eviction.Bound, in listed: inout Listed) -> Eviction {
    let eviction = Eviction(view: id, bound: bound, time: clock.now())
    listed.evicted.remember(eviction, of: id)
    return eviction
  }

  /// Calls `body` after each eviction of a view.
  package func whenEvicted(_ body: @escaping @Sendable (Eviction) -> Void) { whenEvicted.withLock { $0 = body } }

  /// The last evicted views that were not mounted again, newest first.
  package func evicted(last count: Int) -> [Eviction] {
    listed.withLock { $0.evicted.all }.suffix(count).reversed().map(\.value)
  }

  /// Why there is no view with an id: it was evicted, or it was deleted or never mounted.
  ///
  /// - Complexity: O(1)
  package func absence(of id: String) -> UpdateError {
    guard let eviction = listed.withLock({ $0.evicted[id] }) else {
      return UpdateError(.unknownView, reason: "there is no view \"\(id)\"; mount it first: POST /views/\(id)/rendered")
    }
    return UpdateError(
      .evicted,
      reason: """
        the view "\(id)" was evicted, because \(limits.cause(of: eviction)); mount it again: POST /views/\(id)/rendered
        """)
  }
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
